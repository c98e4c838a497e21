package dev.sluice.ffi.openssl;

import dev.sluice.ffi.RawMemory;
import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * A key that session tickets are sealed with: AES-256-CBC, and HMAC-SHA-256 over the result, as RFC 5077 section 4
 * recommends and OpenSSL does by itself. Lies in native memory only.
 *
 * <pre>
 *   0          16           48           80               200    204       211      218
 *   +----------+------------+------------+----------------+------+---------+--------+
 *   | name     | AES key    | HMAC key   | 3 OSSL_PARAM   | key  | digest  | SHA256 |
 *   +----------+------------+------------+----------------+------+---------+--------+
 * </pre>
 *
 * <p>The parameters never change, so that any thread may use the key. Its owner sees to it that nobody seals or opens
 * with it after {@link #close()}.
 */
public final class TicketKey implements AutoCloseable {
    /** Bytes of the name, which stands in a ticket in the clear. */
    public static final int NAME_BYTES = 16;

    /** Bytes of the initialization vector, which follows the name. */
    public static final int IV_BYTES = 16;

    /** Name, AES key and HMAC key. */
    static final int SECRET_BYTES = 80;

    private static final int AES_OFFSET = NAME_BYTES;
    private static final int HMAC_OFFSET = 48;
    private static final int HMAC_BYTES = 32;
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
    /** The name again, which is no secret: it may be compared when the key has been wiped. */
    private final long nameStart;

    private final long nameRest;

    private TicketKey(NativeAllocator allocator, EvpCipher cipher, MemorySegment memory) {
        this.allocator = allocator;
        this.cipher = cipher;
        this.memory = memory;
        this.address = memory.address();
        if (LibCryptoAead.RAND_bytes(address, SECRET_BYTES) != 1) {
            close();
            throw OpenSslException.drained("RAND_bytes of a ticket key failed");
        }
        this.nameStart = RawMemory.getLong(address);
        this.nameRest = RawMemory.getLong(address + Long.BYTES);
        putParameters();
    }

    private void putParameters() {
        long strings = address + STRINGS_OFFSET;
        RawMemory.copy(STRINGS, 0, strings, STRINGS.length);
        long params = address + PARAMS_OFFSET;
        OsslParam.set(params, strings, OsslParam.OCTET_STRING, address + HMAC_OFFSET, HMAC_BYTES);
        OsslParam.set(
                params + OsslParam.BYTES,
                strings + DIGEST_AT,
                OsslParam.UTF8_STRING,
                strings + SHA256_AT,
                "SHA256".length());
        OsslParam.end(params + 2L * OsslParam.BYTES);
    }

    /** Makes a new key from OpenSSL's generator. */
    public static TicketKey random(NativeAllocator allocator) {
        EvpCipher cipher = EvpCipher.fetch("AES-256-CBC");
        MemorySegment memory;
        try {
            memory = allocator.allocate(BYTES, Long.BYTES);
        } catch (RuntimeException | Error e) {
            cipher.close();
            throw e;
        }
        return new TicketKey(allocator, cipher, memory);
    }

    /** The first eight bytes of the name. */
    public long id() {
        return nameStart;
    }

    /**
     * Whether a ticket is sealed with this key; may be asked after {@link #close()}.
     *
     * @param name address of the name that stands in it
     */
    public boolean isNamed(long name) {
        return nameStart == RawMemory.getLong(name) && nameRest == RawMemory.getLong(name + Long.BYTES);
    }

    /**
     * Readies OpenSSL's contexts to seal a ticket.
     *
     * @param name where the name goes
     * @param iv where a fresh initialization vector goes
     */
    public boolean seal(long name, long iv, long cipherContext, long macContext) {
        RawMemory.copy(address, name, NAME_BYTES);
        return LibCryptoAead.RAND_bytes(iv, IV_BYTES) == 1
                && LibCryptoAead.EVP_EncryptInit_ex(cipherContext, cipher.address(), 0, address + AES_OFFSET, iv) == 1
                && authenticate(macContext);
    }

    /**
     * Readies OpenSSL's contexts to open a ticket.
     *
     * @param iv address of the initialization vector that stands in it
     */
    public boolean open(long iv, long cipherContext, long macContext) {
        return LibCryptoAead.EVP_DecryptInit_ex2(cipherContext, cipher.address(), address + AES_OFFSET, iv, 0) == 1
                && authenticate(macContext);
    }

    private boolean authenticate(long macContext) {
        return LibCryptoAead.EVP_MAC_CTX_set_params(macContext, address + PARAMS_OFFSET) == 1;
    }

    /** Wipes and frees it. */
    @Override
    public void close() {
        memory.fill((byte) 0);
        allocator.free(memory);
        cipher.close();
    }
}
