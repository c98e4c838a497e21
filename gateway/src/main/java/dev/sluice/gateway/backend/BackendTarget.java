package dev.sluice.gateway.backend;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.tls.context.TlsContext;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The part of a backend that all loops share: health and addresses of its servers, and the TLS context of connections
 * to them. A client's context is only read once it is made, and TLS sessions belong to the loops, so that sharing it
 * costs nothing. Thread-safe.
 *
 * <p>Its maker and each loop's {@link BackendPool} hold it; the last holder to let go frees the context.
 */
public final class BackendTarget {
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

    /** Returns the addresses of the servers. */
    ServerAddresses addresses() {
        return addresses;
    }

    public BackendConfig config() {
        return config;
    }

    BackendHealth health() {
        return health;
    }

    /** Returns the context of client engines, valid for holders of this object; null without TLS. */
    @Nullable
    TlsContext tls() {
        return tls;
    }

    void hold() {
        holders.incrementAndGet();
    }

    /** Returns true until the last holder has let go. */
    boolean isHeld() {
        return holders.get() > 0;
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
