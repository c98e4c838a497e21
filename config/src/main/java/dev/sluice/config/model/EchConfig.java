package dev.sluice.config.model;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Encrypted ClientHello of a listener.
 *
 * @param publicName the host name that clients send in the clear
 * @param directory the directory of the key files
 * @param rotate the time after which the gateway makes a new key; zero: others make the keys
 * @param keep the number of keys that open hellos; the gateway deletes older ones of its own
 */
public record EchConfig(String publicName, Path directory, Duration rotate, int keep) {
    /** The default of {@code rotate}. */
    public static final Duration DEFAULT_ROTATE = Duration.ofDays(7);

    /** The default of {@code keep}. */
    public static final int DEFAULT_KEEP = 3;

    /** The most keys: each is tried for a hello that is none of theirs, and sent with it. */
    public static final int KEEP_MAX = 16;

    /** Returns true where the gateway makes the keys. */
    public boolean rotates() {
        return !rotate.isZero();
    }
}
