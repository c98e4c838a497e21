package dev.sluice.cli.transfer;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.RefusedException;
import dev.sluice.cli.command.Signals;
import dev.sluice.cli.command.StandardOptions;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.KeyFingerprint;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import dev.sluice.transfer.mount.Mount;
import dev.sluice.transfer.mount.MountSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that mounts a directory of a known peer until it is interrupted. */
@Command(name = "mount", description = "Mounts a directory that a known peer serves, until SIGTERM or umount.")
public final class MountCommand implements Callable<Integer> {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
    private static final int BYTES_PER_MIB = 1 << 20;

    @Mixin
    private final StandardOptions standard = new StandardOptions();

    @Parameters(index = "0", paramLabel = "HOST:PORT", description = "The peer.")
    @SuppressWarnings("NullAway.Init") // required by picocli
    private String peer;

    @Parameters(index = "1", paramLabel = "DIR", description = "An existing directory.")
    @SuppressWarnings("NullAway.Init") // required by picocli
    private Path directory;

    @Option(
            names = "--peer",
            required = true,
            paramLabel = "FINGERPRINT",
            description = "The fingerprint of the peer's key, as the peer prints it.")
    @SuppressWarnings("NullAway.Init") // required by picocli
    private String fingerprint;

    @Option(
            names = "--key",
            required = true,
            paramLabel = "FILE",
            description = "This machine's private key; created when it is absent.")
    @SuppressWarnings("NullAway.Init") // required by picocli
    private Path key;

    @Option(names = "--read-only", description = "Mounts read-only.")
    private boolean readOnly;

    @Option(names = "--allow-other", description = "Gives other users of this machine access, too.")
    private boolean allowOther;

    @Option(
            names = "--attribute-seconds",
            defaultValue = "1",
            paramLabel = "N",
            description = "Keeps attributes and names for N seconds without asking (default: 1).")
    private int attributeSeconds;

    @Option(
            names = "--deadline-seconds",
            defaultValue = "30",
            paramLabel = "N",
            description = "Fails every access with EIO after N seconds of silence of the peer (default: 30).")
    private int deadlineSeconds;

    @Option(
            names = "--cache-mib",
            defaultValue = "64",
            paramLabel = "N",
            description = "Reads ahead into at most N MiB of memory (default: 64).")
    private int cacheMib;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!Files.isDirectory(directory)) {
            throw new RefusedException("mount: " + directory + " is no directory; create it");
        }
        PrintWriter out = standard.out();
        PrintWriter errors = standard.err();
        MountSettings settings = settings();
        try (OwnKey own = OwnKey.loadOrCreate(key, OwnKeyType.ED25519);
                Mount mount =
                        Mount.open(connect(own, settings), peer, directory, settings, lost -> lost(errors, lost))) {
            Signals.onTerminate(mount::close);
            out.println("mounted " + peer + " on " + directory + "; SIGTERM or umount ends it");
            out.flush();
            mount.await();
        } catch (ChannelException e) {
            throw new RefusedException("mount: no channel to " + peer + " (" + e.getMessage() + ")");
        }
        return ExitCode.OK;
    }

    private static void lost(PrintWriter errors, IOException cause) {
        errors.println("mount: the peer is gone (" + cause.getMessage()
                + "); every access fails with EIO; unmount, and mount again");
        errors.flush();
    }

    private MountSettings settings() {
        MountSettings settings = MountSettings.DEFAULT
                .withAttributeTime(Duration.ofSeconds(attributeSeconds))
                .withDeadline(Duration.ofSeconds(deadlineSeconds))
                .withCache(
                        (long) cacheMib * BYTES_PER_MIB,
                        Math.min(MountSettings.DEFAULT.readAheadBytes(), (long) cacheMib * BYTES_PER_MIB / 2));
        if (readOnly) {
            settings = settings.withAccess(MountSettings.Access.READ_ONLY);
        }
        return allowOther ? settings.withAudience(MountSettings.Audience.EVERYBODY) : settings;
    }

    private SecureChannel connect(OwnKey own, MountSettings settings) throws ChannelException {
        InetSocketAddress address = address();
        AllowedKeys allowed = AllowedKeys.of(expected());
        ChannelSocket socket = ChannelSocket.connect(address, CONNECT_LIMIT);
        return SecureChannel.connect(socket, own, allowed, settings.channel());
    }

    private KeyFingerprint expected() {
        try {
            return KeyFingerprint.parse(fingerprint);
        } catch (IllegalArgumentException e) {
            throw new RefusedException("mount: --peer is " + e.getMessage());
        }
    }

    private InetSocketAddress address() {
        int colon = peer.lastIndexOf(':');
        String host = colon < 0 ? peer : peer.substring(0, colon);
        int port = colon < 0 ? -1 : port(peer.substring(colon + 1));
        if (port < 1 || host.isEmpty()) {
            throw new RefusedException("mount: \"" + peer + "\" is no address; write HOST:PORT");
        }
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new RefusedException("mount: " + host + " does not resolve; check the name");
        }
        return address;
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            return port <= 0xffff ? port : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
