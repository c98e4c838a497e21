package dev.sluice.gateway.tickets;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** Files that only this process's user may read. */
public final class PrivateFile {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private PrivateFile() {}

    /** Writes a file that is not there yet. */
    public static void create(Path file, ByteBuffer content) throws IOException {
        Set<StandardOpenOption> options = EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        FileAttribute<Set<PosixFilePermission>> mode = PosixFilePermissions.asFileAttribute(OWNER_ONLY);
        try (FileChannel channel = FileChannel.open(file, options, mode)) {
            while (content.hasRemaining()) {
                channel.write(content);
            }
            channel.force(true);
        }
    }

    /**
     * Puts a file in the place of another in one step: who reads sees the one or the other, whole. Not for two callers
     * at once.
     */
    public static void replace(Path file, ByteBuffer content) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        create(fresh, content);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Returns true when users other than its owner may read or write the file. */
    public static boolean isOpenToOthers(Path file) throws IOException {
        return Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains);
    }
}
