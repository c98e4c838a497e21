package dev.sluice.tls;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What server engines are made of: one {@link TlsContext}, or several behind a {@link ServerNameSelector}.
 *
 * <p>Its maker closes it once. Engines made before go on; what it holds is freed when the last of them is closed, so that
 * certificates can be replaced under running connections. {@link #close()} may be called from any thread.
 */
public abstract sealed class SharedContext implements AutoCloseable permits TlsContext, ServerNameSelector {
    private final AtomicInteger holders = new AtomicInteger(1);
    private volatile boolean closed;

    SharedContext() {}

    /** The context that an engine begins with. */
    abstract TlsContext entry();

    /**
     * The context for a server name.
     *
     * @param serverName lower case; null when the client sent none
     * @return null when nobody answers to the name
     */
    abstract @Nullable TlsContext select(@Nullable String serverName);

    /**
     * The configured name that a server name comes to here: itself, or a wildcard such as {@code *.example.com}.
     *
     * @param serverName lower case
     * @return "" when no name leads anywhere of its own here
     */
    public String configuredName(String serverName) {
        return "";
    }

    /**
     * Whether bytes begin with a whole ClientHello that offers a ticket whose key is in the context's
     * {@link TicketKeyRing}: its sender most likely resumes a session, and its handshake is cheap. Nothing is verified;
     * whoever has once seen a ticket can offer a forged one, and gets a full handshake then.
     *
     * @param address of the bytes; nothing is changed there
     * @param length how many there are
     */
    public final boolean isTicketKnown(long address, int length) {
        TicketKeyRing keys = entry().settings().tickets().keys();
        long name = keys == null ? ClientHelloPeek.NONE : ClientHelloPeek.ticketName(address, length);
        return keys != null && name != ClientHelloPeek.NONE && keys.canOpen(name);
    }

    /** Frees what is held, once the last holder is gone. */
    abstract void free();

    /**
     * One more holder.
     *
     * @throws IllegalStateException when it was closed
     */
    final void retain() {
        if (closed) {
            throw new IllegalStateException("TLS context used after its close: " + this);
        }
        holders.incrementAndGet();
    }

    /** One holder less. */
    final void release() {
        if (holders.decrementAndGet() == 0) {
            free();
        }
    }

    /** No more engines will be made. Again without effect. */
    @Override
    public final void close() {
        synchronized (holders) {
            if (closed) {
                return;
            }
            closed = true;
        }
        release();
    }
}
