package dev.sluice.gateway;

/** Has the configuration read again: what {@code reload} at the admin socket asks for. */
@FunctionalInterface
public interface ReloadRequest {
    /**
     * Reads it again, and waits until it is served.
     *
     * @return what is served now, and what takes a restart, in lines for people
     * @throws RefusedException when what was served goes on
     */
    String reload() throws RefusedException;

    /** The configuration cannot be served; the message tells all that is wrong with it. */
    final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        /** @param message what is wrong */
        public RefusedException(String message) {
            super(message);
        }
    }
}
