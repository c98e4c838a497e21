package dev.sluice.jsse.context;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The settings of OCSP stapling at servers: the system properties of the JSSE Reference Guide. {@code
 * jdk.tls.stapling.ignoreExtensions} has no effect, since a client's OCSP extensions are never forwarded.
 *
 * @param responder the responder to ask; null for none but those that certificates name
 * @param preference the cases in which that one is asked
 * @param timeoutMillis the time that a handshake waits for a response
 * @param cacheEntries the most responses that are kept; 0 for any number
 * @param cacheSeconds the longest time that a response is kept; 0 for as long as it is valid
 */
record StaplingSettings(
        @Nullable URI responder, Preference preference, long timeoutMillis, int cacheEntries, long cacheSeconds) {
    /** The cases in which a configured responder is asked. */
    enum Preference {
        ALWAYS,
        WITHOUT_OTHERS
    }

    private static final String PREFIX = "jdk.tls.stapling.";
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final int CACHE_ENTRIES = 256;
    private static final int CACHE_SECONDS = 3_600;

    /**
     * Returns how long a response is kept.
     *
     * @param validSeconds the time until its nextUpdate; {@link Long#MAX_VALUE} if it has none
     */
    long secondsToKeep(long validSeconds) {
        if (cacheSeconds > 0) {
            return Math.min(validSeconds, cacheSeconds);
        }
        return validSeconds == Long.MAX_VALUE ? 0 : validSeconds;
    }

    /** Returns whether servers staple: {@code jdk.tls.server.enableStatusRequestExtension}, false by default. */
    static boolean isEnabled() {
        return Boolean.getBoolean("jdk.tls.server.enableStatusRequestExtension");
    }

    /** Reads the properties; a value that cannot be read counts as absent, as in the JDK. */
    static StaplingSettings read() {
        return new StaplingSettings(
                responder(System.getProperty(PREFIX + "responderURI")),
                Boolean.getBoolean(PREFIX + "responderOverride") ? Preference.ALWAYS : Preference.WITHOUT_OTHERS,
                atLeast(1, Integer.getInteger(PREFIX + "responseTimeout", TIMEOUT_MILLIS)),
                atLeast(0, Integer.getInteger(PREFIX + "cacheSize", CACHE_ENTRIES)),
                atLeast(0, Integer.getInteger(PREFIX + "cacheLifetime", CACHE_SECONDS)));
    }

    private static int atLeast(int least, int value) {
        return Math.max(least, value);
    }

    private static @Nullable URI responder(@Nullable String text) {
        try {
            return text == null || text.isEmpty() ? null : URI.create(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
