package dev.sluice.gateway;

import dev.sluice.gateway.backend.BackendHealth;
import dev.sluice.gateway.config.BackendConfig;
import dev.sluice.tls.TlsContext;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What all loops share of a backend: how its servers are, and what TLS connections to them are made of. A client's context is
 * only read once it is made, and sessions belong to the loops, so that sharing it costs nothing. Thread-safe.
 *
 * <p>Its maker and each loop's {@link BackendPool} hold it; the context is freed with the last of them.
 */
final class BackendTarget {
    private final BackendConfig config;
    private final BackendHealth health;
    private final @Nullable TlsContext tls;
    private final ServerAddresses addresses;
    private final AtomicInteger holders = new AtomicInteger(1);

    /**
     * Makes one.
     *
     * @param addresses this object's from now on
     * @param tls this object's from now on; null without TLS
     */
    BackendTarget(BackendConfig config, BackendHealth health, ServerAddresses addresses, @Nullable TlsContext tls) {
        this.config = config;
        this.health = health;
        this.addresses = addresses;
        this.tls = tls;
    }

    /** Where the servers are. */
    ServerAddresses addresses() {
        return addresses;
    }

    BackendConfig config() {
        return config;
    }

    BackendHealth health() {
        return health;
    }

    /** What client engines are made of, by those who hold this; null without TLS. */
    @Nullable
    TlsContext tls() {
        return tls;
    }

    void hold() {
        holders.incrementAndGet();
    }

    void release() {
        if (holders.decrementAndGet() > 0) {
            return;
        }
        addresses.close();
        if (tls != null) {
            tls.close();
        }
    }
}
