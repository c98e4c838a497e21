package dev.sluice.gateway.accesslog;

import dev.sluice.config.log.AccessLogConfig;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file that the access log is appended to, or standard output. Confined to the writer's thread.
 *
 * <pre>
 *   access.log ──full──▶ access.log.1 ──▶ access.log.2 ──▶ … ──▶ access.log.KEEP ──▶ gone
 * </pre>
 *
 * <p>Opened when something is to be written, and anew after each failure, and when somebody has moved the file away.
 */
final class LogFile implements AutoCloseable {
    private static final Set<OpenOption> APPENDING = Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND);

    /** Clients' addresses are not for everybody. */
    private static final FileAttribute<?> PERMISSIONS =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----"));

    private final AccessLogConfig config;
    private @Nullable FileChannel channel;
    /** The identity of the file that was opened last, which distinguishes it from another file at the same path. */
    private @Nullable Object identity;

    private long size;

    LogFile(AccessLogConfig config) {
        this.config = config;
    }

    AccessLogConfig config() {
        return config;
    }

    /**
     * Opens it, unless it is open. Whether it is another than before, so that the begin of a line may stand elsewhere.
     */
    boolean open() throws IOException {
        if (channel != null) {
            return false;
        }
        Path path = config.file();
        if (path == null) {
            channel = standardOutput();
            return false;
        }
        FileChannel opened = FileChannel.open(path, APPENDING, PERMISSIONS);
        channel = opened;
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        Object before = identity;
        identity = attributes.fileKey();
        size = attributes.isRegularFile() ? opened.size() : 0;
        return !Objects.equals(before, identity);
    }

    /** Never closed: others write there, too. */
    @SuppressWarnings("resource")
    private static FileChannel standardOutput() {
        return new FileOutputStream(FileDescriptor.out).getChannel();
    }

    /**
     * Writes what is left of the lines. Where that fails it is closed, and the buffer stands where the writing has come
     * to.
     */
    void write(ByteBuffer lines) throws IOException {
        FileChannel to = channel;
        if (to == null) {
            throw new IllegalStateException("written to before it was opened");
        }
        int before = lines.position();
        try {
            while (lines.hasRemaining()) {
                to.write(lines);
            }
        } catch (IOException e) {
            close();
            throw e;
        } finally {
            size += lines.position() - before;
        }
    }

    /** Returns true when the file has reached its size limit. */
    boolean isFull() {
        return config.file() != null && config.maxBytes() > 0 && size >= config.maxBytes();
    }

    /** Moves what is there out of the way; the next line begins a new file. */
    void rotate() throws IOException {
        Path path = config.file();
        if (path == null || !Files.isRegularFile(path)) {
            size = 0;
            return;
        }
        close();
        for (int i = config.keep() - 1; i > 0; i--) {
            Path older = numbered(path, i);
            if (Files.exists(older)) {
                Files.move(older, numbered(path, i + 1), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.move(path, numbered(path, 1), StandardCopyOption.REPLACE_EXISTING);
    }

    private static Path numbered(Path path, int number) {
        return path.resolveSibling(path.getFileName() + "." + number);
    }

    /** Closes it when another file, or none, has come to stand in its place. */
    void closeIfMoved() {
        Path path = config.file();
        if (path == null || channel == null) {
            return;
        }
        Object now;
        try {
            now = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (IOException gone) {
            now = null;
        }
        if (now == null || !now.equals(identity)) {
            close();
        }
    }

    /** Closes it until it is opened again. */
    @Override
    public void close() {
        FileChannel open = channel;
        channel = null;
        size = 0;
        if (open != null && config.file() != null) {
            try {
                open.close();
            } catch (IOException lost) {
                // Whatever could not be written was told of by the write.
            }
        }
    }
}
