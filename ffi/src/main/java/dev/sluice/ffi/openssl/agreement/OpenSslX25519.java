package dev.sluice.ffi.openssl.agreement;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.ErrorQueue;
import dev.sluice.ffi.openssl.EvpPkeyCtx;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.OsslParam;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibCryptoHandshake;
import dev.sluice.ffi.openssl.raw.LibCryptoOperations;
import dev.sluice.ffi.openssl.raw.LibCryptoProviders;
import dev.sluice.ffi.x25519.KnownAnswers;
import dev.sluice.ffi.x25519.X25519Function;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.memory.OutOfNativeMemoryException;
import java.lang.foreign.MemorySegment;

/**
 * X25519 by OpenSSL, faster than its key generation: a public key is derived from the base point by the function that
 * derives secrets, as RFC 7748 section 6.1 defines it. OpenSSL has assembly for that one, and portable code of the
 * curve's other form for key generation, which takes 1.6 times as long.
 *
 * <p>A secret key is imported together with a public key, since OpenSSL would generate one otherwise. It is the base
 * point, not the real one, and nothing reads it. Where that import does not hold the {@link KnownAnswers}, secret keys
 * are imported alone.
 *
 * <pre>
 *   scratch: | pointer | length | entry: pub | entry: priv | end | entry: pub | end | names | base point |
 * </pre>
 *
 * <p>Confined to one thread. Owns its context and scratch memory.
 */
final class OpenSslX25519 implements X25519Function, AutoCloseable {
    private static final int POINTER_OFFSET = 0;
    private static final int LENGTH_OFFSET = POINTER_OFFSET + Long.BYTES;
    private static final int PAIR_OFFSET = LENGTH_OFFSET + Long.BYTES;
    private static final int SECRET_OFFSET = PAIR_OFFSET + OsslParam.BYTES;
    private static final int PEER_OFFSET = SECRET_OFFSET + 2 * OsslParam.BYTES;
    private static final int PUBLIC_NAME_OFFSET = PEER_OFFSET + 2 * OsslParam.BYTES;
    private static final int SECRET_NAME_OFFSET = PUBLIC_NAME_OFFSET + Long.BYTES;
    private static final int BASE_POINT_OFFSET = SECRET_NAME_OFFSET + Long.BYTES;
    private static final int SCRATCH_BYTES = BASE_POINT_OFFSET + BYTES;

    private static final byte BASE_POINT = 9; // RFC 7748 section 4.1

    // EVP_PKEY_KEYPAIR and EVP_PKEY_PUBLIC_KEY of openssl/evp.h
    private static final int SELECT_PAIR = 0x87;
    private static final int SELECT_PUBLIC = 0x86;

    private final NativeAllocator allocator = new MallocAllocator();
    private final MemorySegment scratch;
    private final long address;
    private final EvpPkeyCtx importer;

    /** The parameters by which a secret key is imported. */
    private final long parameters;

    /** The way of this process's OpenSSL. */
    private static final class Way {
        private static final boolean QUICK = isQuickRight();

        private static boolean isQuickRight() {
            try (OpenSslX25519 tested = new OpenSslX25519(true)) {
                return KnownAnswers.hold(tested);
            } catch (OpenSslException | OutOfNativeMemoryException e) {
                return false; // for want of memory, above all: the other way is always right
            }
        }
    }

    /**
     * Creates the implementation; the first one of a process tests it.
     *
     * @throws OpenSslException when this OpenSSL lacks X25519
     */
    OpenSslX25519() {
        this(Way.QUICK);
    }

    private OpenSslX25519(boolean quick) {
        scratch = allocator.allocate(SCRATCH_BYTES, Long.BYTES);
        address = scratch.address();
        parameters = address + (quick ? PAIR_OFFSET : SECRET_OFFSET);
        try {
            importer = EvpPkeyCtx.importing("X25519");
        } catch (Throwable t) {
            allocator.free(scratch);
            throw t;
        }
        writeParameters();
    }

    /** Returns whether secret keys are imported without generating their public key. */
    boolean isQuick() {
        return parameters == address + PAIR_OFFSET;
    }

    private void writeParameters() {
        scratch.setString(PUBLIC_NAME_OFFSET, "pub"); // OSSL_PKEY_PARAM_PUB_KEY of openssl/core_names.h
        scratch.setString(SECRET_NAME_OFFSET, "priv"); // OSSL_PKEY_PARAM_PRIV_KEY
        RawMemory.putByte(address + BASE_POINT_OFFSET, BASE_POINT);
        octets(PAIR_OFFSET, PUBLIC_NAME_OFFSET);
        octets(SECRET_OFFSET, SECRET_NAME_OFFSET);
        octets(PEER_OFFSET, PUBLIC_NAME_OFFSET);
    }

    private void octets(int entry, int name) {
        OsslParam.set(address + entry, address + name, OsslParam.OCTET_STRING, address + BASE_POINT_OFFSET, BYTES);
    }

    @Override
    public void generate(long secretKey, long publicKey) {
        if (LibCryptoHandshake.RAND_priv_bytes(secretKey, BYTES) != 1) {
            throw OpenSslException.drained("RAND_priv_bytes of an X25519 key failed");
        }
        if (!computed(secretKey, address + BASE_POINT_OFFSET, publicKey)) {
            throw OpenSslException.drained("the public key of X25519 cannot be derived");
        }
    }

    @Override
    public boolean derive(long secretKey, long peer, long secret) {
        boolean derived = computed(secretKey, peer, secret);
        if (!derived) {
            ErrorQueue.clear();
        }
        return derived;
    }

    private boolean computed(long secretKey, long peer, long secret) {
        OsslParam.data(address + SECRET_OFFSET, secretKey);
        OsslParam.data(address + PEER_OFFSET, peer);
        long ours = 0;
        long theirs = 0;
        try {
            ours = imported(SELECT_PAIR, parameters);
            theirs = ours == 0 ? 0 : imported(SELECT_PUBLIC, address + PEER_OFFSET);
            return theirs != 0 && derived(ours, theirs, secret);
        } finally {
            LibCrypto.EVP_PKEY_free(theirs);
            LibCrypto.EVP_PKEY_free(ours);
            OsslParam.data(address + SECRET_OFFSET, 0);
        }
    }

    /** Returns a key, which the caller frees; 0 when OpenSSL refuses it. */
    private long imported(int selection, long from) {
        RawMemory.putLong(address + POINTER_OFFSET, 0);
        int done = LibCryptoProviders.EVP_PKEY_fromdata(importer.address(), address + POINTER_OFFSET, selection, from);
        return done == 1 ? RawMemory.getLong(address + POINTER_OFFSET) : 0;
    }

    private boolean derived(long ours, long theirs, long secret) {
        long context = LibCryptoOperations.EVP_PKEY_CTX_new(ours, 0);
        RawMemory.putLong(address + LENGTH_OFFSET, BYTES);
        boolean derived = context != 0
                && LibCryptoOperations.EVP_PKEY_derive_init(context) == 1
                && LibCryptoOperations.EVP_PKEY_derive_set_peer(context, theirs) == 1
                && LibCryptoOperations.EVP_PKEY_derive(context, secret, address + LENGTH_OFFSET) == 1
                && RawMemory.getLong(address + LENGTH_OFFSET) == BYTES;
        LibCryptoOperations.EVP_PKEY_CTX_free(context);
        return derived;
    }

    @Override
    public void close() {
        importer.close();
        allocator.free(scratch);
    }
}
