package dev.sluice.ffi.openssl.agreement;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.ErrorQueue;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibCryptoHandshake;
import dev.sluice.ffi.openssl.raw.LibCryptoOperations;
import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;

/** The agreement by a key-encapsulation mechanism of OpenSSL: the client's share is a public key. */
final class EncapsulatedAgreement implements KeyAgreement {
    private static final int LENGTH_OFFSET = 0;
    private static final int SECRET_LENGTH_OFFSET = 8;
    private static final int NAME_OFFSET = 16;
    private static final int SCRATCH_BYTES = 48;

    private final NativeAllocator allocator = new MallocAllocator();
    private final MemorySegment scratch;
    private final long address;

    /**
     * Creates an agreement.
     *
     * @param name OpenSSL's name of the mechanism
     */
    EncapsulatedAgreement(String name) {
        this.scratch = allocator.allocate(SCRATCH_BYTES, Long.BYTES);
        this.address = scratch.address();
        scratch.setString(NAME_OFFSET, name);
    }

    @Override
    public boolean agree(long peer, int peerBytes, long share, int shareBytes, long secret, int secretBytes) {
        long key = LibCryptoHandshake.EVP_PKEY_new_raw_public_key_ex(0, address + NAME_OFFSET, 0, peer, peerBytes);
        long context = key == 0 ? 0 : LibCryptoOperations.EVP_PKEY_CTX_new(key, 0);
        try {
            RawMemory.putLong(address + LENGTH_OFFSET, shareBytes);
            RawMemory.putLong(address + SECRET_LENGTH_OFFSET, secretBytes);
            boolean done = context != 0
                    && LibCryptoOperations.EVP_PKEY_encapsulate_init(context, 0) == 1
                    && LibCryptoOperations.EVP_PKEY_encapsulate(
                                    context, share, address + LENGTH_OFFSET, secret, address + SECRET_LENGTH_OFFSET)
                            == 1
                    && RawMemory.getLong(address + LENGTH_OFFSET) == shareBytes
                    && RawMemory.getLong(address + SECRET_LENGTH_OFFSET) == secretBytes;
            if (!done) {
                ErrorQueue.clear();
            }
            return done;
        } finally {
            LibCryptoOperations.EVP_PKEY_CTX_free(context);
            LibCrypto.EVP_PKEY_free(key);
        }
    }

    @Override
    public void close() {
        allocator.free(scratch);
    }
}
