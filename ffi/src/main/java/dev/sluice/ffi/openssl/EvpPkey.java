package dev.sluice.ffi.openssl;

import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibCryptoCopies;
import dev.sluice.ffi.openssl.raw.LibCryptoOperations;
import dev.sluice.ffi.openssl.raw.LibCryptoProviders;
import dev.sluice.ffi.openssl.raw.LibSslDelegation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A private key ({@code EVP_PKEY}). */
public final class EvpPkey extends NativeHandle {
    EvpPkey(long address, String maker) {
        super(address, maker, "EVP_PKEY");
    }

    /**
     * Takes ownership of a key that another package has made.
     *
     * @param maker the C function that returned it
     * @throws OpenSslException when the address is 0
     */
    public static EvpPkey owning(long address, String maker) {
        return new EvpPkey(address, maker);
    }

    /** Returns another owner of a key. */
    static EvpPkey shared(long address) {
        LibCryptoProviders.EVP_PKEY_up_ref(address);
        return new EvpPkey(address, "EVP_PKEY_up_ref");
    }

    /**
     * Reads the first private key of a PEM text in native memory; the key never reaches the Java heap.
     *
     * @param passphrase passphrase of an encrypted key, NUL-terminated; empty for none
     * @throws OpenSslException when there is no key, the passphrase is wrong, or the key is damaged
     */
    public static EvpPkey fromPem(MemorySegment pem, MemorySegment passphrase) {
        ErrorQueue.clear();
        try (MemoryBio bio = MemoryBio.over(pem)) {
            return new EvpPkey(
                    LibCrypto.PEM_read_bio_PrivateKey(bio.address(), 0, 0, passphrase.address()),
                    "PEM_read_bio_PrivateKey");
        }
    }

    /**
     * Reads a private key from PKCS #8 in native memory, which the caller wipes.
     *
     * @throws OpenSslException when it is damaged, or of an algorithm that this OpenSSL lacks
     */
    public static EvpPkey fromPkcs8(MemorySegment der) {
        ErrorQueue.clear();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointer = arena.allocateFrom(ValueLayout.JAVA_LONG, der.address());
            return new EvpPkey(
                    LibSslDelegation.d2i_AutoPrivateKey(0, pointer.address(), der.byteSize()), "d2i_AutoPrivateKey");
        }
    }

    /** Returns an independent copy: threads with a copy each do not contend. */
    public EvpPkey copy() {
        ErrorQueue.clear();
        return new EvpPkey(LibCryptoCopies.EVP_PKEY_dup(address()), "EVP_PKEY_dup");
    }

    /** Creates a key on an elliptic curve, such as {@code P-256}. */
    public static EvpPkey generateElliptic(String curve) {
        ErrorQueue.clear();
        try (Arena arena = Arena.ofConfined()) {
            long key = LibCrypto.EVP_PKEY_Q_keygen(
                    0,
                    0,
                    arena.allocateFrom("EC").address(),
                    arena.allocateFrom(curve).address());
            return new EvpPkey(key, "EVP_PKEY_Q_keygen");
        }
    }

    /** Creates an RSA key of the given size. Takes a second or two for 4,096 bits. */
    public static EvpPkey generateRsa(int bits) {
        ErrorQueue.clear();
        try (Arena arena = Arena.ofConfined()) {
            return new EvpPkey(
                    LibCrypto.EVP_PKEY_Q_keygen(0, 0, arena.allocateFrom("RSA").address(), bits), "EVP_PKEY_Q_keygen");
        }
    }

    /**
     * Creates a key for an algorithm without parameters, such as {@code ED25519} or {@code X25519MLKEM768}.
     *
     * @throws OpenSslException when this OpenSSL lacks it
     */
    public static EvpPkey generate(String algorithm) {
        try (EvpPkeyCtx context = EvpPkeyCtx.named(algorithm);
                Arena arena = Arena.ofConfined()) {
            readyToGenerate(context.address(), "");
            MemorySegment key = arena.allocate(ValueLayout.JAVA_LONG);
            LibCryptoOperations.EVP_PKEY_generate(context.address(), key.address());
            return new EvpPkey(key.get(ValueLayout.JAVA_LONG, 0), "EVP_PKEY_generate of " + algorithm);
        }
    }

    /**
     * Initializes a context for key generation.
     *
     * @param group the elliptic curve; "" for none
     */
    static void readyToGenerate(long context, String group) {
        if (LibCryptoOperations.EVP_PKEY_keygen_init(context) != 1) {
            throw OpenSslException.drained("EVP_PKEY_keygen_init failed");
        }
        if (group.isEmpty()) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            long name = arena.allocateFrom(group).address();
            if (LibCryptoOperations.EVP_PKEY_CTX_set_group_name(context, name) != 1) {
                throw OpenSslException.drained("EVP_PKEY_CTX_set_group_name of " + group + " failed");
            }
        }
    }

    /** Returns the key as PEM text, PKCS #8, unencrypted. The caller wipes it. */
    public byte[] toPem() {
        ErrorQueue.clear();
        try (MemoryBio bio = MemoryBio.empty()) {
            if (LibCrypto.PEM_write_bio_PrivateKey(bio.address(), address(), 0, 0, 0, 0, 0) != 1) {
                throw OpenSslException.drained("PEM_write_bio_PrivateKey failed");
            }
            return bio.written();
        }
    }

    @Override
    void free(long nativeAddress) {
        LibCrypto.EVP_PKEY_free(nativeAddress);
    }
}
