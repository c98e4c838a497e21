package dev.sluice.tls.context;

import dev.sluice.tls.ticket.TicketKeyRing;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The source of server engines: one {@link TlsContext}, or several behind a {@link ServerNameSelector}.
 *
 * <p>The creator closes it once. Existing engines continue; the contents are freed when the last of them is closed, so
 * that certificates can be replaced under running connections. {@link #close()} may be called from any thread.
 */
public abstract sealed class SharedContext implements AutoCloseable permits TlsContext, ServerNameSelector {
    private final AtomicInteger holders = new AtomicInteger(1);
    private volatile boolean closed;

    SharedContext() {}

    /** Returns the initial context of an engine. */
    public abstract TlsContext entry();

    /**
     * Returns the context for a server name.
     *
     * @param serverName lower case; null when the client sent none
     * @return null for an unknown name
     */
    public abstract @Nullable TlsContext select(@Nullable String serverName);

    /**
     * Returns the configured name that a server name matches: itself, or a wildcard such as {@code *.example.com}.
     *
     * @param serverName lower case
     * @return "" for no match
     */
    public String configuredName(String serverName) {
        return "";
    }

    /**
     * Returns whether bytes begin with a complete ClientHello that offers a ticket whose key is in the context's {@link
     * TicketKeyRing}: its sender most likely resumes a session cheaply. Nothing is verified; a client can offer a
     * forged ticket, and then gets a full handshake.
     *
     * @param address address of the bytes, which are not changed
     * @param length number of bytes
     */
    public final boolean isTicketKnown(long address, int length) {
        TicketKeyRing keys = entry().settings().tickets().keys();
        long name = keys == null ? ClientHelloPeek.NONE : ClientHelloPeek.ticketName(address, length);
        return keys != null && name != ClientHelloPeek.NONE && keys.canOpen(name);
    }

    /** Frees the contents after the last release. */
    abstract void free();

    /**
     * Adds a reference.
     *
     * @throws IllegalStateException after the close
     */
    public final void retain() {
        if (closed) {
            throw new IllegalStateException("TLS context used after its close: " + this);
        }
        holders.incrementAndGet();
    }

    /** Releases a reference. */
    public final void release() {
        if (holders.decrementAndGet() == 0) {
            free();
        }
    }

    /** Releases the creator's reference; no more engines can be created. Idempotent. */
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
