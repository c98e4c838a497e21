package dev.sluice.tls;

import org.jspecify.annotations.Nullable;

/** A context cannot be made of what it was given. The message names the value, the cause and the remedy. */
public final class TlsConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message value, cause and remedy */
    public TlsConfigurationException(String message) {
        this(message, null);
    }

    /** The same, with what OpenSSL or the file system said. */
    public TlsConfigurationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
