package dev.sluice.cli.gateway;

import java.security.Security;

/**
 * The cache of names in the JVM, which would keep addresses for 30 s, whatever {@code resolve} says, and the want of
 * one for 10 s. A gateway looks names up seldom, and then wants to know.
 */
final class NameCache {
    private NameCache() {}

    /**
     * Turns it off for the whole process: to be called before the first name is looked up, since the JDK reads it once.
     */
    static void turnOff() {
        Security.setProperty("networkaddress.cache.ttl", "0");
        Security.setProperty("networkaddress.cache.negative.ttl", "0");
        Security.setProperty("networkaddress.cache.stale.ttl", "0");
    }
}
