package dev.sluice.net.peer;

import dev.sluice.net.ConnectionFailure;

/** The rejection of the peer's certificate by this side: of another host, expired, of an unknown authority. */
public final class CertificateRejectedException extends HandshakeFailedException {
    private static final long serialVersionUID = 1L;

    CertificateRejectedException(Stage stage, ConnectionFailure failure) {
        super(stage, failure);
    }
}
