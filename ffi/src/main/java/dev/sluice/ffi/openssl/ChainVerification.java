package dev.sluice.ffi.openssl;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibCryptoOperations;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A client's verification of a server's certificates, prepared for repeated measurement: decodes them and verifies each
 * signature up to a trusted root. Confined to one thread.
 */
public final class ChainVerification implements AutoCloseable {
    private static final int X509_V_OK = OpenSslConstants.X509_V_OK;

    private final MallocAllocator allocator = new MallocAllocator();
    private final X509Store trusted;
    private final List<MemorySegment> encoded = new ArrayList<>();

    /** The read position of d2i_X509. */
    private final MemorySegment cursor = allocator.allocate(Long.BYTES, Long.BYTES);

    /**
     * Copies its arguments, which the caller keeps.
     *
     * @param sent the server's certificates, its own first
     */
    public ChainVerification(X509 root, List<X509> sent) {
        this.trusted = X509Store.empty();
        trusted.add(root);
        sent.forEach(certificate -> encoded.add(encode(certificate)));
    }

    /** Returns the total size of the sent certificates in DER. */
    public long bytes() {
        return encoded.stream().mapToLong(MemorySegment::byteSize).sum();
    }

    /**
     * Decodes and verifies once.
     *
     * @throws OpenSslException when the chain does not hold
     */
    public void run() {
        long[] certificates = new long[encoded.size()];
        long stack = LibCrypto.OPENSSL_sk_new_null();
        long context = LibCryptoOperations.X509_STORE_CTX_new();
        try {
            for (int i = 0; i < certificates.length; i++) {
                certificates[i] = decode(encoded.get(i));
                LibCrypto.OPENSSL_sk_push(stack, certificates[i]);
            }
            verify(context, certificates[0], stack);
        } finally {
            LibCryptoOperations.X509_STORE_CTX_free(context);
            LibCrypto.OPENSSL_sk_free(stack);
            for (long certificate : certificates) {
                LibCrypto.X509_free(certificate);
            }
        }
    }

    private void verify(long context, long certificate, long others) {
        int ready = LibCryptoOperations.X509_STORE_CTX_init(context, trusted.address(), certificate, others);
        if (ready != 1 || LibCryptoOperations.X509_verify_cert(context) != 1) {
            int error = LibCryptoOperations.X509_STORE_CTX_get_error(context);
            String reason = error == X509_V_OK
                    ? ""
                    : ", " + RawMemory.getString(LibCrypto.X509_verify_cert_error_string(error));
            throw OpenSslException.drained("X509_verify_cert failed" + reason);
        }
    }

    private MemorySegment encode(X509 certificate) {
        int length = LibCryptoOperations.i2d_X509(certificate.address(), 0);
        MemorySegment der = allocator.allocate(length, Long.BYTES);
        RawMemory.putLong(cursor.address(), der.address());
        LibCryptoOperations.i2d_X509(certificate.address(), cursor.address());
        return der;
    }

    private long decode(MemorySegment der) {
        RawMemory.putLong(cursor.address(), der.address());
        long certificate = LibCryptoOperations.d2i_X509(0, cursor.address(), der.byteSize());
        if (certificate == 0) {
            throw OpenSslException.drained("d2i_X509 failed");
        }
        return certificate;
    }

    @Override
    public void close() {
        trusted.close();
        encoded.forEach(allocator::free);
        encoded.clear();
        allocator.free(cursor);
    }
}
