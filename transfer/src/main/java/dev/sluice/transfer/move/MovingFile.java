package dev.sluice.transfer.move;

/** A file whose contents streams move, seen by the thread that shows the progress. */
interface MovingFile {
    /** Returns the path below the root of the tree. */
    byte[] path();

    /** Returns the size in bytes. */
    long size();

    /** Returns the bytes of its contents that are settled so far. */
    long settledBytes();
}
