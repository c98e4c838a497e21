package dev.sluice.tls.context;

import dev.sluice.ffi.openssl.raw.OpenSslConstants;

/** Protocol versions, the oldest first. Versions before TLS 1.2 are insecure and not supported. */
public enum ProtocolVersion {
    /** RFC 5246. */
    TLS_1_2(OpenSslConstants.TLS1_2_VERSION),
    /** RFC 8446. */
    TLS_1_3(OpenSslConstants.TLS1_3_VERSION);

    private final int number;

    ProtocolVersion(int number) {
        this.number = number;
    }

    /** Returns the version's number on the wire. */
    public int number() {
        return number;
    }
}
