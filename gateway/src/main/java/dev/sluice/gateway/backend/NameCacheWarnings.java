package dev.sluice.gateway.backend;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.yaml.Addresses;
import java.security.Security;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Warnings of a JVM that keeps the addresses of names for longer than the configuration wants them looked up again. The
 * gateway's own process has no such cache; a program that embeds the gateway decides itself.
 */
public final class NameCacheWarnings {
    static final String PROPERTY = "networkaddress.cache.ttl";

    /** The JDK's default, where nothing is configured. */
    private static final int DEFAULT_SECONDS = 30;

    private static final int FOREVER = -1;

    private NameCacheWarnings() {}

    public static List<String> of(GatewayConfig config) {
        int seconds = seconds(Security.getProperty(PROPERTY), System.getProperty("sun.net.inetaddr.ttl"));
        return config.backends().stream()
                .filter(backend -> isTooLong(seconds, backend))
                .map(backend -> "backend " + backend.name() + ": resolve is "
                        + backend.resolve().toSeconds() + "s, but this JVM keeps the addresses of names "
                        + (seconds == FOREVER ? "for ever" : "for " + seconds + "s") + " (security property " + PROPERTY
                        + "); set it to 0 before the first name is looked up")
                .toList();
    }

    private static boolean isTooLong(int seconds, BackendConfig backend) {
        return !backend.resolve().isZero()
                && backend.addresses().stream().anyMatch(server -> Addresses.nameOf(server) != null)
                && (seconds == FOREVER || seconds > backend.resolve().toSeconds());
    }

    /** Returns for how many seconds the JDK keeps addresses, as it reads these properties. */
    static int seconds(@Nullable String... properties) {
        for (String property : properties) {
            try {
                return Math.max(Integer.parseInt(property), FOREVER);
            } catch (NumberFormatException unset) {
                // The next one, then.
            }
        }
        return DEFAULT_SECONDS;
    }
}
