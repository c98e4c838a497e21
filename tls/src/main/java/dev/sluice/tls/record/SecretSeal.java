package dev.sluice.tls.record;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.EvpMacCtx;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.raw.LibCryptoAead;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * A cipher for secrets that leave the process, such as ticket keys: AES-256-GCM under a key that several processes
 * share.
 *
 * <pre>
 *   0         8          16         28                       n - 16    n
 *   +---------+----------+----------+------------------------+---------+
 *   | SLUICE  | key id   | random   | sealed text            | tag     |
 *   | and 0 1 |          | nonce    |                        |         |
 *   +---------+----------+----------+------------------------+---------+
 *   (authenticated, in the clear)
 * </pre>
 *
 * <p>The key id is an HMAC of the key and distinguishes a wrong key from corrupt bytes. Random nonces suffice for 2^32
 * texts, NIST SP 800-38D section 8.3. Key and texts are in native memory and are wiped. Confined to one thread at a
 * time.
 */
public final class SecretSeal implements AutoCloseable {
    /** Size of the key. */
    public static final int KEY_BYTES = 32;

    /** The reasons why a text cannot be opened. */
    public enum Refusal {
        /** Its format is unknown, or of a later version. */
        UNKNOWN_FORM,
        /** It was sealed under another key. */
        OTHER_KEY,
        /** It was modified or truncated. */
        BROKEN
    }

    /** A sealed text that cannot be opened. */
    public static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        private final Refusal refusal;

        RefusedException(Refusal refusal) {
            super(refusal.name());
            this.refusal = refusal;
        }

        /** Returns the reason. */
        public Refusal refusal() {
            return refusal;
        }
    }

    private static final byte[] FORM = "SLUICE\0\1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] KEY_ID_INPUT = "sluice: id of a fleet key".getBytes(StandardCharsets.US_ASCII);
    private static final int KEY_ID_OFFSET = FORM.length;
    private static final int KEY_ID_BYTES = 8;
    private static final int NONCE_OFFSET = KEY_ID_OFFSET + KEY_ID_BYTES;
    private static final int TEXT_OFFSET = NONCE_OFFSET + Aead.NONCE_BYTES;
    private static final int OVERHEAD_BYTES = TEXT_OFFSET + Aead.TAG_BYTES;

    /** The bytes that a cipher may write after a nonce. */
    private static final int NONCE_SCRATCH_BYTES = 4;

    private static final int SHA256_BYTES = 32;
    private static final long KEY_NUMBER = 1;

    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment key;
    private final AeadContext cipher;
    private final byte[] keyId;

    /**
     * Creates a cipher with a key.
     *
     * @param key {@link #KEY_BYTES} in native memory; copied, and wiped by the caller
     */
    public SecretSeal(MemorySegment key) {
        if (key.byteSize() != KEY_BYTES) {
            throw new IllegalArgumentException(
                    "a sealing key must have " + KEY_BYTES + " bytes, not " + key.byteSize());
        }
        this.cipher = AeadContext.of(Aead.AES_256_GCM, allocator);
        this.key = allocator.allocate(KEY_BYTES, Long.BYTES).copyFrom(key);
        this.keyId = keyId();
    }

    private byte[] keyId() {
        try (EvpMacCtx hmac = EvpMacCtx.hmac("SHA256");
                Arena arena = Arena.ofConfined()) {
            MemorySegment input = arena.allocate(KEY_ID_INPUT.length).copyFrom(MemorySegment.ofArray(KEY_ID_INPUT));
            MemorySegment out = arena.allocate(SHA256_BYTES);
            long length = arena.allocate(Long.BYTES, Long.BYTES).address();
            int ok = LibCryptoAead.EVP_MAC_init(hmac.address(), key.address(), KEY_BYTES, 0)
                    & LibCryptoAead.EVP_MAC_update(hmac.address(), input.address(), input.byteSize())
                    & LibCryptoAead.EVP_MAC_final(hmac.address(), out.address(), length, SHA256_BYTES);
            if (ok != 1) {
                throw OpenSslException.drained("HMAC-SHA-256 failed");
            }
            byte[] id = new byte[KEY_ID_BYTES];
            RawMemory.copy(out.address(), id, 0, KEY_ID_BYTES);
            return id;
        }
    }

    /**
     * Seals a text.
     *
     * @param text in native memory; wiped by the caller
     */
    public byte[] seal(MemorySegment text) {
        int textBytes = (int) text.byteSize();
        byte[] sealed = new byte[OVERHEAD_BYTES + textBytes];
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment whole = arena.allocate(sealed.length, Long.BYTES);
            long start = whole.address();
            RawMemory.copy(FORM, 0, start, FORM.length);
            RawMemory.copy(keyId, 0, start + KEY_ID_OFFSET, KEY_ID_BYTES);
            if (LibCryptoAead.RAND_bytes(start + NONCE_OFFSET, Aead.NONCE_BYTES) != 1) {
                throw OpenSslException.drained("RAND_bytes of a nonce failed");
            }
            long nonce = nonceOf(start, arena);
            cipher.seal(
                    KEY_NUMBER,
                    key.address(),
                    nonce,
                    start,
                    TEXT_OFFSET,
                    text.address(),
                    start + TEXT_OFFSET,
                    textBytes);
            RawMemory.copy(start, sealed, 0, sealed.length);
        }
        return sealed;
    }

    /**
     * Opens a sealed text.
     *
     * @param text destination, which the caller wipes: native memory of the size of the sealed text
     * @return the size of the text
     * @throws RefusedException when it cannot be opened
     */
    public int open(byte[] sealed, MemorySegment text) throws RefusedException {
        requireForm(sealed);
        int textBytes = sealed.length - OVERHEAD_BYTES;
        Objects.checkFromIndexSize(0, sealed.length, (int) text.byteSize());
        try (Arena scratch = Arena.ofConfined()) {
            long start = scratch.allocate(sealed.length, Long.BYTES).address();
            RawMemory.copy(sealed, 0, start, sealed.length);
            long nonce = nonceOf(start, scratch);
            boolean genuine = cipher.open(
                    KEY_NUMBER,
                    key.address(),
                    nonce,
                    start,
                    TEXT_OFFSET,
                    start + TEXT_OFFSET,
                    text.address(),
                    textBytes);
            if (!genuine) {
                throw new RefusedException(Refusal.BROKEN);
            }
            return textBytes;
        }
    }

    private void requireForm(byte[] sealed) throws RefusedException {
        if (sealed.length < OVERHEAD_BYTES || !Arrays.equals(sealed, 0, FORM.length, FORM, 0, FORM.length)) {
            throw new RefusedException(Refusal.UNKNOWN_FORM);
        }
        if (!Arrays.equals(sealed, KEY_ID_OFFSET, NONCE_OFFSET, keyId, 0, KEY_ID_BYTES)) {
            throw new RefusedException(Refusal.OTHER_KEY);
        }
    }

    /** Copies the nonce to where the cipher may write after it. */
    private static long nonceOf(long start, Arena arena) {
        long nonce = arena.allocate(Aead.NONCE_BYTES + NONCE_SCRATCH_BYTES, Long.BYTES)
                .address();
        RawMemory.copy(start + NONCE_OFFSET, nonce, Aead.NONCE_BYTES);
        return nonce;
    }

    /** Wipes the key. */
    @Override
    public void close() {
        cipher.close();
        key.fill((byte) 0);
        allocator.free(key);
    }
}
