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
import org.jspecify.annotations.Nullable;

/**
 * The server's side of an ephemeral key agreement in one group: creates a key pair, derives the secret with the
 * client's share and frees the pair, so that a share is used once (RFC 9846 section 4.3.8). With a key-encapsulation
 * group the share is the encapsulated secret.
 *
 * <p>Confined to one thread. Owns the generator and the group's parameters; {@link #close()} frees them.
 */
public final class KeyAgreement implements AutoCloseable {
    /** The forms of key agreement. */
    public enum Kind {
        /** X25519 and X448: keys are byte strings (RFC 7748). */
        MONTGOMERY,
        /** Points of a curve, uncompressed (RFC 8446 section 4.2.8.2). */
        ELLIPTIC,
        /** A key-encapsulation mechanism: the client's share is a public key. */
        ENCAPSULATION
    }

    private static final int UNCOMPRESSED = 4;
    private static final int POINTER_OFFSET = 0;
    private static final int LENGTH_OFFSET = 8;
    private static final int SECRET_LENGTH_OFFSET = 16;
    private static final int NAME_OFFSET = 24;
    private static final int PUBLIC_NAME_OFFSET = 56;
    private static final int SCRATCH_BYTES = 72;
    /** OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY of openssl/core_names.h. */
    private static final String ENCODED_PUBLIC_NAME = "encoded-pub-key";

    private final Kind kind;
    private final String name;
    private final NativeAllocator allocator = new MallocAllocator();
    private final MemorySegment scratch;
    private final long address;

    /** Creates key pairs; null for encapsulation, which needs none. */
    private final @Nullable EvpPkeyCtx generator;

    /** Has the parameters of the curve; null for the other kinds. */
    private final @Nullable EvpPkey parameters;

    /**
     * Creates an agreement.
     *
     * @param name OpenSSL's name of the algorithm, or of the curve
     * @throws OpenSslException when this OpenSSL lacks it
     */
    public KeyAgreement(Kind kind, String name) {
        this.kind = kind;
        this.name = name;
        this.scratch = allocator.allocate(SCRATCH_BYTES, Long.BYTES);
        this.address = scratch.address();
        scratch.setString(NAME_OFFSET, name);
        scratch.setString(PUBLIC_NAME_OFFSET, ENCODED_PUBLIC_NAME);
        EvpPkeyCtx made = null;
        try {
            made = switch (kind) {
                case MONTGOMERY -> EvpPkeyCtx.generating(name, "");
                case ELLIPTIC -> EvpPkeyCtx.generating("EC", name);
                case ENCAPSULATION -> null;
            };
            generator = made;
            parameters = kind == Kind.ELLIPTIC ? EvpPkey.generateElliptic(name) : null;
        } catch (Throwable t) {
            if (made != null) {
                made.close();
            }
            allocator.free(scratch);
            throw t;
        }
    }

    /**
     * Agrees on a secret with a client.
     *
     * @param peer the client's share, of {@code peerBytes} bytes
     * @param share destination of the server's share, with room for {@code shareBytes} bytes
     * @param secret destination of the secret, with room for {@code secretBytes} bytes; wiped by the caller
     * @return false when the client's share is unusable: not a point of the curve, of low order, or not a key
     * @throws OpenSslException when anything else fails
     */
    public boolean agree(long peer, int peerBytes, long share, int shareBytes, long secret, int secretBytes) {
        return kind == Kind.ENCAPSULATION
                ? encapsulate(peer, peerBytes, share, shareBytes, secret, secretBytes)
                : exchange(peer, peerBytes, share, shareBytes, secret, secretBytes);
    }

    private boolean encapsulate(long peer, int peerBytes, long share, int shareBytes, long secret, int secretBytes) {
        long key = LibCryptoHandshake.EVP_PKEY_new_raw_public_key_ex(0, address + NAME_OFFSET, 0, peer, peerBytes);
        if (key == 0) {
            ErrorQueue.clear();
            return false;
        }
        long context = LibCryptoOperations.EVP_PKEY_CTX_new(key, 0);
        try {
            RawMemory.putLong(address + LENGTH_OFFSET, shareBytes);
            RawMemory.putLong(address + SECRET_LENGTH_OFFSET, secretBytes);
            boolean done = context != 0
                    && LibCryptoOperations.EVP_PKEY_encapsulate_init(context, 0) == 1
                    && LibCryptoOperations.EVP_PKEY_encapsulate(
                                    context, share, address + LENGTH_OFFSET, secret, address + SECRET_LENGTH_OFFSET)
                            == 1;
            return result(done && RawMemory.getLong(address + LENGTH_OFFSET) == shareBytes, secretBytes);
        } finally {
            LibCryptoOperations.EVP_PKEY_CTX_free(context);
            LibCrypto.EVP_PKEY_free(key);
        }
    }

    private boolean exchange(long peer, int peerBytes, long share, int shareBytes, long secret, int secretBytes) {
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
        EvpPkey curve = parameters;
        if (curve == null) {
            return LibCryptoHandshake.EVP_PKEY_new_raw_public_key_ex(0, address + NAME_OFFSET, 0, peer, peerBytes);
        }
        // OpenSSL would take the hybrid form, too.
        boolean uncompressed = RawMemory.getByte(peer) == UNCOMPRESSED;
        long key = uncompressed ? LibCryptoHandshake.EVP_PKEY_new() : 0;
        boolean valid = key != 0
                && LibCryptoHandshake.EVP_PKEY_copy_parameters(key, curve.address()) == 1
                && LibCryptoHandshake.EVP_PKEY_set1_encoded_public_key(key, peer, peerBytes) == 1;
        if (valid) {
            return key;
        }
        LibCrypto.EVP_PKEY_free(key);
        return 0;
    }

    private long generate() {
        RawMemory.putLong(address + POINTER_OFFSET, 0);
        EvpPkeyCtx from = generator;
        if (from == null
                || LibCryptoOperations.EVP_PKEY_generate(from.address(), address + POINTER_OFFSET) != 1
                || RawMemory.getLong(address + POINTER_OFFSET) == 0) {
            throw OpenSslException.drained("EVP_PKEY_generate of " + name + " failed");
        }
        return RawMemory.getLong(address + POINTER_OFFSET);
    }

    private void writeShare(long ours, long share, int shareBytes) {
        RawMemory.putLong(address + LENGTH_OFFSET, shareBytes);
        int done = kind == Kind.MONTGOMERY
                ? LibCryptoHandshake.EVP_PKEY_get_raw_public_key(ours, share, address + LENGTH_OFFSET)
                : LibCryptoHandshake.EVP_PKEY_get_octet_string_param(
                        ours, address + PUBLIC_NAME_OFFSET, share, shareBytes, address + LENGTH_OFFSET);
        if (done != 1 || RawMemory.getLong(address + LENGTH_OFFSET) != shareBytes) {
            throw OpenSslException.drained(
                    "the public key of " + name + " cannot be written as " + shareBytes + " bytes");
        }
    }

    /** Frees the generator and the parameters. */
    @Override
    public void close() {
        if (generator != null) {
            generator.close();
        }
        if (parameters != null) {
            parameters.close();
        }
        allocator.free(scratch);
    }
}
