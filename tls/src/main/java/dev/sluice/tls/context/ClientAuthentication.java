package dev.sluice.tls.context;

import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_VERIFY_NONE;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_VERIFY_PEER;

/** A server's policy on client certificates. */
public enum ClientAuthentication {
    /** Not requested. */
    NONE(SSL_VERIFY_NONE),
    /** Requested; a client may omit it, but a certificate that it sends must verify. */
    OPTIONAL(SSL_VERIFY_PEER),
    /** Required; a client without a verified certificate is rejected. */
    REQUIRED(SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT);

    private final int verifyMode;

    ClientAuthentication(int verifyMode) {
        this.verifyMode = verifyMode;
    }

    int verifyMode() {
        return verifyMode;
    }
}
