package dev.sluice.transfer.protocol;

import java.io.IOException;

/**
 * A stream of bytes in each direction, whose memory is described as iovecs so that system calls on files fill and drain
 * it in place. One thread at a time sends, and one receives.
 */
public interface Wire extends AutoCloseable {
    /**
     * Describes free memory for the next bytes to send, at {@link #areas()}; sends what is there when there is none.
     *
     * @param bytes at most this many, at least 1
     * @return the bytes described, at least 1
     */
    int gather(int bytes) throws IOException;

    /** Returns the address of the iovecs of the last {@link #gather}. */
    long areas();

    /** Returns their number. */
    int areaCount();

    /** Accounts for bytes written to the areas, from the front. */
    void filled(int bytes);

    /** Begins a new piece: what is filled next does not share one with what was filled before. */
    void separate();

    /** Sends what was filled. */
    void flush() throws IOException;

    /** Returns whether received bytes are here, so that {@link #scatter} does not block. */
    boolean hasPieces();

    /**
     * Describes the next received bytes, at {@link #pieces()}; blocks until there are some.
     *
     * @param bytes at most this many, at least 1
     * @return the bytes described; 0 at the authenticated end of the stream
     */
    int scatter(int bytes) throws IOException;

    /** Returns the address of the iovecs of the last {@link #scatter}. */
    long pieces();

    /** Returns their number. */
    int pieceCount();

    /** Removes received bytes from the front. */
    void taken(int bytes);

    /** Sends what was filled, and ends the stream that is sent. Idempotent. */
    void finish() throws IOException;

    /** Ends both streams at once; calls of other threads fail. May be called from any thread. */
    void abort();

    /** Frees the memory. Idempotent. */
    @Override
    void close();
}
