package dev.sluice.tls.record;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A cipher for records with one AEAD, in place or between two pieces of memory, for any number of connections.
 *
 * <p>Holds one sealing and one opening context. A connection's key is loaded at its first use (80 to 180 ns) and stays
 * loaded until another key is. Allocates nothing per record on either heap. Confined to one thread; an event loop has
 * one per cipher.
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
    /** Size of a record header. */
    public static final int HEADER_BYTES = 5;

    /** The maximum payload of one record: RFC 8446 section 5.1. */
    public static final int MAX_PAYLOAD_BYTES = 16_384;

    /** The bytes after the payload of an unpadded TLS 1.3 record: inner type and tag. */
    public static final int TRAILER_BYTES = 1 + Aead.TAG_BYTES;

    /** Size of the explicit nonce of AES-GCM in TLS 1.2. */
    public static final int EXPLICIT_NONCE_BYTES = 8;

    /** The maximum bytes after the header of a TLS 1.3 record: RFC 8446 section 5.2. */
    public static final int MAX_CIPHERTEXT_BYTES = MAX_PAYLOAD_BYTES + 256;

    /** The maximum bytes after the header of a TLS 1.2 record: RFC 5246 section 6.2.3. */
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
     * Creates the contexts.
     *
     * @throws OpenSslException when this OpenSSL lacks the cipher
     */
    public RecordProtector(Aead aead, NativeAllocator allocator) {
        this(aead, allocator, null);
    }

    /**
     * Creates an instance.
     *
     * @param meter of the same thread, which samples records; null for none
     */
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

    /** Returns the content type of a result of {@code open}. */
    public static int contentType(int opened) {
        return opened >>> TYPE_SHIFT;
    }

    /** Returns the payload size of a result of {@code open}. */
    public static int length(int opened) {
        return opened & LENGTH_MASK;
    }

    /**
     * Seals a TLS 1.3 record around its payload, and increments its sequence number.
     *
     * @param keys the sealing direction's {@link TrafficKeys}
     * @param payload address of the plaintext; {@value #HEADER_BYTES} bytes before it and {@value #TRAILER_BYTES} after
     *     it are overwritten
     * @param length size of the plaintext, 0 to {@value #MAX_PAYLOAD_BYTES}
     * @param contentType the inner content type
     * @return size of the record, which begins {@value #HEADER_BYTES} bytes before the payload
     */
    public int seal(long keys, long payload, int length, int contentType) {
        return seal(keys, payload, length, contentType, payload - HEADER_BYTES);
    }

    /**
     * Seals a TLS 1.3 record into other memory, and increments its sequence number.
     *
     * @param payload address of the plaintext; the byte after it is overwritten during the call
     * @param record destination; does not overlap the payload, or begins {@value #HEADER_BYTES} bytes before it
     * @return size of the record
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
     * Opens a TLS 1.3 record in place, and increments its sequence number.
     *
     * @param keys the opening direction's {@link TrafficKeys}
     * @param record address of the header; the payload will begin {@value #HEADER_BYTES} bytes after it
     * @param recordBytes size of the record, including the header
     * @return {@link #contentType} and {@link #length} combined; or the negated alert that ends the connection (RFC
     *     8446 section 5.2), with the record's bytes zeroed
     */
    public int open(long keys, long record, int recordBytes) {
        return open(keys, record, recordBytes, record + HEADER_BYTES);
    }

    /**
     * Opens a TLS 1.3 record into other memory, and increments its sequence number.
     *
     * @param payload destination of the plaintext with its inner type and padding; does not overlap the record, or is
     *     the address of its ciphertext
     * @return as above; for an alert, the destination is zeroed
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
     * Seals a TLS 1.2 record around its payload, and increments its sequence number.
     *
     * @param payload address of the plaintext; {@link #headroom12} bytes before it and 16 after it are overwritten
     * @return size of the record, which begins {@link #headroom12} bytes before the payload
     */
    public int seal12(long keys, long payload, int length, int contentType) {
        return seal12(keys, payload, length, contentType, payload - headroom12());
    }

    /** Seals a TLS 1.2 record into other memory, like the TLS 1.3 method, but leaves the payload unchanged. */
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
     * Opens a TLS 1.2 record in place, and increments its sequence number.
     *
     * @param record address of the header; the payload will begin {@link #headroom12} bytes after it
     * @return as {@link #open}
     */
    int open12(long keys, long record, int recordBytes) {
        return open12(keys, record, recordBytes, record + headroom12());
    }

    /** Opens a TLS 1.2 record into other memory, like the TLS 1.3 method. */
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

    /** Returns the bytes before the payload in a TLS 1.2 record of this cipher. */
    public int headroom12() {
        return HEADER_BYTES + explicitNonceBytes12();
    }

    /** Returns the size of the IV in the TLS 1.2 key block: 4 for AES-GCM (RFC 5288), 12 for ChaCha20 (RFC 7905). */
    static int fixedIvBytes12(Aead aead) {
        return aead == Aead.CHACHA20_POLY1305 ? Aead.NONCE_BYTES : Aead.NONCE_BYTES - EXPLICIT_NONCE_BYTES;
    }

    /** Frees the contexts, which wipes the loaded keys. */
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

    /**
     * Returns the content type and the length without padding: the last nonzero byte is the type (RFC 8446 section
     * 5.4).
     */
    private static int inner(long payload, int inner) {
        int end = inner - 1;
        while (end >= 0 && RawMemory.getByte(payload + end) == 0) {
            end--;
        }
        if (end < 0) {
            return reject(payload, inner, Alert.UNEXPECTED_MESSAGE);
        }
        // The type byte counts: at most 2^14 + 1 bytes inside, including padding (RFC 8446 section 5.2).
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

    /** Writes a record's header, with the legacy version of TLS 1.2. */
    public static void header(long header, int contentType, int length) {
        RawMemory.putByte(header, (byte) contentType);
        RawMemory.putShortBigEndian(header + 1, LEGACY_VERSION);
        RawMemory.putShortBigEndian(header + 3, (short) length);
    }

    /**
     * Computes the per-record nonce of RFC 8446 section 5.3: the IV, its last 8 bytes XORed with the sequence number.
     */
    private void xorNonce(long keys) {
        long iv = TrafficKeys.ivAddress(keys);
        RawMemory.putInt(nonce, RawMemory.getInt(iv));
        long sequence = Long.reverseBytes(TrafficKeys.sequence(keys));
        RawMemory.putLong(nonce + 4, RawMemory.getLong(iv + 4) ^ sequence);
    }

    /** Computes the nonce of RFC 5288 section 3: 4 bytes of the key block, 8 bytes of the record. */
    private void explicitNonce(long keys, long explicit) {
        RawMemory.putInt(nonce, RawMemory.getInt(TrafficKeys.ivAddress(keys)));
        RawMemory.putLong(nonce + 4, RawMemory.getLong(explicit));
    }

    /** Computes the additional data of RFC 5246 section 6.2.3.3. */
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

    /**
     * Returns the id of derived keys. Keys that were wiped or never derived have id 0; sealing with them would use a
     * key of zeros.
     */
    private static long derivedKeyId(long keys) {
        long id = TrafficKeys.keyId(keys);
        if (id == TrafficKeys.NO_KEYS) {
            throw new IllegalStateException("record keys used before derivation or after wiping");
        }
        return id;
    }

    private static void putLongBigEndian(long address, long value) {
        RawMemory.putLong(address, Long.reverseBytes(value));
    }
}
