package dev.sluice.tls;

import dev.sluice.ffi.MallocAllocator;
import dev.sluice.ffi.openssl.LibCryptoAead;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.SslCtx;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * How server contexts take early data (RFC 8446 section 4.2.10): how much, and who decides. Contexts that share a policy put
 * the same random mark into their tickets, by which {@link EarlyDataOffer#ownTicket} knows them again: tickets of another
 * process, or of before a restart, carry another.
 *
 * <p>May be used from any thread; closed after the last connection of its contexts.
 */
public final class EarlyDataPolicy implements AutoCloseable {
    /**
     * Most early data of one connection that can be allowed: what a server of OpenSSL with its defaults is ready to skip, so
     * that whoever takes over from this one does not break connections that it only means to refuse early data.
     */
    public static final int MAX_BYTES = 16_384;

    /**
     * By how much libssl lets the ticket's age as the client tells it and its age by our clock differ: so long after its first
     * arrival, and a second of rounding, a copy of a ClientHello is refused by itself (TICKET_AGE_ALLOWANCE).
     */
    public static final Duration FRESHNESS = Duration.ofSeconds(10);

    private final int maxBytes;
    private final EarlyDataGate gate;
    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment mark;
    private boolean closed;

    /**
     * Makes a policy.
     *
     * @param maxBytes most early data of one connection, 1 to {@link #MAX_BYTES}; more breaks the connection
     */
    public EarlyDataPolicy(int maxBytes, EarlyDataGate gate) {
        if (maxBytes < 1 || maxBytes > MAX_BYTES) {
            throw new TlsConfigurationException(
                    "early data must have a limit from 1 to " + MAX_BYTES + " bytes, maxBytes=" + maxBytes);
        }
        this.maxBytes = maxBytes;
        this.gate = gate;
        this.mark = allocator.allocate(SslCtx.TICKET_MARK_BYTES, Long.BYTES);
        if (LibCryptoAead.RAND_bytes(mark.address(), SslCtx.TICKET_MARK_BYTES) != 1) {
            close();
            throw OpenSslException.drained("RAND_bytes of a ticket mark failed");
        }
    }

    /** Most early data of one connection, in bytes. */
    public int maxBytes() {
        return maxBytes;
    }

    EarlyDataGate gate() {
        return gate;
    }

    /** Where the mark lies. */
    long mark() {
        return mark.address();
    }

    /** Frees the mark. Again without effect. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            allocator.free(mark);
        }
    }
}
