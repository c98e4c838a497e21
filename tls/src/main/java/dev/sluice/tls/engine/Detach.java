package dev.sluice.tls.engine;

/** The outcomes of detaching a connection from libssl. */
public enum Detach {
    /** It did: its records are sealed and opened in place from then on. */
    DIRECT,
    /** A TLS 1.3 client is waiting for a session ticket, which libssl must read. */
    TICKET_AWAITED,
    /** The suite is not a supported AEAD suite, or the version is older than TLS 1.2. */
    SUITE,
    /** The key log did not deliver the secrets. */
    SECRETS_MISSING,
    /**
     * libssl had received bytes beyond the handshake, had unsent bytes that could not be told apart, or its ring was in
     * use by a pending receive. A client retries with its next read.
     */
    BYTES_HELD,
    /** No record buffer was free for the bytes in transit. */
    NO_BUFFER
}
