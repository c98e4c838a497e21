package dev.sluice.ffi.openssl.raw;

/** The absence of a usable OpenSSL. The message names the files, the places searched, and the package to install. */
public final class OpenSslNotFoundException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OpenSslNotFoundException(String message) {
        super(message);
    }
}
