package dev.sluice.ffi.openssl;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.LibSslEch;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.memory.fault.FaultPoint;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * Keys for Encrypted ClientHello ({@code OSSL_ECHSTORE}), each with the configuration that clients are to use. Requires
 * {@link OpenSsl#supportsEncryptedHello()}. Not thread-safe.
 */
public final class EchStore extends NativeHandle {
    /** HPKE with X25519, HKDF-SHA256 and AES-128-GCM, by the numbers of RFC 9180: KEM, KDF, AEAD. */
    private static final long SUITE = 0x0020L | 0x0001L << 16 | 0x0001L << 32;

    /** Hellos are padded for names of any length. */
    private static final int MAX_NAME_LENGTH = 0;

    /** Results of opening a client's extension. */
    public enum Result {
        /** The client sent none. */
        ABSENT,
        /** The inner ClientHello was used. */
        ACCEPTED,
        /** No key opened it: it is GREASE, or made for a key that is not known any more. */
        REJECTED
    }

    /**
     * The part that Encrypted ClientHello took in a server's handshake.
     *
     * @param result the result of opening the client's extension
     * @param outerName the name sent in the clear beside an inner ClientHello that was used; null for none
     */
    public record Status(Result result, @Nullable String outerName) {}

    private EchStore() {
        super(LibSslEch.OSSL_ECHSTORE_new(0, 0), "OSSL_ECHSTORE_new", "OSSL_ECHSTORE");
    }

    /** Creates a store without keys. */
    public static EchStore empty() {
        ErrorQueue.clear();
        return new EchStore();
    }

    /**
     * Generates a key.
     *
     * @param publicName the host name that clients send in the clear
     */
    public void generate(String publicName) {
        ErrorQueue.clear();
        try (Arena arena = Arena.ofConfined()) {
            int done = LibSslEch.OSSL_ECHSTORE_new_config(
                    address(),
                    LibSslEch.OSSL_ECH_CURRENT_VERSION,
                    MAX_NAME_LENGTH,
                    arena.allocateFrom(publicName).address(),
                    SUITE);
            require(done, "OSSL_ECHSTORE_new_config of " + publicName);
        }
    }

    /**
     * Adds the key and the configuration of a file, see ech(1).
     *
     * @param pem a private key in PKCS#8 and a block ECHCONFIG, both in PEM
     * @param retried true if clients whose hello cannot be decrypted are sent this configuration
     */
    public void add(byte[] pem, boolean retried) {
        ErrorQueue.clear();
        try (MemoryBio bio = MemoryBio.of(pem)) {
            require(
                    LibSslEch.OSSL_ECHSTORE_read_pem(address(), bio.address(), retried ? 1 : 0),
                    "OSSL_ECHSTORE_read_pem");
        }
    }

    /** Returns the key that was added last, in the format that {@link #add} reads. The caller wipes it. */
    public byte[] lastPem() {
        ErrorQueue.clear();
        try (MemoryBio bio = MemoryBio.empty()) {
            require(
                    LibSslEch.OSSL_ECHSTORE_write_pem(address(), LibSslEch.OSSL_ECHSTORE_LAST, bio.address()),
                    "OSSL_ECHSTORE_write_pem");
            return bio.written();
        }
    }

    /** Returns the number of private keys. */
    public int keys() {
        try (Arena arena = Arena.ofConfined()) {
            long count = arena.allocate(Integer.BYTES).address();
            require(LibSslEch.OSSL_ECHSTORE_num_keys(address(), count), "OSSL_ECHSTORE_num_keys");
            return RawMemory.getInt(count);
        }
    }

    private static void require(int returned, String what) {
        if (returned != 1) {
            throw OpenSslException.drained(what + " failed");
        }
    }

    @Override
    FaultPoint faultPoint() {
        return FaultPoint.LIBSSL;
    }

    @Override
    void free(long nativeAddress) {
        LibSslEch.OSSL_ECHSTORE_free(nativeAddress);
    }
}
