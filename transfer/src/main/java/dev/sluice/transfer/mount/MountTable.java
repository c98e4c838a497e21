package dev.sluice.transfer.mount;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The kernel's table of mounts, proc_pid_mountinfo(5), in bytes as characters. Nothing in a mount is accessed. */
final class MountTable {
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
    private static final int DEVICE_COLUMN = 2;
    private static final int TARGET_COLUMN = 4;
    /** The columns before this one vary in number; type and source follow it. */
    private static final String SEPARATOR = " - ";

    private MountTable() {}

    /**
     * A mount.
     *
     * @param device the number of its device, as major:minor
     * @param type the type of the file system
     */
    record Line(String device, String type) {}

    /**
     * Returns the latest mount on a directory, or null.
     *
     * @param target a real path: absolute, without symbolic links
     * @throws IOException when the table cannot be read
     */
    static @Nullable Line latest(Path target) throws IOException {
        String wanted = escaped(target.toString());
        Line latest = null;
        for (String line : Files.readAllLines(MOUNTS, StandardCharsets.ISO_8859_1)) {
            String[] columns = line.split(" ", -1);
            int separator = line.indexOf(SEPARATOR);
            if (columns.length > TARGET_COLUMN && separator > 0 && columns[TARGET_COLUMN].equals(wanted)) {
                String type = line.substring(separator + SEPARATOR.length()).split(" ", 2)[0];
                latest = new Line(columns[DEVICE_COLUMN], type);
            }
        }
        return latest;
    }

    private static String escaped(String path) {
        String bytes = new String(path.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        return bytes.replace("\\", "\\134")
                .replace(" ", "\\040")
                .replace("\t", "\\011")
                .replace("\n", "\\012");
    }
}
