package dev.sluice.ffi.openssl;

import dev.sluice.ffi.openssl.raw.LibSsl;
import dev.sluice.ffi.openssl.raw.LibSslDetach;
import dev.sluice.ffi.openssl.raw.LibSslSessionSizes;
import dev.sluice.memory.fault.FaultPoint;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A session that a client can resume ({@code SSL_SESSION}). */
public final class SslSession extends NativeHandle {
    SslSession(long address) {
        super(address, "SSL_get1_session", "SSL_SESSION");
    }

    /** Returns another owner of the same session, which the caller closes. */
    public SslSession share() {
        LibSslDetach.SSL_SESSION_up_ref(address());
        return new SslSession(address());
    }

    /** Returns the size of the ticket that resumes the session; 0 where the server sent an id instead. */
    public long ticketBytes() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(2 * Long.BYTES, Long.BYTES);
            LibSslSessionSizes.SSL_SESSION_get0_ticket(address(), out.address(), out.address() + Long.BYTES);
            return out.get(ValueLayout.JAVA_LONG, Long.BYTES);
        }
    }

    /**
     * Returns the size of the session's ASN.1 encoding, the form that is stored outside a process: includes ticket and
     * peer certificate.
     */
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
