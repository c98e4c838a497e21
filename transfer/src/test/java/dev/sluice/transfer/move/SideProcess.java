package dev.sluice.transfer.move;

import dev.sluice.testkit.ForeignCommand;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelListener;
import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import dev.sluice.transfer.protocol.ChannelWire;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.tree.Filters;
import dev.sluice.transfer.tree.Names;
import dev.sluice.transfer.tree.SourceTree;
import dev.sluice.transfer.tree.TargetPolicy;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One side of a transfer as a process of its own, which tests can kill. Both sides use the same key. */
final class SideProcess {
    /** The variable with the durability of a target. */
    static final String DURABILITY = "SLUICE_TEST_DURABILITY";

    private static final String SOURCE = "source";
    private static final String TARGET = "target";

    private static final Reconnection RECONNECTION = new Reconnection(2, Duration.ofMillis(50), Duration.ofMillis(100));

    private SideProcess() {}

    /** Starts a server of a directory; it prints {@code port N}. */
    static RunningProgram source(Path directory, Path key, String... prefix) {
        return start(List.of(SOURCE, directory.toString(), key.toString()), prefix);
    }

    /** Starts a target; it prints what failed, and {@code received N} at its end. */
    static RunningProgram target(Path directory, Path key, InetSocketAddress server, String... prefix) {
        return start(List.of(TARGET, directory.toString(), key.toString(), Integer.toString(server.getPort())), prefix);
    }

    private static RunningProgram start(List<String> arguments, String... prefix) {
        List<String> line = new ArrayList<>(List.of(prefix));
        line.addAll(java(SideProcess.class, "-Xmx64m"));
        line.addAll(arguments);
        ForeignCommand command = ForeignProgram.required(line.getFirst(), "util-linux")
                .command(line.subList(1, line.size()).toArray(String[]::new));
        return command.start();
    }

    /** Returns the command line of a JVM with the class path of the tests. */
    static List<String> java(Class<?> main, String... options) {
        String modules = System.getProperty("jdk.module.path", "");
        String path = System.getProperty("java.class.path") + (modules.isEmpty() ? "" : ":" + modules);
        List<String> line = new ArrayList<>(List.of("env"));
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of(options));
        line.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        String openSsl = System.getProperty("sluice.openssl");
        if (openSsl != null) {
            line.add("-Dsluice.openssl=" + openSsl);
        }
        line.addAll(List.of("-cp", path, main.getName()));
        return line;
    }

    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[1]);
        try (OwnKey key = OwnKey.loadOrCreate(Path.of(arguments[2]), OwnKeyType.ED25519)) {
            if (arguments[0].equals(SOURCE)) {
                serve(directory, key);
            } else {
                pull(directory, key, TcpSource.loopback(Integer.parseInt(arguments[3])));
            }
        }
    }

    private static void serve(Path directory, OwnKey key) throws IOException {
        PrintStream out = System.out;
        Sender sender = new Sender(SourceTree.contentsOf(directory, Filters.NONE), BandwidthLimit.NONE);
        try (ChannelListener listener = ChannelListener.open(TcpSource.loopback(0))) {
            out.println("port " + ((InetSocketAddress) listener.address()).getPort());
            while (true) {
                ChannelSocket socket = listener.accept(Duration.ZERO);
                Thread.ofPlatform().start(() -> {
                    try {
                        sender.serve(new ChannelWire(SecureChannel.accept(
                                socket, key, AllowedKeys.of(key.fingerprint()), TcpSource.SETTINGS)));
                    } catch (IOException e) {
                        out.println("stream ended: " + e.getMessage());
                    }
                });
            }
        }
    }

    private static void pull(Path directory, OwnKey key, InetSocketAddress server) throws IOException {
        PrintStream out = System.out;
        StreamFactory streams = number -> {
            ChannelSocket socket = ChannelSocket.connect(server, Duration.ofSeconds(10));
            return new ChannelWire(
                    SecureChannel.connect(socket, key, AllowedKeys.of(key.fingerprint()), TcpSource.SETTINGS));
        };
        TargetPolicy policy = new TargetPolicy(
                TargetPolicy.DEFAULT.existing(),
                TargetPolicy.DEFAULT.symlinks(),
                TargetPolicy.Durability.valueOf(System.getenv().getOrDefault(DURABILITY, "PAGE_CACHE")));
        Receiver receiver =
                new Receiver(directory, ReceiverOptions.DEFAULT.withStreams(2).withPolicy(policy), event -> {
                    if (event instanceof TransferEvent.Failed failed) {
                        out.println("failed " + Names.printable(failed.path()) + " " + failed.failure());
                    }
                });
        try {
            TransferSummary summary = receiver.pull(streams.open(0), Trees.ID, streams.with(RECONNECTION));
            out.println("received " + summary.bytes());
        } catch (ChannelException e) {
            out.println("no connection: " + e.getMessage());
        }
    }
}
