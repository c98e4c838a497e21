package dev.sluice.tls;

/** Whether a connection left libssl, and if not, why. */
public enum CutOver {
    /** It did: its records are sealed and opened in place from then on. */
    DIRECT,
    /** A client's, with TLS 1.3: its server has not sent a session ticket yet, which libssl must read. */
    TICKET_AWAITED,
    /** The suite is not an AEAD suite that we carry, or the version is older than TLS 1.2. */
    SUITE,
    /** The key log did not deliver the secrets. */
    SECRETS_MISSING,
    /**
     * libssl had taken bytes behind the handshake, or had more to send than could be told apart, or its ring was lent to
     * a receive that was under way. A client tries again with its next read.
     */
    BYTES_HELD,
    /** All record buffers were leased, and none was left to move the bytes that are under way. */
    NO_BUFFER
}
