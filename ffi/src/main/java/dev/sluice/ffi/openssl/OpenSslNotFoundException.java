package dev.sluice.ffi.openssl;

/** No usable OpenSSL. The message names what was looked for, where, and what to install. */
public final class OpenSslNotFoundException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OpenSslNotFoundException(String message) {
        super(message);
    }
}
