package dev.sluice.gateway.config;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.ReadOnlyFileSystemException;

/** The two kinds of reasons for which a configuration cannot be served. */
public enum ProblemKind {
    /**
     * May pass by itself, so that the same attempt succeeds later: a name that does not resolve, an address in use, a
     * file that is not there yet.
     */
    TRANSIENT,
    /** Stays until somebody changes the configuration, or a file that it names. */
    PERMANENT;

    /** Returns the kind of a failure to read or make a file: permanent where permissions, or another file, forbid it. */
    public static ProblemKind of(IOException failure) {
        boolean forbidden = failure instanceof AccessDeniedException
                || failure instanceof FileAlreadyExistsException
                || failure.getCause() instanceof ReadOnlyFileSystemException
                || String.valueOf(failure.getMessage()).contains("Read-only file system");
        return forbidden ? PERMANENT : TRANSIENT;
    }
}
