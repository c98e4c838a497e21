package dev.sluice.tls;

import static dev.sluice.ffi.openssl.OpenSslConstants.SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
import static dev.sluice.ffi.openssl.OpenSslConstants.SSL_VERIFY_NONE;
import static dev.sluice.ffi.openssl.OpenSslConstants.SSL_VERIFY_PEER;

/** Whether a server asks clients for a certificate. */
public enum ClientAuthentication {
    /** Not asked for. */
    NONE(SSL_VERIFY_NONE),
    /** Asked for; a client may come without, but one that it sends must verify. */
    OPTIONAL(SSL_VERIFY_PEER),
    /** A client without a certificate that verifies is turned away. */
    REQUIRED(SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT);

    private final int verifyMode;

    ClientAuthentication(int verifyMode) {
        this.verifyMode = verifyMode;
    }

    int verifyMode() {
        return verifyMode;
    }
}
