package dev.sluice.cli.gateway;

import java.security.Security;

/**
 * The JVM's cache of names, which keeps addresses for 30 s, whatever {@code resolve} says, and failures for 10 s. A
 * gateway looks names up rarely, and then needs the current address.
 */
final class NameCache {
    private NameCache() {}

    /**
     * Disables the cache for the whole process; called before the first look-up, since the JDK reads the setting once.
     */
    static void turnOff() {
        Security.setProperty("networkaddress.cache.ttl", "0");
        Security.setProperty("networkaddress.cache.negative.ttl", "0");
        Security.setProperty("networkaddress.cache.stale.ttl", "0");
    }
}
