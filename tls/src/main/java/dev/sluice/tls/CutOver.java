package dev.sluice.tls;

/** Whether a connection left libssl when its handshake was complete, and if not, why. */
public enum CutOver {
    /** It did: its records are sealed and opened in place from now on. */
    DIRECT,
    /** It is a client's: libssl still reads the session tickets that may come. */
    CLIENT,
    /** The suite is not an AEAD suite that we carry, or the version is older than TLS 1.2. */
    SUITE,
    /** The key log did not deliver the secrets. */
    SECRETS_MISSING,
    /**
     * libssl had taken bytes behind the handshake, or had more to send than could be told apart, or its ring was lent to
     * a receive that was under way.
     */
    BYTES_HELD
}
