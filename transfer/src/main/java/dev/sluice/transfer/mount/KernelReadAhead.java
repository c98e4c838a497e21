package dev.sluice.transfer.mount;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The most bytes that the kernel reads ahead on a mount, which are the most of one request of a sequential reader. FUSE
 * begins with 128 KiB; root may raise it.
 */
final class KernelReadAhead {
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
    private static final Path DEVICES = Path.of("/sys/class/bdi");
    private static final String KIB = "512";

    /** The columns of {@link #MOUNTS}, proc(5). */
    private static final int DEVICE_COLUMN = 2;

    private static final int TARGET_COLUMN = 4;

    private KernelReadAhead() {}

    /** Raises the limit of a mount that has not answered FUSE_INIT. Where that fails, reads are in smaller pieces. */
    static void raise(Path target) {
        try {
            String device = device(target);
            if (device != null) {
                Path limit = DEVICES.resolve(device).resolve("read_ahead_kb");
                Files.writeString(limit, KIB, StandardOpenOption.WRITE);
            }
        } catch (IOException e) {
            // No sysfs, or one that is read-only, as in a container.
        }
    }

    /** Returns the device number of the latest mount on a directory, or null. Nothing in the mount is accessed. */
    private static @Nullable String device(Path target) throws IOException {
        Path parent = target.getParent();
        if (parent == null) {
            return null;
        }
        String wanted =
                escaped(parent.toRealPath().resolve(target.getFileName()).toString());
        String device = null;
        for (String line : Files.readAllLines(MOUNTS, StandardCharsets.UTF_8)) {
            String[] columns = line.split(" ", -1);
            if (columns.length > TARGET_COLUMN && columns[TARGET_COLUMN].equals(wanted)) {
                device = columns[DEVICE_COLUMN];
            }
        }
        return device;
    }

    private static String escaped(String path) {
        return path.replace("\\", "\\134")
                .replace(" ", "\\040")
                .replace("\t", "\\011")
                .replace("\n", "\\012");
    }
}
