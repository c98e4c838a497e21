package dev.sluice.ffi.openssl.agreement;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.ErrorQueue;
import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.EvpPkeyCtx;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibCryptoHandshake;
import dev.sluice.ffi.openssl.raw.LibCryptoOperations;
import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;

/** The agreement on an elliptic curve of OpenSSL; shares are uncompressed points (RFC 8446 section 4.2.8.2). */
final class EllipticAgreement implements KeyAgreement {
    private static final int UNCOMPRESSED = 4;
    private static final int POINTER_OFFSET = 0;
    private static final int LENGTH_OFFSET = 8;
    private static final int SECRET_LENGTH_OFFSET = 16;
    private static final int PUBLIC_NAME_OFFSET = 24;
    private static final int SCRATCH_BYTES = 40;
    /** OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY of openssl/core_names.h. */
    private static final String ENCODED_PUBLIC_NAME = "encoded-pub-key";

    private final String name;
    private final NativeAllocator allocator = new MallocAllocator();
    private final MemorySegment scratch;
    private final long address;
    private final EvpPkeyCtx generator;

    /** Has the parameters of the curve. */
    private final EvpPkey parameters;

    /**
     * Creates an agreement.
     *
     * @param name OpenSSL's name of the curve
     * @throws OpenSslException when this OpenSSL lacks it
     */
    EllipticAgreement(String name) {
        this.name = name;
        this.scratch = allocator.allocate(SCRATCH_BYTES, Long.BYTES);
        this.address = scratch.address();
        scratch.setString(PUBLIC_NAME_OFFSET, ENCODED_PUBLIC_NAME);
        EvpPkeyCtx made = null;
        try {
            made = EvpPkeyCtx.generating("EC", name);
            generator = made;
            parameters = EvpPkey.generateElliptic(name);
        } catch (Throwable t) {
            if (made != null) {
                made.close();
            }
            allocator.free(scratch);
            throw t;
        }
    }

    @Override
    public boolean agree(long peer, int peerBytes, long share, int shareBytes, long secret, int secretBytes) {
        long theirs = peerKey(peer, peerBytes);
        if (theirs == 0) {
            ErrorQueue.clear();
            return false;
        }
        long ours = 0;
        try {
            ours = generate();
            writeShare(ours, share, shareBytes);
            return derive(ours, theirs, secret, secretBytes);
        } finally {
            LibCrypto.EVP_PKEY_free(ours);
            LibCrypto.EVP_PKEY_free(theirs);
        }
    }

    /** Derives the secret of a key pair and a public key, which stay the caller's; false as {@link #agree}. */
    boolean derive(long ours, long theirs, long secret, int secretBytes) {
        long context = LibCryptoOperations.EVP_PKEY_CTX_new(ours, 0);
        try {
            RawMemory.putLong(address + SECRET_LENGTH_OFFSET, secretBytes);
            boolean derived = context != 0
                    && LibCryptoOperations.EVP_PKEY_derive_init(context) == 1
                    && LibCryptoOperations.EVP_PKEY_derive_set_peer(context, theirs) == 1
                    && LibCryptoOperations.EVP_PKEY_derive(context, secret, address + SECRET_LENGTH_OFFSET) == 1;
            return result(derived, secretBytes);
        } finally {
            LibCryptoOperations.EVP_PKEY_CTX_free(context);
        }
    }

    /** Returns the result of an operation on the client's share; a share that fails it leaves no error behind. */
    private boolean result(boolean done, int secretBytes) {
        if (!done) {
            ErrorQueue.clear();
        }
        return done && RawMemory.getLong(address + SECRET_LENGTH_OFFSET) == secretBytes;
    }

    /** Returns the client's public key, which the caller frees; 0 when it is none. */
    long peerKey(long peer, int peerBytes) {
        // OpenSSL would take the hybrid form, too.
        boolean uncompressed = RawMemory.getByte(peer) == UNCOMPRESSED;
        long key = uncompressed ? LibCryptoHandshake.EVP_PKEY_new() : 0;
        boolean valid = key != 0
                && LibCryptoHandshake.EVP_PKEY_copy_parameters(key, parameters.address()) == 1
                && LibCryptoHandshake.EVP_PKEY_set1_encoded_public_key(key, peer, peerBytes) == 1;
        if (valid) {
            return key;
        }
        LibCrypto.EVP_PKEY_free(key);
        return 0;
    }

    private long generate() {
        RawMemory.putLong(address + POINTER_OFFSET, 0);
        if (LibCryptoOperations.EVP_PKEY_generate(generator.address(), address + POINTER_OFFSET) != 1
                || RawMemory.getLong(address + POINTER_OFFSET) == 0) {
            throw OpenSslException.drained("EVP_PKEY_generate of " + name + " failed");
        }
        return RawMemory.getLong(address + POINTER_OFFSET);
    }

    private void writeShare(long ours, long share, int shareBytes) {
        RawMemory.putLong(address + LENGTH_OFFSET, shareBytes);
        int done = LibCryptoHandshake.EVP_PKEY_get_octet_string_param(
                ours, address + PUBLIC_NAME_OFFSET, share, shareBytes, address + LENGTH_OFFSET);
        if (done != 1 || RawMemory.getLong(address + LENGTH_OFFSET) != shareBytes) {
            throw OpenSslException.drained(
                    "the public key of " + name + " cannot be written as " + shareBytes + " bytes");
        }
    }

    @Override
    public void close() {
        generator.close();
        parameters.close();
        allocator.free(scratch);
    }
}
