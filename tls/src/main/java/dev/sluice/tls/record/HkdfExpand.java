package dev.sluice.tls.record;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.raw.LibCryptoAead;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;

/**
 * HKDF-Expand for outputs no longer than the hash, which is HMAC(key, info | 1): RFC 5869 section 2.3. All TLS 1.3
 * derivations are that short.
 *
 * <p>Based on HMAC rather than OpenSSL's HKDF, which looks up its digest by name at every use at a higher cost than the
 * derivation. Confined to one thread. Holds the last key until {@link #forget()}.
 *
 * <pre>
 *   0                    48               96             104
 *   +--------------------+----------------+---------------+
 *   | whole output       | zeros: no key  | output length |
 *   +--------------------+----------------+---------------+
 * </pre>
 */
final class HkdfExpand implements AutoCloseable {
    private static final int ZEROS_OFFSET = Hash.MAX_BYTES;
    private static final int LENGTH_OFFSET = ZEROS_OFFSET + Hash.MAX_BYTES;
    private static final int SCRATCH_BYTES = LENGTH_OFFSET + Long.BYTES;

    private final Hash hash;
    private final NativeAllocator allocator;
    private final Ledger.Account account;
    private final MemorySegment scratch;
    private final HmacContext hmac;

    /**
     * Creates a function for a hash.
     *
     * @throws OpenSslException when this OpenSSL lacks the hash
     */
    HkdfExpand(Hash hash, NativeAllocator allocator, Ledger.Account account) {
        this.hash = hash;
        this.allocator = allocator;
        this.account = account;
        this.scratch = allocator.allocate(SCRATCH_BYTES, Long.BYTES);
        this.hmac = hmacOrFree();
        account.acquired(SCRATCH_BYTES);
    }

    private HmacContext hmacOrFree() {
        try {
            return new HmacContext(hash.opensslName());
        } catch (Throwable t) {
            allocator.free(scratch);
            throw t;
        }
    }

    /**
     * Derives an output.
     *
     * @param key address of {@code hash.bytes()} bytes
     * @param info address of the info, followed by a free byte
     * @param out destination
     * @param length size of the output, at most {@code hash.bytes()}
     */
    void expand(long key, long info, int infoBytes, long out, int length) {
        if (length > hash.bytes()) {
            throw new IllegalArgumentException(
                    "HKDF-Expand of " + length + " bytes exceeds the " + hash.bytes() + " of " + hash);
        }
        RawMemory.putByte(info + infoBytes, (byte) 1);
        long whole = scratch.address();
        long context = hmac.address();
        boolean done = LibCryptoAead.EVP_MAC_init(context, key, hash.bytes(), 0) == 1
                && LibCryptoAead.EVP_MAC_update(context, info, infoBytes + 1L) == 1
                && LibCryptoAead.EVP_MAC_final(context, whole, whole + LENGTH_OFFSET, hash.bytes()) == 1;
        if (!done) {
            hmac.discard();
            throw OpenSslException.drained("HMAC with " + hash.opensslName() + " failed");
        }
        RawMemory.copy(whole, out, length);
    }

    /** Wipes the last key and output. */
    void forget() {
        RawMemory.zero(scratch.address(), hash.bytes());
        hmac.forget(scratch.address() + ZEROS_OFFSET, hash.bytes());
    }

    /** Wipes and frees all memory. */
    @Override
    public void close() {
        hmac.close();
        scratch.fill((byte) 0);
        allocator.free(scratch);
        account.released(SCRATCH_BYTES);
    }
}
