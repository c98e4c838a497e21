package dev.sluice.transfer.move;

import dev.sluice.transfer.tree.TransferFailure;

/** An event of a transfer, about one entry. Paths are raw bytes below the root of the target. */
@SuppressWarnings("ArrayRecordComponent")
public sealed interface TransferEvent {
    /** The entry's path. */
    byte[] path();

    /**
     * A file, link or directory that is complete in the target.
     *
     * @param size in bytes; 0 for links and directories
     * @param reusedBytes the bytes that were in the target already
     */
    record Completed(byte[] path, long size, long reusedBytes) implements TransferEvent {}

    /**
     * A file or link that was the same in the target.
     *
     * @param size in bytes
     */
    record Unchanged(byte[] path, long size) implements TransferEvent {}

    /**
     * A file or link that a dry run would have transferred.
     *
     * @param size in bytes
     */
    record Planned(byte[] path, long size) implements TransferEvent {}

    /**
     * An entry that failed; the transfer continues.
     *
     * @param message event, cause and remedy
     */
    record Failed(byte[] path, TransferFailure failure, String message) implements TransferEvent {}
}
