package dev.sluice.tls.record;

import dev.sluice.ffi.RawMemory;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Seals and opens records with one AEAD cipher, in place or from one piece of memory to another, for any number of
 * connections.
 *
 * <p>Holds one sealing and one opening context. A connection's key is loaded when its turn comes (80 to 180 ns) and
 * stays loaded until another's does. Allocates nothing per record on either heap. Confined to one thread; an event loop
 * has one per cipher.
 *
 * <p>Layout of a record in TLS 1.3 (RFC 8446 section 5.2) and in TLS 1.2 with AES-GCM (RFC 5288 section 3):
 *
 * <pre>
 *   TLS 1.3   | type 23, 0303, length | payload | type | padding | tag |
 *   TLS 1.2   | type,    0303, length | explicit nonce | payload | tag |
 *                      5                       8                    16
 * </pre>
 */
public final class RecordProtector implements AutoCloseable {
    /** Bytes of a record's header. */
    public static final int HEADER_BYTES = 5;

    /** Most payload of one record: RFC 8446 section 5.1. */
    public static final int MAX_PAYLOAD_BYTES = 16_384;

    /** Bytes that a TLS 1.3 record has behind its payload when it is not padded: inner type and tag. */
    public static final int TRAILER_BYTES = 1 + Aead.TAG_BYTES;

    /** Bytes of the explicit nonce of AES-GCM in TLS 1.2. */
    public static final int EXPLICIT_NONCE_BYTES = 8;

    /** Most bytes behind the header that a TLS 1.3 record may have: RFC 8446 section 5.2. */
    public static final int MAX_CIPHERTEXT_BYTES = MAX_PAYLOAD_BYTES + 256;

    /** Most bytes behind the header that a TLS 1.2 record may have: RFC 5246 section 6.2.3. */
    public static final int MAX_CIPHERTEXT_BYTES_12 = MAX_PAYLOAD_BYTES + 2048;

    private static final int TYPE_SHIFT = 16;
    private static final int LENGTH_MASK = 0xFFFF;
    private static final short LEGACY_VERSION = 0x0303;

    private static final int NONCE_OFFSET = 0;
    private static final int AAD_OFFSET = 16;
    private static final int AAD_BYTES_12 = 13;
    private static final int SCRATCH_BYTES = 32;

    private final Aead aead;
    private final NativeAllocator allocator;
    private final Ledger.Account account;
    private final MemorySegment scratch;
    private final AeadContext context;
    private final @Nullable CryptoMeter meter;
    private final long nonce;
    private final long aad;
    private boolean closed;

    /**
     * Makes the contexts.
     *
     * @throws OpenSslException when this OpenSSL lacks the cipher
     */
    public RecordProtector(Aead aead, NativeAllocator allocator) {
        this(aead, allocator, null);
    }

    /** @param meter of the same thread, which times some of the records; null: none does */
    RecordProtector(Aead aead, NativeAllocator allocator, @Nullable CryptoMeter meter) {
        this.meter = meter;
        this.aead = aead;
        this.allocator = allocator;
        this.account = Ledger.process().account("record protectors");
        this.scratch = allocator.allocate(SCRATCH_BYTES, Long.BYTES);
        this.context = contextOrFree();
        account.acquired(SCRATCH_BYTES);
        this.nonce = scratch.address() + NONCE_OFFSET;
        this.aad = scratch.address() + AAD_OFFSET;
    }

    private AeadContext contextOrFree() {
        try {
            return AeadContext.of(aead, allocator);
        } catch (Throwable t) {
            allocator.free(scratch);
            throw t;
        }
    }

    /** The cipher. */
    public Aead aead() {
        return aead;
    }

    /** Of a result of {@code open}: the content type. */
    public static int contentType(int opened) {
        return opened >>> TYPE_SHIFT;
    }

    /** Of a result of {@code open}: the bytes of payload. */
    public static int length(int opened) {
        return opened & LENGTH_MASK;
    }

    /**
     * Seals a TLS 1.3 record around its payload, and counts its sequence number.
     *
     * @param keys the sealing direction's {@link TrafficKeys}
     * @param payload address of the plaintext: {@value #HEADER_BYTES} bytes before it and {@value #TRAILER_BYTES} behind
     *     it are overwritten
     * @param length of the plaintext, 0 to {@value #MAX_PAYLOAD_BYTES}
     * @param contentType the inner content type
     * @return bytes of the record, which begins {@value #HEADER_BYTES} bytes before the payload
     */
    public int seal(long keys, long payload, int length, int contentType) {
        return seal(keys, payload, length, contentType, payload - HEADER_BYTES);
    }

