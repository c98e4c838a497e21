package dev.sluice.tls.context;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.raw.LibCryptoAead;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * The early-data policy of server contexts (RFC 8446 section 4.2.10): the limit and the decision. Contexts that share a
 * policy put the same random mark into their tickets, which {@link EarlyDataOffer#ownTicket} recognizes; tickets of
 * another process, or from before a restart, carry another mark.
 *
 * <p>May be used from any thread; closed after the last connection of its contexts.
 */
public final class EarlyDataPolicy implements AutoCloseable {
    /**
     * The highest limit: the most that an OpenSSL server skips by default, so that a successor which only rejects early
     * data does not break connections.
     */
    public static final int MAX_BYTES = 16_384;

    /**
     * The tolerance of libssl between the reported and the actual ticket age: a copy of a ClientHello that arrives
     * later than this, plus a second of rounding, is rejected by libssl (TICKET_AGE_ALLOWANCE).
     */
    public static final Duration FRESHNESS = Duration.ofSeconds(10);

    private final int maxBytes;
    private final EarlyDataGate gate;
    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment mark;
    private boolean closed;

    /**
     * Creates a policy.
     *
     * @param maxBytes maximum early data of one connection, 1 to {@link #MAX_BYTES}; more breaks the connection
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

    /** Returns the maximum early data of one connection, in bytes. */
    public int maxBytes() {
        return maxBytes;
    }

    public EarlyDataGate gate() {
        return gate;
    }

    /** Returns the address of the mark. */
    public long mark() {
        return mark.address();
    }

    /** Frees the mark. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            allocator.free(mark);
        }
    }
}
