package dev.sluice.gateway.reload;

import org.jspecify.annotations.Nullable;

/**
 * A request to reload the configuration and to show the active one, as {@code reload} at the admin socket and endpoint
 * makes it.
 */
@FunctionalInterface
public interface ReloadRequest {
    /**
     * Reads it again, and waits until it is served.
     *
     * @return what is served now, and what takes a restart, in lines for people
     * @throws RefusedException when what was served goes on
     */
    String reload() throws RefusedException;

    /**
     * Returns the active configuration as {@code sluice check --effective} prints it; null when it is not known.
     *
     * @throws RefusedException when it cannot be told now, such as when a file that it names is gone
     */
    default @Nullable String effective() throws RefusedException {
        return null;
    }

    /** The configuration cannot be served, or told; the message tells all that is wrong with it. */
    final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        /**
         * Creates an exception with its message.
         *
         * @param message what is wrong
         */
        public RefusedException(String message) {
            super(message);
        }
    }
}
