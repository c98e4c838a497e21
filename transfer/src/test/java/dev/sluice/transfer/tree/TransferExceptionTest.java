package dev.sluice.transfer.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.Errno;
import org.junit.jupiter.api.Test;

/** The reasons that error numbers stand for. */
final class TransferExceptionTest {
    /** A target takes the end of the session in an answer about a file for a breach of the protocol. */
    @Test
    void aFileOfASourceNeverFailsForTheWholeSession() {
        for (int errno = 1; errno < 134; errno++) {
            assertThat(TransferException.failureOfFile(-errno).scope())
                    .as("errno=" + errno)
                    .isEqualTo(TransferFailure.Scope.FILE);
        }
        assertThat(TransferException.failureOfFile(-Errno.ENOMEM)).isEqualTo(TransferFailure.IO_ERROR);
        assertThat(TransferException.failureOfFile(-Errno.EACCES)).isEqualTo(TransferFailure.PERMISSION_DENIED);
    }
}
