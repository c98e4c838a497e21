package dev.sluice.cli.transfer;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.RefusedException;
import dev.sluice.cli.command.Signals;
import dev.sluice.cli.command.StandardOptions;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.mount.Mount;
import dev.sluice.transfer.mount.MountSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that mounts a directory of a known peer until it is interrupted. */
@Command(
        name = "mount",
        description =
                "Mounts the directory that a machine serves by sluice serve, until SIGTERM or umount. Users other "
                        + "than root need fusermount3 (Debian: fuse3).",
        footer = {"", "Exit code: 0 when unmounted, 75 when the server is not there, 2 when refused."})
public final class MountCommand implements Callable<Integer> {
    private static final int BYTES_PER_MIB = 1 << 20;

    @Mixin
    private final StandardOptions standard = new StandardOptions();

    @Parameters(index = "0", paramLabel = "HOST:PORT", description = "The server.")
    @SuppressWarnings("NullAway.Init") // required by picocli
    private String peer;

    @Parameters(index = "1", paramLabel = "DIR", description = "An existing directory.")
    @SuppressWarnings("NullAway.Init") // required by picocli
    private Path directory;

    @Mixin
    private final PeerOptions peers = new PeerOptions();

    @Mixin
    private final OwnKeyOption key = new OwnKeyOption();

    @Option(names = "--read-only", description = "Mount read-only, even if the server permits writing.")
    private boolean readOnly;

    @Option(names = "--allow-other", description = "Give other users of this machine access, too.")
    private boolean allowOther;

    @Option(
            names = "--attribute-seconds",
            defaultValue = "1",
            paramLabel = "N",
            description = "Keep attributes and names for N seconds without asking. Default: ${DEFAULT-VALUE}")
    private int attributeSeconds;

    @Option(
            names = "--deadline-seconds",
            defaultValue = "30",
            paramLabel = "N",
            description =
                    "Fail every access with EIO after N seconds of silence of the server. Default: ${DEFAULT-VALUE}")
    private int deadlineSeconds;

    @Option(
            names = "--cache-mib",
            defaultValue = "64",
            paramLabel = "N",
            description = "Read ahead into at most N MiB of memory. Default: ${DEFAULT-VALUE}")
    private int cacheMib;

    @Override
    public Integer call() throws IOException, InterruptedException {
        requireDirectory();
        PrintWriter out = standard.out();
        PrintWriter errors = standard.err();
        MountSettings settings = settings();
        try (OwnKey own = key.open();
                Mount mount =
                        Mount.open(connect(own, settings), peer, directory, settings, cause -> lost(errors, cause))) {
            Signals.onTerminate(mount::close);
            out.println("Mounted " + peer + " on " + directory + (mount.isReadOnly() ? ", read-only" : "")
                    + ". Ctrl-C or umount ends it.");
            out.flush();
            mount.await();
        }
        return ExitCode.OK;
    }

    private void requireDirectory() {
        if (Files.isDirectory(directory)) {
            return;
        }
        // A mount whose process was killed answers neither question.
        if (!Files.exists(directory) && !Files.notExists(directory)) {
            throw new RefusedException(
                    "mount: " + directory + " cannot be read; if an earlier mount is left there, run " + "umount "
                            + directory + " (not root: fusermount3 -u " + directory + ")");
        }
        throw new RefusedException("mount: " + directory + " is no directory; create it");
    }

    private void lost(PrintWriter errors, IOException cause) {
        errors.println("sluice: mount: the server is gone (" + cause.getMessage() + "); every access to " + directory
                + " fails with EIO until Ctrl-C or umount ends this mount; mount again when the server is back");
        errors.flush();
    }

    private MountSettings settings() {
        MountSettings settings = configured();
        if (readOnly) {
            settings = settings.withAccess(MountSettings.Access.READ_ONLY);
        }
        return allowOther ? settings.withAudience(MountSettings.Audience.EVERYBODY) : settings;
    }

    private MountSettings configured() {
        try {
            return MountSettings.DEFAULT
                    .withAttributeTime(Duration.ofSeconds(attributeSeconds))
                    .withDeadline(Duration.ofSeconds(deadlineSeconds))
                    .withCache(
                            (long) cacheMib * BYTES_PER_MIB,
                            Math.min(MountSettings.DEFAULT.readAheadBytes(), (long) cacheMib * BYTES_PER_MIB / 2));
        } catch (IllegalArgumentException bad) {
            throw new RefusedException("mount: " + bad.getMessage());
        }
    }

    private SecureChannel connect(OwnKey own, MountSettings settings) throws IOException {
        Proof proof = Proof.byKey(Proof.Side.CONNECTS, own, peers.allowed(), settings.channel());
        return proof.open(GuestMeeting.at(peer).connect());
    }
}
