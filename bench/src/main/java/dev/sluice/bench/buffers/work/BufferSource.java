package dev.sluice.bench.buffers.work;

/**
 * One way to allocate buffers of one size.
 *
 * @param <B> the buffer
 */
interface BufferSource<B> extends AutoCloseable {
    /** The distance of the bytes that {@link #touch} writes: a page. */
    int PAGE_BYTES = 4096;

    /** Returns a new buffer. */
    B allocate();

    /** Frees a buffer; does nothing where only the collector or the end of the source does. */
    void free(B buffer);

    /** Writes a byte to each page. */
    void touch(B buffer);

    /** Fills a buffer with zeros; does nothing where it is full of zeros when it is allocated. */
    void zero(B buffer);

    @Override
    default void close() {}
}
