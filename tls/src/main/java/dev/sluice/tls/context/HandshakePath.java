package dev.sluice.tls.context;

/** The ways to a server's handshake. */
public enum HandshakePath {
    /** As {@link #LEAN}, but as {@link #LIBSSL} where OpenSSL's configuration requires the FIPS provider. */
    AUTO,
    /**
     * The lean handshake of {@code dev.sluice.tls.lean} answers common ClientHellos of TLS 1.3, and libssl all others.
     * A context with settings that the lean handshake lacks leaves all of them to libssl.
     */
    LEAN,
    /** libssl does all handshakes. */
    LIBSSL
}
