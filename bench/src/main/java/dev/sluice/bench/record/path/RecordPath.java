package dev.sluice.bench.record.path;

/**
 * One way to carry TLS 1.3 records from one end of a connection to the other, with payloads of one size. Confined to
 * one thread.
 */
interface RecordPath extends AutoCloseable {
    /** Records that are sealed at a time, to be opened later. */
    int BATCH = 32;

    /** Seals one record without opening it. Not to be mixed with the other calls: the ends are out of step after it. */
    int seal();

    /** Seals {@value #BATCH} records. */
    void sealBatch();

    /** Opens the batch of {@link #sealBatch}. */
    int openBatch();

    /** Seals one record and opens it. */
    int sealAndOpen();

    @Override
    void close();

    /** Fails for an incorrectly carried record, which invalidates the figures. */
    static void require(boolean carried, String what) {
        if (!carried) {
            throw new IllegalStateException(what + " failed, so this path does not carry records");
        }
    }
}
