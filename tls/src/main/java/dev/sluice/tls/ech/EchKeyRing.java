package dev.sluice.tls.ech;

import dev.sluice.ffi.openssl.EchStore;
import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.ffi.openssl.SslCtx;
import org.jspecify.annotations.Nullable;

/**
 * The keys for Encrypted ClientHello of any number of server contexts, which take new ones when they create their next
 * connection. Owns the keys; any thread may use it.
 */
public final class EchKeyRing implements AutoCloseable {
    private volatile int generation;
    private @Nullable EchStore store;

    /** Creates a ring without keys: extensions are ignored. */
    public EchKeyRing() {}

    /** Replaces the keys; connections that were created before keep theirs. */
    public synchronized void install(EchStore keys) {
        close();
        store = keys;
        generation++;
    }

    /** Returns the number of times that keys were installed. */
    public int generation() {
        return generation;
    }

    /** Copies the current keys into a context, which no other thread uses meanwhile; returns their generation. */
    public synchronized int useIn(SslCtx context) {
        EchStore current = store;
        if (current != null) {
            context.echKeys(current);
        }
        return generation;
    }

    /** Returns the outcome for a server's connection whose context has keys. */
    public static EchOutcome outcome(Ssl ssl) {
        EchStore.Status status = ssl.echStatus();
        return switch (status.result()) {
            case ABSENT -> EchOutcome.ABSENT;
            case REJECTED -> EchOutcome.REJECTED;
            case ACCEPTED -> {
                String outer = status.outerName();
                yield EchOutcome.accepted(outer == null ? "" : outer);
            }
        };
    }

    /** Frees the keys; contexts keep the copies that they have. */
    @Override
    public synchronized void close() {
        EchStore old = store;
        if (old != null) {
            old.close();
            store = null;
        }
    }
}
