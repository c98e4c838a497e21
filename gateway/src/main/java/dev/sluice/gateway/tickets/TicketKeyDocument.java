package dev.sluice.gateway.tickets;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.openssl.TicketKey;
import dev.sluice.tls.ticket.TicketKeyRing;
import dev.sluice.tls.ticket.TimedTicketKey;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Ticket keys and their times as they are kept and shared. Numbers are big-endian.
 *
 * <pre>
 *   0         8            16        24       28
 *   +---------+------------+---------+--------+------------------+
 *   | lineage | generation | written | count  | keys, 104 bytes  |
 *   |         |            | (ms)    |        | each             |
 *   +---------+------------+---------+--------+------------------+
 *
 *   0            4         8            16          24            104
 *   +------------+---------+------------+-----------+--------------+
 *   | generation | size of | not before | not after | secret, the  |
 *   |            | secret  | (ms)       | (ms)      | rest is zero |
 *   +------------+---------+------------+-----------+--------------+
 * </pre>
 *
 * @param lineage a random number that all generations have in common; another one begins when there is no document
 * @param generation counts the changes of the document
 * @param writtenMillis when it was written
 * @param keys belong to whoever has the document
 */
record TicketKeyDocument(long lineage, long generation, long writtenMillis, List<TimedTicketKey> keys) {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final int GENERATION_OFFSET = 8;
    private static final int WRITTEN_OFFSET = 16;
    private static final int COUNT_OFFSET = 24;
    private static final int KEYS_OFFSET = 28;

    private static final int SIZE_OFFSET = 4;
    private static final int NOT_BEFORE_OFFSET = 8;
    private static final int NOT_AFTER_OFFSET = 16;
    private static final int SECRET_OFFSET = 24;
    private static final int KEY_BYTES = SECRET_OFFSET + TicketKey.SECRET_BYTES;

    TicketKeyDocument {
        keys = List.copyOf(keys);
    }

    /** Writes it into native memory, which the caller wipes by closing it. */
    SecretMemory encode() {
        SecretMemory memory = SecretMemory.of(KEYS_OFFSET + (long) keys.size() * KEY_BYTES);
        MemorySegment bytes = memory.segment();
        bytes.set(LONG, 0, lineage);
        bytes.set(LONG, GENERATION_OFFSET, generation);
        bytes.set(LONG, WRITTEN_OFFSET, writtenMillis);
        bytes.set(INT, COUNT_OFFSET, keys.size());
        for (int i = 0; i < keys.size(); i++) {
            encode(keys.get(i), bytes.asSlice(KEYS_OFFSET + (long) i * KEY_BYTES, KEY_BYTES));
        }
        return memory;
    }

    private static void encode(TimedTicketKey key, MemorySegment to) {
        MemorySegment secret = key.key().secret();
        to.set(INT, 0, key.generation());
        to.set(INT, SIZE_OFFSET, (int) secret.byteSize());
        to.set(LONG, NOT_BEFORE_OFFSET, key.notBeforeMillis());
        to.set(LONG, NOT_AFTER_OFFSET, key.notAfterMillis());
        MemorySegment.copy(secret, 0, to, SECRET_OFFSET, secret.byteSize());
    }

    /**
     * Reads one.
     *
     * @return the caller owns its keys
     * @throws TicketKeyException when it is none
     */
    static TicketKeyDocument decode(MemorySegment bytes) throws TicketKeyException {
        long size = bytes.byteSize();
        int count = size < KEYS_OFFSET ? -1 : bytes.get(INT, COUNT_OFFSET);
        if (count < 0 || count > TicketKeyRing.MAX_KEYS || size != KEYS_OFFSET + (long) count * KEY_BYTES) {
            throw new TicketKeyException(
                    "it has " + size + " bytes for " + count + " keys, which is no document of ours");
        }
        List<TimedTicketKey> keys = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                keys.add(decodeKey(bytes.asSlice(KEYS_OFFSET + (long) i * KEY_BYTES, KEY_BYTES)));
            }
        } catch (TicketKeyException | RuntimeException e) {
            keys.forEach(key -> key.key().close());
            throw e;
        }
        return new TicketKeyDocument(
                bytes.get(LONG, 0), bytes.get(LONG, GENERATION_OFFSET), bytes.get(LONG, WRITTEN_OFFSET), keys);
    }

    private static TimedTicketKey decodeKey(MemorySegment bytes) throws TicketKeyException {
        int secretBytes = bytes.get(INT, SIZE_OFFSET);
        if (secretBytes != TicketKey.SECRET_BYTES && secretBytes != TicketKey.SHORT_SECRET_BYTES) {
            throw new TicketKeyException("it has a key of " + secretBytes + " bytes, and there are none of that size");
        }
        return new TimedTicketKey(
                TicketKey.of(new MallocAllocator(), bytes.asSlice(SECRET_OFFSET, secretBytes)),
                bytes.get(INT, 0),
                bytes.get(LONG, NOT_BEFORE_OFFSET),
                bytes.get(LONG, NOT_AFTER_OFFSET));
    }

    /** Closes the keys, where nobody else has taken them. */
    void closeKeys() {
        keys.forEach(key -> key.key().close());
    }
}
