package dev.sluice.testkit;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The ability of this machine to mount by FUSE. No package brings the kernel's device, so tests are skipped without it,
 * also where peers are required: a container without it still passes.
 */
public final class FuseMachine {
    private static final Path DEVICE = Path.of("/dev/fuse");
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String CAPABILITIES = "CapEff:";
    private static final int CAP_SYS_ADMIN = 21;
    private static final int HEXADECIMAL = 16;

    private FuseMachine() {}

    /** Ends the calling test, skipped, unless this process can mount. */
    public static void require() {
        if (Files.notExists(DEVICE)) {
            abort("this machine has no " + DEVICE + "; remedy: modprobe fuse, or start the container with --device "
                    + DEVICE);
        }
        if (!mayMount()) {
            abort("this process may not mount; remedy: run the test as root, in a container with --cap-add SYS_ADMIN");
        }
    }

    /** Ends the calling test, skipped, unless this process can mount; requires fusermount3 of those that can. */
    public static void requireHelper() {
        require();
        ForeignProgram.required("fusermount3", "fuse3");
    }

    private static boolean mayMount() {
        try {
            return Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith(CAPABILITIES))
                    .map(line -> line.substring(CAPABILITIES.length()).strip())
                    .anyMatch(set -> (Long.parseUnsignedLong(set, HEXADECIMAL) >> CAP_SYS_ADMIN & 1) == 1);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + STATUS, e);
        }
    }
}
