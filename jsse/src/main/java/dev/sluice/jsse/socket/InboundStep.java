package dev.sluice.jsse.socket;

/** The result of the attempt to open one record. */
enum InboundStep {
    /** Plaintext was delivered. */
    DATA,
    /** A record without plaintext was consumed, or more bytes of a record arrived. */
    PROGRESS,
    /** The target was too small for the plaintext; nothing was consumed. */
    OVERFLOW,
    /** No data will follow. */
    END
}
