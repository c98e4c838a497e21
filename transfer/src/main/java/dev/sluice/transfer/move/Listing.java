package dev.sluice.transfer.move;

/**
 * The files that a source has listed to a target: a walk that starts again, since the first stream was lost, counts
 * from where the one before had come to. Confined to the thread of the first stream.
 */
final class Listing {
    private final TransferProgress progress;
    private long files;
    private long filesOfWalk;

    Listing(TransferProgress progress) {
        this.progress = progress;
    }

    /** Expects the first file of a walk. */
    void begin() {
        filesOfWalk = 0;
    }

    /** Counts a file. */
    void file(long bytes) {
        filesOfWalk++;
        if (filesOfWalk > files) {
            files = filesOfWalk;
            progress.listed(bytes);
        }
    }

    /** Ends the walk. */
    void end() {
        progress.listedAll();
    }
}
