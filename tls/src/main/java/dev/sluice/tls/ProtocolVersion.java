package dev.sluice.tls;

import dev.sluice.ffi.openssl.OpenSslConstants;

/** Protocol versions, the older first. Those before TLS 1.2 are broken and not to be had here. */
public enum ProtocolVersion {
    /** RFC 5246. */
    TLS_1_2(OpenSslConstants.TLS1_2_VERSION),
    /** RFC 8446. */
    TLS_1_3(OpenSslConstants.TLS1_3_VERSION);

    private final int number;

    ProtocolVersion(int number) {
        this.number = number;
    }

    /** The version's number on the wire. */
    int number() {
        return number;
    }
}
