package dev.sluice.ffi.openssl;

import dev.sluice.memory.fault.FaultPoint;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A session that a client can resume ({@code SSL_SESSION}). */
public final class SslSession extends NativeHandle {
    SslSession(long address) {
        super(address, "SSL_get1_session", "SSL_SESSION");
    }

    /** The same session with one more owner, who closes what is returned. */
    public SslSession share() {
        LibSslCutOver.SSL_SESSION_up_ref(address());
        return new SslSession(address());
    }

    /** Bytes of the ticket that a client sends to resume it; 0 where the server gave an id and no ticket. */
    public long ticketBytes() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(2 * Long.BYTES, Long.BYTES);
            LibSslSessionSizes.SSL_SESSION_get0_ticket(address(), out.address(), out.address() + Long.BYTES);
            return out.get(ValueLayout.JAVA_LONG, Long.BYTES);
        }
    }

    /** Bytes of its ASN.1 form, which is what is kept outside of a process: ticket and peer certificate included. */
    public int encodedBytes() {
        return LibSslSessionSizes.i2d_SSL_SESSION(address(), 0);
    }

    @Override
    FaultPoint faultPoint() {
        return FaultPoint.LIBSSL;
    }

    @Override
    void free(long nativeAddress) {
        LibSsl.SSL_SESSION_free(nativeAddress);
    }
}
