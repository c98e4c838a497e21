package dev.sluice.tls.failure;

import org.jspecify.annotations.Nullable;

/** An invalid context configuration. The message names the value, the cause and the remedy. */
public final class TlsConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message value, cause and remedy
     */
    public TlsConfigurationException(String message) {
        this(message, null);
    }

    /** Creates the exception with the error of OpenSSL or the file system. */
    public TlsConfigurationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
