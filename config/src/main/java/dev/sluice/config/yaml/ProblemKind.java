package dev.sluice.config.yaml;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.ReadOnlyFileSystemException;

/** The kinds of problems of a configuration. */
public enum ProblemKind {
    /**
     * May pass without a change, so that a retry succeeds: a name that does not resolve, an address in use, a file that
     * does not exist yet.
     */
    TRANSIENT,
    /** Stays until the configuration, or a file that it names, is changed. */
    PERMANENT;

    /** Returns the kind of a failure to read or create a file: permanent when permissions or another file forbid it. */
    public static ProblemKind of(IOException failure) {
        boolean forbidden = failure instanceof AccessDeniedException
                || failure instanceof FileAlreadyExistsException
                || failure.getCause() instanceof ReadOnlyFileSystemException
                || String.valueOf(failure.getMessage()).contains("Read-only file system");
        return forbidden ? PERMANENT : TRANSIENT;
    }
}