    /**
     * Seals a TLS 1.3 record into other memory, and counts its sequence number.
     *
     * @param payload address of the plaintext: the byte behind it is overwritten for the time of the call
     * @param record where the record goes; does not overlap the payload, or begins {@value #HEADER_BYTES} bytes before it
     * @return bytes of the record
     */
    int seal(long keys, long payload, int length, int contentType, long record) {
        int inner = length + 1;
        byte behind = RawMemory.getByte(payload + length);
        RawMemory.putByte(payload + length, (byte) contentType);
        header(record, ContentType.APPLICATION_DATA, inner + Aead.TAG_BYTES);
        xorNonce(keys);
        long sealed = record + HEADER_BYTES;
        sealAt(keys, record, HEADER_BYTES, payload, sealed, inner);
        if (sealed != payload) {
            RawMemory.putByte(payload + length, behind);
        }
        return HEADER_BYTES + inner + Aead.TAG_BYTES;
    }

    /**
     * Opens a TLS 1.3 record where it lies, and counts its sequence number.
     *
     * @param keys the opening direction's {@link TrafficKeys}
     * @param record address of the header; the payload will begin {@value #HEADER_BYTES} bytes behind it
     * @param recordBytes header included
     * @return {@link #contentType} and {@link #length} in one; or, when negative, the negated alert that the connection
     *     must end with (RFC 8446 section 5.2): the record's bytes are zero then
     */
    public int open(long keys, long record, int recordBytes) {
        return open(keys, record, recordBytes, record + HEADER_BYTES);
    }

    /**
     * Opens a TLS 1.3 record into other memory, and counts its sequence number.
     *
     * @param payload where the plaintext goes, its inner type and padding behind it; does not overlap the record, or is
     *     where its ciphertext lies
     * @return as above; when negative, what was written is zero again
     */
    int open(long keys, long record, int recordBytes, long payload) {
        int sealed = recordBytes - HEADER_BYTES;
        if (sealed > MAX_CIPHERTEXT_BYTES) {
            return -Alert.RECORD_OVERFLOW;
        }
        int inner = sealed - Aead.TAG_BYTES;
        if (inner < 1) {
            return -Alert.BAD_RECORD_MAC;
        }
        xorNonce(keys);
        if (!openAt(keys, record, HEADER_BYTES, record + HEADER_BYTES, payload, inner)) {
            return -Alert.BAD_RECORD_MAC;
        }
        return inner(payload, inner);
    }

    /**
     * Seals a TLS 1.2 record around its payload, and counts its sequence number.
     *
     * @param payload address of the plaintext: {@link #headroom12} bytes before it and 16 behind it are overwritten
     * @return bytes of the record, which begins {@link #headroom12} bytes before the payload
     */
    public int seal12(long keys, long payload, int length, int contentType) {
        return seal12(keys, payload, length, contentType, payload - headroom12());
    }

    /** Seals a TLS 1.2 record into other memory: as the TLS 1.3 one, but that the payload stays as it is. */
    int seal12(long keys, long payload, int length, int contentType, long record) {
        int explicit = explicitNonceBytes12();
        header(record, contentType, explicit + length + Aead.TAG_BYTES);
        aad12(keys, contentType, length);
        if (explicit == 0) {
            xorNonce(keys);
        } else {
            long explicitNonce = TrafficKeys.explicitNonceBase(keys) + TrafficKeys.sequence(keys);
            putLongBigEndian(record + HEADER_BYTES, explicitNonce);
            explicitNonce(keys, record + HEADER_BYTES);
        }
        sealAt(keys, aad, AAD_BYTES_12, payload, record + HEADER_BYTES + explicit, length);
        return HEADER_BYTES + explicit + length + Aead.TAG_BYTES;
    }

    /**
     * Opens a TLS 1.2 record where it lies, and counts its sequence number.
     *
     * @param record address of the header; the payload will begin {@link #headroom12} bytes behind it
     * @return as {@link #open}
     */
    public int open12(long keys, long record, int recordBytes) {
        return open12(keys, record, recordBytes, record + headroom12());
    }

    /** Opens a TLS 1.2 record into other memory: as the TLS 1.3 one. */
    int open12(long keys, long record, int recordBytes, long payload) {
        int explicit = explicitNonceBytes12();
        int sealed = recordBytes - HEADER_BYTES;
        if (sealed > MAX_CIPHERTEXT_BYTES_12) {
            return -Alert.RECORD_OVERFLOW;
        }
        int length = sealed - explicit - Aead.TAG_BYTES;
        if (length < 0) {
            return -Alert.BAD_RECORD_MAC;
        }
        int contentType = RawMemory.getByte(record) & 0xFF;
        aad12(keys, contentType, length);
        if (explicit == 0) {
            xorNonce(keys);
        } else {
            explicitNonce(keys, record + HEADER_BYTES);
        }
        if (!openAt(keys, aad, AAD_BYTES_12, record + headroom12(), payload, length)) {
            return -Alert.BAD_RECORD_MAC;
        }
        return length > MAX_PAYLOAD_BYTES
                ? reject(payload, length, Alert.RECORD_OVERFLOW)
                : opened(contentType, length);
    }

