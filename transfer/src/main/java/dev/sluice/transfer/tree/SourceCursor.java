package dev.sluice.transfer.tree;

import dev.sluice.ffi.libc.FileConstants;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A walk over a source tree, depth first, one entry at a time. Holds one descriptor and some hundred names for each
 * level of the current path, whatever the size of the tree. Confined to one thread.
 */
public final class SourceCursor implements AutoCloseable {
    /** A directory being read. */
    private static final class Level {
        private final int fd;
        private final byte[] path;
        private final List<byte[]> names = new ArrayList<>();
        private int next;
        private boolean ended;
        /** The negated error number for which names are missing; 0 for none. */
        private int failure;

        private Level(int fd, byte[] path) {
            this.fd = fd;
            this.path = path;
        }
    }

    private final FileAccess files;
    private final Filters[] filters;
    private final boolean attributes;
    private final byte[] topDirectory;
    private final List<SourceTree.Top> tops;
    private final int ownedFd;
    private final Deque<Level> levels = new ArrayDeque<>();
    private int nextTop;
    private @Nullable Entry unread;
    private boolean contents;
    private boolean ended;

    private SourceCursor(
            FileAccess files,
            Filters[] filters,
            boolean attributes,
            byte[] topDirectory,
            List<SourceTree.Top> tops,
            int ownedFd) {
        this.files = files;
        this.filters = filters;
        this.attributes = attributes;
        this.topDirectory = topDirectory;
        this.tops = tops;
        this.ownedFd = ownedFd;
    }

    /** Walks the contents of an open directory, which the cursor closes. */
    static SourceCursor ofContents(FileAccess files, Filters[] filters, boolean attributes, int fd) {
        SourceCursor cursor = new SourceCursor(files, filters, attributes, new byte[0], List.of(), -1);
        cursor.levels.push(new Level(fd, new byte[0]));
        cursor.contents = true;
        return cursor;
    }

    /** Walks files and directories by name; the cursor closes {@code ownedFd}. */
    static SourceCursor ofTops(
            FileAccess files,
            Filters[] filters,
            boolean attributes,
            byte[] topDirectory,
            List<SourceTree.Top> tops,
            int ownedFd) {
        return new SourceCursor(files, filters, attributes, topDirectory, tops, ownedFd);
    }

    /**
     * Returns the next entry; null at the end of the walk, and when a time has come before an entry that no filter
     * excludes.
     *
     * @param deadline a value of {@link System#nanoTime()}; at least one name is looked at
     * @throws TransferException when the names at the top cannot be read; those of another directory are skipped
     */
    public @Nullable Entry next(long deadline) throws TransferException {
        while (true) {
            Entry entry = step();
            if (entry != null || ended || System.nanoTime() - deadline >= 0) {
                return entry;
            }
        }
    }

    /** Returns whether the walk is over. */
    public boolean isEnded() {
        return ended;
    }

    /** Looks at the next name; returns null where it is gone or filtered, and at the end of the walk. */
    private @Nullable Entry step() throws TransferException {
        Entry skipped = unread;
        if (skipped != null) {
            unread = null;
            return skipped;
        }
        Level level = levels.peek();
        if (level == null) {
            if (nextTop == tops.size()) {
                ended = true;
                return null;
            }
            SourceTree.Top top = tops.get(nextTop);
            nextTop++;
            return entry(top.directoryFd(), topDirectory, top.name());
        }
        byte[] name = nextName(level);
        if (name == null) {
            return leave(level);
        }
        return entry(level.fd, level.path, name);
    }

    /** Returns the end of a directory; null for the end of the walk. */
    private @Nullable Entry leave(Level level) throws TransferException {
        levels.pop();
        FileAccess.close(level.fd);
        ended = contents && levels.isEmpty();
        if (level.failure < 0 && ended) {
            throw TransferException.of("getdents64", level.path, level.failure);
        }
        if (level.failure < 0) {
            unread = Entry.skipped(Names.last(level.path), TransferException.failureOf(level.failure));
        }
        return ended ? null : Entry.END;
    }

    private byte @Nullable [] nextName(Level level) {
        while (level.next == level.names.size()) {
            if (level.ended) {
                return null;
            }
            level.names.clear();
            level.next = 0;
            long length = files.readNames(level.fd, level.names);
            level.ended = length <= 0;
            level.failure = (int) Math.min(length, 0);
        }
        byte[] name = level.names.get(level.next);
        level.next++;
        return name;
    }

    /** Returns the entry of a name, or null where it is gone or filtered; opens a directory as the next level. */
    private @Nullable Entry entry(int directoryFd, byte[] directory, byte[] name) {
        int result = files.stat(directoryFd, name);
        if (result < 0) {
            return Entry.skipped(name, TransferException.failureOf(result));
        }
        byte[] path = Names.join(directory, name);
        int kind = files.kind();
        EntryKind entryKind = kind == FileConstants.S_IFDIR ? EntryKind.DIRECTORY : EntryKind.FILE;
        if (Names.isTemporary(name) || !filters[0].includes(path, entryKind) || !filters[1].includes(path, entryKind)) {
            return null;
        }
        if (path.length > Names.PATH_MAX) {
            return Entry.skipped(name, TransferFailure.TOO_DEEP);
        }
        return switch (kind) {
            case FileConstants.S_IFDIR -> directory(directoryFd, path, name);
            case FileConstants.S_IFREG -> file(directoryFd, name);
            case FileConstants.S_IFLNK -> symlink(directoryFd, name);
            default -> Entry.skipped(name, TransferFailure.SPECIAL_FILE);
        };
    }

    private Entry directory(int directoryFd, byte[] path, byte[] name) {
        if (levels.size() == Names.DEPTH_MAX) {
            return Entry.skipped(name, TransferFailure.TOO_DEEP);
        }
        Entry entry = Entry.directory(name, files.permissions(), files.mtimeSeconds(), files.mtimeNanos());
        int fd = files.openDirectory(directoryFd, name);
        if (fd < 0) {
            return Entry.skipped(name, TransferException.failureOf(fd));
        }
        levels.push(new Level(fd, path));
        return attributes ? entry.with(files.attributes(fd)) : entry;
    }

    private Entry file(int directoryFd, byte[] name) {
        boolean sparse = files.allocatedBytes() < files.size();
        Entry entry =
                Entry.file(name, files.permissions(), files.mtimeSeconds(), files.mtimeNanos(), files.size(), sparse);
        if (!attributes) {
            return entry;
        }
        int fd = files.openAt(directoryFd, name, FileConstants.O_RDONLY, 0);
        try {
            return fd < 0 ? entry : entry.with(files.attributes(fd));
        } finally {
            FileAccess.close(fd);
        }
    }

    private Entry symlink(int directoryFd, byte[] name) {
        long seconds = files.mtimeSeconds();
        int nanos = files.mtimeNanos();
        byte[] target = files.readLink(directoryFd, name);
        return target == null
                ? Entry.skipped(name, TransferFailure.NOT_FOUND)
                : Entry.symlink(name, seconds, nanos, target);
    }

    @Override
    public void close() {
        levels.forEach(level -> FileAccess.close(level.fd));
        levels.clear();
        FileAccess.close(ownedFd);
    }
}
