package dev.sluice.transfer.mount;

import dev.sluice.transfer.files.FileProtocol;

/** A read of the kernel that waits for blocks. Guarded by the mount's lock. */
final class WaitingRead {
    /** The most blocks that a read touches. */
    static final int MAX_BLOCKS = FileProtocol.MAX_DATA_BYTES / BlockCache.BLOCK_BYTES + 1;

    final Block[] blocks = new Block[MAX_BLOCKS];
    int count;
    long unique;
    long offset;
    int bytes;

    /** Returns whether every block has its contents. */
    boolean isComplete() {
        for (int i = 0; i < count; i++) {
            if (blocks[i].isLoading()) {
                return false;
            }
        }
        return true;
    }

    /** Returns the errno of the first block that failed, or 0. */
    int error() {
        for (int i = 0; i < count; i++) {
            if (blocks[i].error != 0) {
                return blocks[i].error;
            }
        }
        return 0;
    }
}
