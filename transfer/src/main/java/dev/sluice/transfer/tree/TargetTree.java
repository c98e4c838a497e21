package dev.sluice.transfer.tree;

import dev.sluice.ffi.libc.FileConstants;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The directory that receives a tree. Thread-safe; each thread writes by its own {@link TargetFiles}. */
public final class TargetTree implements AutoCloseable {
    private final int rootFd;
    private final TargetPolicy policy;
    private final TargetDirectory root = TargetDirectory.root();

    private TargetTree(int rootFd, TargetPolicy policy) {
        this.rootFd = rootFd;
        this.policy = policy;
    }

    /**
     * Opens an existing directory.
     *
     * @throws TransferException when it cannot be opened
     */
    public static TargetTree open(Path directory, TargetPolicy policy) throws TransferException {
        try (FileAccess files = new FileAccess()) {
            int fd = files.openTrusted(directory, FileConstants.O_DIRECTORY);
            if (fd < 0) {
                throw TransferException.of("open", directory.toString().getBytes(StandardCharsets.UTF_8), fd);
            }
            return new TargetTree(fd, policy);
        }
    }

    /** Returns the root's directory. */
    public TargetDirectory root() {
        return root;
    }

    int rootFd() {
        return rootFd;
    }

    TargetPolicy policy() {
        return policy;
    }

    /** Closes the directory; no file may be in progress. */
    @Override
    public void close() {
        FileAccess.close(rootFd);
    }
}
