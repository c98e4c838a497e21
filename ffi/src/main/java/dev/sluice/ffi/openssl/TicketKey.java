package dev.sluice.ffi.openssl;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.LibCryptoAead;
import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * A session-ticket key: AES-CBC, then HMAC-SHA-256 over the result, as RFC 5077 section 4 recommends and OpenSSL
 * implements. Held in native memory only.
 *
 * <p>Its secret has one of two layouts, those of nginx's key files, so that either server opens the other's tickets.
 * The order of the keys differs between the two.
 *
 * <pre>
 *   0          16           48           80
 *   +----------+------------+------------+
 *   | name     | HMAC key   | AES key    |  80 bytes, AES-256
 *   +----------+------------+------------+
 *   | name     | AES   HMAC |               48 bytes, AES-128
 *   +----------+-----+------+
 *   0          16    32     48
 *
 *   80               200    204       211      218
 *   +----------------+------+---------+--------+
 *   | 3 OSSL_PARAM   | key  | digest  | SHA256 |  behind either
 *   +----------------+------+---------+--------+
 * </pre>
 *
 * <p>The secret never changes, so any thread may use the key. The owner ensures that nothing is sealed or opened after
 * {@link #close()}.
 */
public final class TicketKey implements AutoCloseable {
    /** Size of the name, which a ticket carries in the clear. */
    public static final int NAME_BYTES = 16;

    /** Size of the initialization vector, which follows the name. */
    public static final int IV_BYTES = 16;

    /** Size of a secret for AES-256, including the name. */
    public static final int SECRET_BYTES = 80;

    /** Size of a secret for AES-128, including the name. */
    public static final int SHORT_SECRET_BYTES = 48;

    private static final int LONG_KEY_BYTES = 32;
    private static final int SHORT_KEY_BYTES = 16;
    private static final int PARAMS_OFFSET = SECRET_BYTES;
    private static final int STRINGS_OFFSET = PARAMS_OFFSET + 3 * OsslParam.BYTES;
    private static final byte[] STRINGS = "key\0digest\0SHA256\0".getBytes(StandardCharsets.US_ASCII);
    private static final int DIGEST_AT = "key\0".length();
    private static final int SHA256_AT = DIGEST_AT + "digest\0".length();
    private static final int BYTES = STRINGS_OFFSET + STRINGS.length;

    private final NativeAllocator allocator;
    private final EvpCipher cipher;
    private final MemorySegment memory;
    private final long address;
    private final int secretBytes;
    private final long aesKey;

    /** A copy of the name, which is no secret: it may be compared after the key has been wiped. */
    private final long nameStart;

    private final long nameRest;

    /**
     * Creates an instance.
     *
     * @param memory begins with the secret
     */
    private TicketKey(NativeAllocator allocator, EvpCipher cipher, MemorySegment memory, int secretBytes) {
        this.allocator = allocator;
        this.cipher = cipher;
        this.memory = memory;
        this.address = memory.address();
        this.secretBytes = secretBytes;
        this.nameStart = RawMemory.getLong(address);
        this.nameRest = RawMemory.getLong(address + Long.BYTES);
        long first = address + NAME_BYTES;
        if (secretBytes == SECRET_BYTES) {
            this.aesKey = first + LONG_KEY_BYTES;
            putParameters(first, LONG_KEY_BYTES);
        } else {
            this.aesKey = first;
            putParameters(first + SHORT_KEY_BYTES, SHORT_KEY_BYTES);
        }
    }

    private void putParameters(long hmacKey, int hmacKeyBytes) {
        long strings = address + STRINGS_OFFSET;
        RawMemory.copy(STRINGS, 0, strings, STRINGS.length);
        long params = address + PARAMS_OFFSET;
        OsslParam.set(params, strings, OsslParam.OCTET_STRING, hmacKey, hmacKeyBytes);
        OsslParam.set(
                params + OsslParam.BYTES,
                strings + DIGEST_AT,
                OsslParam.UTF8_STRING,
                strings + SHA256_AT,
                "SHA256".length());
        OsslParam.end(params + 2L * OsslParam.BYTES);
    }

    /** Creates a random key for AES-256. */
    public static TicketKey random(NativeAllocator allocator) {
        return make(allocator, SECRET_BYTES, TicketKey::fill);
    }

    private static void fill(MemorySegment secret) {
        if (LibCryptoAead.RAND_bytes(secret.address(), SECRET_BYTES) != 1) {
            throw OpenSslException.drained("RAND_bytes of a ticket key failed");
        }
    }

    /**
     * Creates a key from a secret.
     *
     * @param secret {@link #SECRET_BYTES} or {@link #SHORT_SECRET_BYTES} in native memory; copied, and wiped by the
     *     caller
     * @throws IllegalArgumentException when it has another size
     */
    public static TicketKey of(NativeAllocator allocator, MemorySegment secret) {
        long size = secret.byteSize();
        if (size != SECRET_BYTES && size != SHORT_SECRET_BYTES) {
            throw new IllegalArgumentException("a ticket key must have " + SHORT_SECRET_BYTES + " or " + SECRET_BYTES
                    + " bytes (name, AES and HMAC key), not " + size);
        }
        return make(allocator, (int) size, memory -> MemorySegment.copy(secret, 0, memory, 0, size));
    }

    private static TicketKey make(NativeAllocator allocator, int secretBytes, Maker maker) {
        EvpCipher cipher = EvpCipher.fetch(secretBytes == SECRET_BYTES ? "AES-256-CBC" : "AES-128-CBC");
        MemorySegment memory = null;
        try {
            memory = allocator.allocate(BYTES, Long.BYTES);
            maker.put(memory);
            return new TicketKey(allocator, cipher, memory, secretBytes);
        } catch (RuntimeException | Error e) {
            if (memory != null) {
                allocator.free(memory);
            }
            cipher.close();
            throw e;
        }
    }

    /** A writer of a secret into memory. */
    @FunctionalInterface
    private interface Maker {
        void put(MemorySegment memory);
    }

    /** Returns the first eight bytes of the name. */
    public long id() {
        return nameStart;
    }

    /** Returns whether another key has the same name, and thus is the same key. */
    public boolean isSameAs(TicketKey other) {
        return nameStart == other.nameStart && nameRest == other.nameRest;
    }

    /** Returns the secret, for copying to where it is sealed or stored; read-only, valid until {@link #close()}. */
    public MemorySegment secret() {
        return memory.asSlice(0, secretBytes);
    }

    /**
     * Returns whether a ticket was sealed with this key; may be called after {@link #close()}.
     *
     * @param name address of the name in the ticket
     */
    public boolean isNamed(long name) {
        return nameStart == RawMemory.getLong(name) && nameRest == RawMemory.getLong(name + Long.BYTES);
    }

    /**
     * Initializes OpenSSL's contexts to seal a ticket.
     *
     * @param name destination of the name
     * @param iv destination of a fresh initialization vector
     */
    public boolean seal(long name, long iv, long cipherContext, long macContext) {
        RawMemory.copy(address, name, NAME_BYTES);
        return LibCryptoAead.RAND_bytes(iv, IV_BYTES) == 1
                && LibCryptoAead.EVP_EncryptInit_ex(cipherContext, cipher.address(), 0, aesKey, iv) == 1
                && authenticate(macContext);
    }

    /**
     * Initializes OpenSSL's contexts to open a ticket.
     *
     * @param iv address of the initialization vector in the ticket
     */
    public boolean open(long iv, long cipherContext, long macContext) {
        return LibCryptoAead.EVP_DecryptInit_ex2(cipherContext, cipher.address(), aesKey, iv, 0) == 1
                && authenticate(macContext);
    }

    private boolean authenticate(long macContext) {
        return LibCryptoAead.EVP_MAC_CTX_set_params(macContext, address + PARAMS_OFFSET) == 1;
    }

    /** Wipes and frees the secret. */
    @Override
    public void close() {
        memory.fill((byte) 0);
        allocator.free(memory);
        cipher.close();
    }
}
