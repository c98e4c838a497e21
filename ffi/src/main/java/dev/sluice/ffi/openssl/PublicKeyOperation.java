package dev.sluice.ffi.openssl;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibCryptoOperations;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntSupplier;

/**
 * One public-key operation of a handshake, prepared for repeated measurement: the same calls as {@code openssl speed},
 * on contexts created once.
 *
 * <p>Confined to one thread. Owns its contexts and buffers, but not the keys, which must outlive it.
 */
public final class PublicKeyOperation implements AutoCloseable {
    /** Large enough for an RSA signature with 4,096 bits and for an encapsulation of X25519MLKEM768. */
    private static final int BUFFER_BYTES = 4096;

    /** The size of a SHA-256 digest. */
    private static final int DIGEST_BYTES = 32;

    private final String function;
    private final IntSupplier call;
    private final Deque<AutoCloseable> owned;

    private PublicKeyOperation(String function, IntSupplier call, Deque<AutoCloseable> owned) {
        this.function = function;
        this.call = call;
        this.owned = owned;
    }

    /** Prepares the signature of a digest: RSA with the padding of PKCS #1, or ECDSA. */
    public static PublicKeyOperation sign(EvpPkey key) {
        return new Building().sign(key);
    }

    /** Prepares the verification of a digest's signature. */
    public static PublicKeyOperation verify(EvpPkey key) {
        return new Building().verify(key);
    }

    /** Prepares the signature of a 32-byte message with an algorithm that has its own digest, such as Ed25519. */
    public static PublicKeyOperation signMessage(EvpPkey key) {
        return new Building().signMessage(key);
    }

    /** Prepares the verification of such a signature. */
    public static PublicKeyOperation verifyMessage(EvpPkey key) {
        return new Building().verifyMessage(key);
    }

    /** Prepares the derivation of a shared secret: ECDH, X25519. */
    public static PublicKeyOperation derive(EvpPkey key, EvpPkey peer) {
        return new Building().derive(key, peer);
    }

    /**
     * Prepares the generation of a handshake key.
     *
     * @param algorithm OpenSSL's name, such as {@code X25519} or {@code EC}
     * @param group the curve of {@code EC}; "" elsewhere
     */
    public static PublicKeyOperation generate(String algorithm, String group) {
        return new Building().generate(algorithm, group);
    }

    /** Prepares a server's encapsulation to a client's key. */
    public static PublicKeyOperation encapsulate(EvpPkey peer) {
        return new Building().encapsulate(peer);
    }

    /** Prepares a client's decapsulation of the server's answer. */
    public static PublicKeyOperation decapsulate(EvpPkey key) {
        return new Building().decapsulate(key);
    }

    /**
     * Runs the operation once.
     *
     * @throws OpenSslException when OpenSSL refuses
     */
    public void run() {
        if (call.getAsInt() != 1) {
            throw OpenSslException.drained(function + " failed");
        }
    }

    /** Frees contexts and buffers. */
    @Override
    public void close() {
        closeAll(owned);
    }

    private static void closeAll(Deque<AutoCloseable> owned) {
        while (!owned.isEmpty()) {
            try {
                owned.pop().close();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException("native handle threw a checked exception", e);
            }
        }
    }

    /** The resources owned while an operation is being prepared. */
    private static final class Building {
        private final Deque<AutoCloseable> owned = new ArrayDeque<>();
        private final MallocAllocator allocator = new MallocAllocator();
        private final long data = buffer();
        private final long out = buffer();
        private final long other = buffer();
        private final long lengths = buffer();

        private long buffer() {
            MemorySegment memory = allocator.allocate(BUFFER_BYTES, Long.BYTES);
            owned.push(() -> allocator.free(memory));
            return memory.address();
        }

        PublicKeyOperation sign(EvpPkey key) {
            return building(() -> {
                long context = context(key);
                require(LibCryptoOperations.EVP_PKEY_sign_init(context), "EVP_PKEY_sign_init");
                return operation("EVP_PKEY_sign", () -> sign(context));
            });
        }

        private int sign(long context) {
            room(lengths);
            return LibCryptoOperations.EVP_PKEY_sign(context, out, lengths, data, DIGEST_BYTES);
        }

        PublicKeyOperation verify(EvpPkey key) {
            return building(() -> {
                long signing = context(key);
                require(LibCryptoOperations.EVP_PKEY_sign_init(signing), "EVP_PKEY_sign_init");
                require(sign(signing), "EVP_PKEY_sign");
                long length = length(lengths);
                long context = context(key);
                require(LibCryptoOperations.EVP_PKEY_verify_init(context), "EVP_PKEY_verify_init");
                return operation(
                        "EVP_PKEY_verify",
                        () -> LibCryptoOperations.EVP_PKEY_verify(context, out, length, data, DIGEST_BYTES));
            });
        }

