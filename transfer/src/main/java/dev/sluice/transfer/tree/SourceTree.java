package dev.sluice.transfer.tree;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.FileConstants;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files that a source offers: either the contents of one directory, or files and directories that the user named,
 * each under its own name. Files are opened below open directories, and no symbolic link is followed.
 *
 * <p>Thread-safe; each thread brings its own {@link FileAccess}.
 */
public final class SourceTree implements AutoCloseable {
    /**
     * A file or directory at the top of the tree.
     *
     * @param directoryFd its open directory
     * @param name its name there
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Top(int directoryFd, byte[] name) {}

    private final int contentsFd;
    private final List<Top> tops;
    private final Filters filters;

    private SourceTree(int contentsFd, List<Top> tops, Filters filters) {
        this.contentsFd = contentsFd;
        this.tops = tops;
        this.filters = filters;
    }

    /**
     * Opens the contents of a directory.
     *
     * @throws TransferException when it cannot be opened
     */
    public static SourceTree contentsOf(Path directory, Filters filters) throws TransferException {
        try (FileAccess files = new FileAccess()) {
            return new SourceTree(open(files, directory), List.of(), filters);
        }
    }

    /**
     * Opens files and directories.
     *
     * @throws TransferException when one is missing, or two have the same name
     */
    public static SourceTree of(List<Path> paths, Filters filters) throws TransferException {
        List<Top> tops = new ArrayList<>();
        SourceTree tree = new SourceTree(-1, tops, filters);
        try (FileAccess files = new FileAccess()) {
            for (Path each : paths) {
                Path path = each.toAbsolutePath().normalize();
                Path last = path.getFileName();
                Path parent = path.getParent();
                if (last == null || parent == null) {
                    throw new TransferException(TransferFailure.NO_SUCH_PATH, "no name to send: path=" + each);
                }
                byte[] name = last.toString().getBytes(StandardCharsets.UTF_8);
                if (tree.top(name) != null) {
                    throw new TransferException(TransferFailure.OCCUPIED, "two paths have the same name: name=" + last);
                }
                tops.add(new Top(open(files, parent), name));
                int result = files.stat(tops.getLast().directoryFd(), name);
                if (result < 0) {
                    throw TransferException.of("statx", name, result);
                }
            }
            return tree;
        } catch (TransferException e) {
            tree.close();
            throw e;
        }
    }

    private static int open(FileAccess files, Path directory) throws TransferException {
        int fd = files.openTrusted(directory, FileConstants.O_DIRECTORY);
        if (fd < 0) {
            throw TransferException.of("open", directory.toString().getBytes(StandardCharsets.UTF_8), fd);
        }
        return fd;
    }

    /**
     * Starts a walk.
     *
     * @param files of the calling thread; used by the cursor, not closed
     * @param path the part of the tree to walk; empty for all
     * @param wanted the target's filters, on top of the source's own
     * @throws TransferException when the path is not offered
     */
    public SourceCursor walk(FileAccess files, byte[] path, Filters wanted, boolean attributes)
            throws TransferException {
        Filters[] both = {filters, wanted};
        if (path.length == 0 && contentsFd >= 0) {
            int fd = files.openDirectoryBeneath(contentsFd, path);
            if (fd < 0) {
                throw TransferException.of("open", path, fd);
            }
            return SourceCursor.ofContents(files, both, attributes, fd);
        }
        if (path.length == 0) {
            return SourceCursor.ofTops(files, both, attributes, new byte[0], tops, -1);
        }
        byte[] directory = Names.parent(path);
        Top top = topOf(path);
        int parent = -Errno.ENOENT;
        if (top != null && directory.length == 0) {
            parent = files.openDirectoryBeneath(top.directoryFd(), directory);
        } else if (top != null && filters.includesFile(path)) {
            parent = files.openDirectoryBeneath(top.directoryFd(), directory);
        }
        if (parent < 0 || files.stat(parent, Names.last(path)) < 0) {
            FileAccess.close(parent);
            throw new TransferException(TransferFailure.NO_SUCH_PATH, "path=" + Names.printable(path));
        }
        return SourceCursor.ofTops(
                files, both, attributes, directory, List.of(new Top(parent, Names.last(path))), parent);
    }

    /**
     * Opens a regular file for reading.
     *
     * @param path checked by {@link Names#isPath}
     * @return the descriptor, which the caller closes, or a negated error number
     */
    public int openFile(FileAccess files, byte[] path) {
        Top top = topOf(path);
        if (top == null || path.length == 0 || !filters.includesFile(path)) {
            return -Errno.ENOENT;
        }
        int flags = FileConstants.O_RDONLY | Constants.O_NONBLOCK;
        int fd = files.openBeneath(top.directoryFd(), path, flags);
        if (fd >= 0 && (files.stat(fd) < 0 || files.kind() != FileConstants.S_IFREG)) {
            FileAccess.close(fd);
            return -Errno.ENOENT;
        }
        return fd;
    }

    private @Nullable Top topOf(byte[] path) {
        if (contentsFd >= 0) {
            return new Top(contentsFd, path);
        }
        int end = 0;
        while (end < path.length && path[end] != '/') {
            end++;
        }
        return top(Arrays.copyOf(path, end));
    }

    private @Nullable Top top(byte[] name) {
        for (Top each : tops) {
            if (Arrays.equals(each.name(), name)) {
                return each;
            }
        }
        return null;
    }

    /** Closes the directories; no walk may be in progress. */
    @Override
    public void close() {
        FileAccess.close(contentsFd);
        tops.forEach(top -> FileAccess.close(top.directoryFd()));
    }
}
