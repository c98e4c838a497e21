package dev.sluice.transfer.tree;

import dev.sluice.ffi.libc.Errno;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The failure of a file or of a transfer. The message names the event, the cause and the remedy. */
public final class TransferException extends IOException {
    private static final long serialVersionUID = 1L;

    private final TransferFailure failure;

    /**
     * Creates the exception.
     *
     * @param event the event, to which the failure's own text is added
     */
    public TransferException(TransferFailure failure, String event) {
        this(failure, event, null);
    }

    /** Creates the exception with the underlying one. */
    public TransferException(TransferFailure failure, String event, @Nullable Throwable cause) {
        super(event + " (" + failure.text() + ")", cause);
        this.failure = failure;
    }

    /** Returns the reason. */
    public TransferFailure failure() {
        return failure;
    }

    /**
     * Creates the exception of a failed system call.
     *
     * @param call the C function
     * @param path the file
     * @param errno as returned by the call, negated or not
     */
    public static TransferException of(String call, byte[] path, int errno) {
        return new TransferException(
                failureOf(errno), call + " failed: path=" + Names.printable(path) + ", " + Errno.describe(errno));
    }

    /**
     * Returns the reason that an error number of a source's file stands for: one that ends the whole transfer at a
     * target fails a single file here.
     */
    public static TransferFailure failureOfFile(int errno) {
        TransferFailure failure = failureOf(errno);
        return failure.scope() == TransferFailure.Scope.SESSION ? TransferFailure.IO_ERROR : failure;
    }

    /** Returns the reason that an error number stands for. */
    public static TransferFailure failureOf(int errno) {
        return switch (Math.abs(errno)) {
            case Errno.ENOENT, Errno.ESTALE, Errno.ENXIO -> TransferFailure.NOT_FOUND;
            case Errno.EACCES, Errno.EPERM -> TransferFailure.PERMISSION_DENIED;
            case Errno.ENOTDIR, Errno.EISDIR, Errno.ELOOP, Errno.ENOTEMPTY -> TransferFailure.OCCUPIED;
            case Errno.EEXIST -> TransferFailure.KEPT;
            case Errno.EAGAIN -> TransferFailure.BUSY;
            case Errno.ENAMETOOLONG -> TransferFailure.TOO_DEEP;
            case Errno.EFBIG -> TransferFailure.FILE_TOO_LARGE;
            case Errno.ENOSPC, Errno.EDQUOT -> TransferFailure.DISK_FULL;
            case Errno.EROFS -> TransferFailure.READ_ONLY;
            case Errno.EMFILE, Errno.ENFILE, Errno.ENOMEM -> TransferFailure.RESOURCES;
            default -> TransferFailure.IO_ERROR;
        };
    }
}
