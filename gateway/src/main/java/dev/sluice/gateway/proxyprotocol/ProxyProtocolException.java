package dev.sluice.gateway.proxyprotocol;

import java.io.IOException;

/** A stream does not start with a valid PROXY header. The message names value, cause and remedy. */
public final class ProxyProtocolException extends IOException {
    private static final long serialVersionUID = 1L;

    ProxyProtocolException(String message) {
        super(message);
    }
}
