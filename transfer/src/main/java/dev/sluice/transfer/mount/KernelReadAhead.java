package dev.sluice.transfer.mount;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The most bytes that the kernel reads ahead on a mount, which are the most of one request of a sequential reader. FUSE
 * begins with 128 KiB; root may raise it.
 */
final class KernelReadAhead {
    private static final Path DEVICES = Path.of("/sys/class/bdi");
    private static final String KIB = "512";

    private KernelReadAhead() {}

    /** Raises the limit of a mount that has not answered FUSE_INIT. Where that fails, reads are in smaller pieces. */
    static void raise(Path target) {
        try {
            MountTable.Line mount = MountTable.latest(target);
            if (mount != null) {
                Path limit = DEVICES.resolve(mount.device()).resolve("read_ahead_kb");
                Files.writeString(limit, KIB, StandardOpenOption.WRITE);
            }
        } catch (IOException e) {
            // No sysfs, or one that is read-only, as in a container.
        }
    }
}
