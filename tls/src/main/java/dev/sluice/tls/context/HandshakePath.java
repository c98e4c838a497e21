package dev.sluice.tls.context;

/** The ways to a server's handshake. */
public enum HandshakePath {
    /** libssl does all handshakes. */
    LIBSSL,
    /**
     * The lean handshake of {@code dev.sluice.tls.lean} answers common ClientHellos of TLS 1.3, and libssl all others.
     * A context with settings that the lean handshake lacks leaves all of them to libssl.
     */
    LEAN
}
