package dev.sluice.ffi.openssl.agreement;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.x25519.X25519Function;
import dev.sluice.ffi.x25519.X25519Library;
import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The agreement by X25519 (RFC 7748): of the process's {@link X25519Library} or, where there is none, of OpenSSL. */
final class X25519Agreement implements KeyAgreement {
    private final NativeAllocator allocator = new MallocAllocator();
    private final X25519Function function;
    private final MemorySegment secretKey;

    /** OpenSSL's implementation, where it is used, which is owned. */
    private final @Nullable OpenSslX25519 own;

    X25519Agreement() {
        this(X25519Library.ofProcess().function());
    }

    /** Creates an agreement by a library's function; null for OpenSSL's. */
    X25519Agreement(@Nullable X25519Function library) {
        if (library == null) {
            OpenSslX25519 made = new OpenSslX25519();
            own = made;
            function = made;
        } else {
            own = null;
            function = library;
        }
        try {
            secretKey = allocator.allocate(X25519Function.BYTES, Long.BYTES);
        } catch (Throwable t) {
            close(own);
            throw t;
        }
    }

    @Override
    public boolean agree(long peer, int peerBytes, long share, int shareBytes, long secret, int secretBytes) {
        if (peerBytes != X25519Function.BYTES
                || shareBytes != X25519Function.BYTES
                || secretBytes != X25519Function.BYTES) {
            return false;
        }
        long key = secretKey.address();
        try {
            function.generate(key, share);
            return function.derive(key, peer, secret);
        } finally {
            RawMemory.zero(key, X25519Function.BYTES);
        }
    }

    private static void close(@Nullable OpenSslX25519 function) {
        if (function != null) {
            function.close();
        }
    }

    @Override
    public void close() {
        close(own);
        allocator.free(secretKey);
    }
}