        PublicKeyOperation signMessage(EvpPkey key) {
            return building(() -> {
                long context = messageContext();
                return operation("EVP_DigestSign", () -> signMessage(context, key));
            });
        }

        /**
         * Signs a message. The context is initialized each time, as in handshakes: from OpenSSL 3.4 on a context signs
         * once.
         */
        private int signMessage(long context, EvpPkey key) {
            room(lengths);
            return LibCryptoOperations.EVP_DigestSignInit(context, 0, 0, 0, key.address())
                    & LibCryptoOperations.EVP_DigestSign(context, out, lengths, data, DIGEST_BYTES);
        }

        PublicKeyOperation verifyMessage(EvpPkey key) {
            return building(() -> {
                require(signMessage(messageContext(), key), "EVP_DigestSign");
                long length = length(lengths);
                long context = messageContext();
                return operation("EVP_DigestVerify", () -> verifyMessage(context, key, length));
            });
        }

        private int verifyMessage(long context, EvpPkey key, long signatureBytes) {
            return LibCryptoOperations.EVP_DigestVerifyInit(context, 0, 0, 0, key.address())
                    & LibCryptoOperations.EVP_DigestVerify(context, out, signatureBytes, data, DIGEST_BYTES);
        }

        PublicKeyOperation derive(EvpPkey key, EvpPkey peer) {
            return building(() -> {
                long context = context(key);
                require(LibCryptoOperations.EVP_PKEY_derive_init(context), "EVP_PKEY_derive_init");
                require(
                        LibCryptoOperations.EVP_PKEY_derive_set_peer(context, peer.address()),
                        "EVP_PKEY_derive_set_peer");
                return operation("EVP_PKEY_derive", () -> {
                    room(lengths);
                    return LibCryptoOperations.EVP_PKEY_derive(context, out, lengths);
                });
            });
        }

        PublicKeyOperation generate(String algorithm, String group) {
            return building(() -> {
                EvpPkeyCtx made = EvpPkeyCtx.named(algorithm);
                owned.push(made);
                long context = made.address();
                EvpPkey.readyToGenerate(context, group);
                return operation("EVP_PKEY_generate", () -> generate(context));
            });
        }

        private int generate(long context) {
            write(lengths, 0);
            int ok = LibCryptoOperations.EVP_PKEY_generate(context, lengths);
            LibCrypto.EVP_PKEY_free(length(lengths));
            return ok;
        }

        PublicKeyOperation encapsulate(EvpPkey peer) {
            return building(() -> {
                long context = encapsulating(peer);
                return operation("EVP_PKEY_encapsulate", () -> encapsulate(context));
            });
        }

        private long encapsulating(EvpPkey peer) {
            long context = context(peer);
            require(LibCryptoOperations.EVP_PKEY_encapsulate_init(context, 0), "EVP_PKEY_encapsulate_init");
            return context;
        }

        private int encapsulate(long context) {
            room(lengths);
            room(lengths + Long.BYTES);
            return LibCryptoOperations.EVP_PKEY_encapsulate(context, out, lengths, other, lengths + Long.BYTES);
        }

        PublicKeyOperation decapsulate(EvpPkey key) {
            return building(() -> {
                require(encapsulate(encapsulating(key)), "EVP_PKEY_encapsulate");
                long wrapped = length(lengths);
                long context = context(key);
                require(LibCryptoOperations.EVP_PKEY_decapsulate_init(context, 0), "EVP_PKEY_decapsulate_init");
                return operation("EVP_PKEY_decapsulate", () -> {
                    room(lengths);
                    return LibCryptoOperations.EVP_PKEY_decapsulate(context, other, lengths, out, wrapped);
                });
            });
        }

        private long context(EvpPkey key) {
            EvpPkeyCtx context = EvpPkeyCtx.of(key);
            owned.push(context);
            return context.address();
        }

        private long messageContext() {
            EvpMdCtx context = new EvpMdCtx();
            owned.push(context);
            return context.address();
        }

        private PublicKeyOperation operation(String function, IntSupplier call) {
            return new PublicKeyOperation(function, call, owned);
        }

        private PublicKeyOperation building(Step step) {
            try {
                return step.make();
            } catch (RuntimeException | Error e) {
                closeAll(owned);
                throw e;
            }
        }

        private static void room(long at) {
            write(at, BUFFER_BYTES);
        }
    }

    private static void require(int returned, String function) {
        if (returned != 1) {
            throw OpenSslException.drained(function + " failed");
        }
    }

    private static void write(long at, long value) {
        RawMemory.putLong(at, value);
    }

    private static long length(long at) {
        return RawMemory.getLong(at);
    }

    /** One step of preparing an operation; it may fail. */
    @FunctionalInterface
    private interface Step {
        PublicKeyOperation make();
    }
}