    /** Bytes that a TLS 1.2 record of this cipher has before its payload. */
    public int headroom12() {
        return HEADER_BYTES + explicitNonceBytes12();
    }

    /** Bytes of IV that the TLS 1.2 key block holds: 4 for AES-GCM (RFC 5288), 12 for ChaCha20 (RFC 7905). */
    static int fixedIvBytes12(Aead aead) {
        return aead == Aead.CHACHA20_POLY1305 ? Aead.NONCE_BYTES : Aead.NONCE_BYTES - EXPLICIT_NONCE_BYTES;
    }

    /** Frees the contexts, which wipes the keys that are loaded. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            context.close();
            scratch.fill((byte) 0);
            allocator.free(scratch);
            account.released(SCRATCH_BYTES);
        }
    }

    /** The padding ends the plaintext; the last byte that is not zero is the type (RFC 8446 section 5.4). */
    private static int inner(long payload, int inner) {
        int end = inner - 1;
        while (end >= 0 && RawMemory.getByte(payload + end) == 0) {
            end--;
        }
        if (end < 0) {
            return reject(payload, inner, Alert.UNEXPECTED_MESSAGE);
        }
        // The type byte counts: at most 2^14 + 1 bytes inside, padding included (RFC 8446 section 5.2).
        if (inner > MAX_PAYLOAD_BYTES + 1) {
            return reject(payload, inner, Alert.RECORD_OVERFLOW);
        }
        return opened(RawMemory.getByte(payload + end) & 0xFF, end);
    }

    private static int opened(int contentType, int length) {
        return (contentType << TYPE_SHIFT) | length;
    }

    private static int reject(long payload, int length, int alert) {
        RawMemory.zero(payload, length);
        return -alert;
    }

    private static void header(long header, int contentType, int length) {
        RawMemory.putByte(header, (byte) contentType);
        RawMemory.putShortBigEndian(header + 1, LEGACY_VERSION);
        RawMemory.putShortBigEndian(header + 3, (short) length);
    }

    /** The per-record nonce of RFC 8446 section 5.3: the IV, its last 8 bytes combined with the sequence number. */
    private void xorNonce(long keys) {
        long iv = TrafficKeys.ivAddress(keys);
        RawMemory.putInt(nonce, RawMemory.getInt(iv));
        long sequence = Long.reverseBytes(TrafficKeys.sequence(keys));
        RawMemory.putLong(nonce + 4, RawMemory.getLong(iv + 4) ^ sequence);
    }

    /** The nonce of RFC 5288 section 3: 4 bytes of the key block, 8 bytes out of the record. */
    private void explicitNonce(long keys, long explicit) {
        RawMemory.putInt(nonce, RawMemory.getInt(TrafficKeys.ivAddress(keys)));
        RawMemory.putLong(nonce + 4, RawMemory.getLong(explicit));
    }

    /** The additional data of RFC 5246 section 6.2.3.3. */
    private void aad12(long keys, int contentType, int length) {
        putLongBigEndian(aad, TrafficKeys.sequence(keys));
        header(aad + 8, contentType, length);
    }

    private int explicitNonceBytes12() {
        return aead == Aead.CHACHA20_POLY1305 ? 0 : EXPLICIT_NONCE_BYTES;
    }

    private void sealAt(long keys, long aadAddress, int aadBytes, long from, long to, int textBytes) {
        long keyId = derivedKeyId(keys);
        CryptoMeter timing = meter != null && meter.isSealDue(textBytes) ? meter : null;
        long begin = timing == null ? 0 : timing.begin();
        context.seal(keyId, TrafficKeys.keyAddress(keys), nonce, aadAddress, aadBytes, from, to, textBytes);
        if (timing != null) {
            timing.sealed(begin, textBytes);
        }
        TrafficKeys.sequence(keys, TrafficKeys.sequence(keys) + 1);
    }

    private boolean openAt(long keys, long aadAddress, int aadBytes, long from, long to, int textBytes) {
        long keyId = derivedKeyId(keys);
        CryptoMeter timing = meter != null && meter.isOpenDue(textBytes) ? meter : null;
        long begin = timing == null ? 0 : timing.begin();
        boolean authentic =
                context.open(keyId, TrafficKeys.keyAddress(keys), nonce, aadAddress, aadBytes, from, to, textBytes);
        if (timing != null) {
            timing.opened(begin, textBytes);
        }
        if (authentic) {
            TrafficKeys.sequence(keys, TrafficKeys.sequence(keys) + 1);
        }
        return authentic;
    }

    /** Keys that were wiped, or never derived, have id 0: sealing with them would be sealing with a key of zeros. */
    private static long derivedKeyId(long keys) {
        long id = TrafficKeys.keyId(keys);
        if (id == TrafficKeys.NO_KEYS) {
            throw new IllegalStateException("record keys used before they were derived or after they were wiped");
        }
        return id;
    }

    private static void putLongBigEndian(long address, long value) {
        RawMemory.putLong(address, Long.reverseBytes(value));
    }
}
