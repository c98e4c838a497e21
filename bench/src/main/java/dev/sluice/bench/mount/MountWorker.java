package dev.sluice.bench.mount;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.transfer.channel.ChannelListener;
import dev.sluice.transfer.channel.ChannelSettings;
import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.export.Export;
import dev.sluice.transfer.export.ExportSettings;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import dev.sluice.transfer.mount.Mount;
import dev.sluice.transfer.mount.MountSettings;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A process that is one side of a mount, with the settings that users get. Prints a line when it is ready, and ends
 * when the directory is unmounted.
 *
 * <p>Arguments: {@code serve KEYS DIRECTORY}, which prints {@code ok library=PORT}; or {@code mount KEYS DIRECTORY
 * PORT}. KEYS is a directory with the keys of both sides.
 */
public final class MountWorker {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final OwnKey server;
    private final OwnKey client;
    private final Path directory;
    private final PrintStream output;

    private MountWorker(Path keys, Path directory, PrintStream output) {
        this.server = OwnKey.loadOrCreate(keys.resolve("server.key"), OwnKeyType.P_256);
        this.client = OwnKey.loadOrCreate(keys.resolve("client.key"), OwnKeyType.P_256);
        this.directory = directory;
        this.output = output;
    }

    /** Runs a side until the directory is unmounted. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // other output must not mix with the answers
        MountWorker worker = new MountWorker(Path.of(arguments[1]), Path.of(arguments[2]), output);
        switch (arguments[0]) {
            case "serve" -> worker.serve();
            case "mount" -> worker.mount(Integer.parseInt(arguments[3]));
            default -> throw new BenchException("unknown side " + arguments[0]);
        }
    }

    private void serve() throws IOException {
        InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ChannelSettings settings = MountSettings.DEFAULT.channel();
        try (ChannelListener listener = ChannelListener.open(loopback);
                Export export = Export.open(directory, ExportSettings.READ_WRITE)) {
            output.println("ok library=" + ((InetSocketAddress) listener.address()).getPort());
            try (SecureChannel channel = SecureChannel.accept(
                    listener.accept(LIMIT), server, AllowedKeys.of(client.fingerprint()), settings)) {
                export.serve(channel);
            }
        }
    }

    private void mount(int port) throws IOException, InterruptedException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        MountSettings settings = MountSettings.DEFAULT;
        SecureChannel channel = SecureChannel.connect(
                ChannelSocket.connect(address, LIMIT),
                client,
                AllowedKeys.of(server.fingerprint()),
                settings.channel());
        try (Mount mount = Mount.open(channel, "bench", directory, settings, lost -> System.err.println(lost))) {
            output.println("ok library=mounted");
            mount.await();
        }
    }
}
