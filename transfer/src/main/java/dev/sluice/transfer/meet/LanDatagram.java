package dev.sluice.transfer.meet;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A datagram of discovery: the guest's query, or the host's answer, which is not longer. It contains a hash of the id
 * with the query's random number, so that it names no one to others, and an old answer fits no new query.
 *
 * <pre>
 *   0              13     14       30                     62     64
 *   +--------------+------+--------+----------------------+------+
 *   | sluice-lan/1\n| kind | nonce | hash of id and nonce | port |
 *   +--------------+------+--------+----------------------+------+
 * </pre>
 */
final class LanDatagram {
    /** Size of a datagram. */
    static final int BYTES = 64;

    private static final byte[] MAGIC = "sluice-lan/1\n".getBytes(StandardCharsets.US_ASCII);
    private static final int KIND_OFFSET = 13;
    private static final int NONCE_OFFSET = 14;
    private static final int NONCE_BYTES = 16;
    private static final int HASH_OFFSET = NONCE_OFFSET + NONCE_BYTES;
    private static final int PORT_OFFSET = HASH_OFFSET + RendezvousId.BYTES;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The two kinds of datagrams. */
    enum Kind {
        QUERY(0, "sluice-lan/1 query "),
        ANSWER(1, "sluice-lan/1 answer ");

        private final byte code;
        private final String label;

        Kind(int code, String label) {
            this.code = (byte) code;
            this.label = label;
        }

        private static @Nullable Kind of(byte code) {
            for (Kind each : values()) {
                if (each.code == code) {
                    return each;
                }
            }
            return null;
        }
    }

    private final Kind kind;
    private final byte[] nonce;
    private final byte[] hash;
    private final int port;

    /**
     * Creates a datagram.
     *
     * @param nonce the query's
     * @param hash of kind, id, nonce and port
     * @param port the host's TCP port; 0 in a query
     */
    private LanDatagram(Kind kind, byte[] nonce, byte[] hash, int port) {
        this.kind = kind;
        this.nonce = nonce;
        this.hash = hash;
        this.port = port;
    }

    /** Creates a query with a random nonce. */
    static LanDatagram query(RendezvousId id) {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return of(Kind.QUERY, id, nonce, 0);
    }

    /** Creates the answer to this query. */
    LanDatagram answer(RendezvousId id, int ownPort) {
        return of(Kind.ANSWER, id, nonce, ownPort);
    }

    private static LanDatagram of(Kind kind, RendezvousId id, byte[] nonce, int port) {
        return new LanDatagram(kind, nonce, hash(kind, id, nonce, port), port);
    }

    private static byte[] hash(Kind kind, RendezvousId id, byte[] nonce, int port) {
        byte[] more = ByteBuffer.allocate(NONCE_BYTES + Short.BYTES)
                .put(nonce)
                .putShort((short) port)
                .array();
        return id.hash(kind.label, more);
    }

    /** Returns the host's TCP port; 0 in a query. */
    int port() {
        return port;
    }

    /** Returns true for a query by a peer with this id. */
    boolean asksFor(RendezvousId id) {
        return kind == Kind.QUERY && port == 0 && fits(id);
    }

    /** Returns true for an answer to a query with this id. */
    boolean answers(LanDatagram query, RendezvousId id) {
        return kind == Kind.ANSWER && port != 0 && Arrays.equals(nonce, query.nonce) && fits(id);
    }

    private boolean fits(RendezvousId id) {
        return MessageDigest.isEqual(hash, hash(kind, id, nonce, port));
    }

    /** Returns the datagram as it is sent. */
    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .put(MAGIC)
                .put(kind.code)
                .put(nonce)
                .put(hash)
                .putShort((short) port)
                .array();
    }

    /** Returns the datagram in the bytes between position and limit, null for anything else. */
    static @Nullable LanDatagram decode(ByteBuffer from) {
        if (from.remaining() != BYTES) {
            return null;
        }
        byte[] bytes = new byte[BYTES];
        from.get(bytes);
        Kind kind = Kind.of(bytes[KIND_OFFSET]);
        if (kind == null || !Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            return null;
        }
        return new LanDatagram(
                kind,
                Arrays.copyOfRange(bytes, NONCE_OFFSET, HASH_OFFSET),
                Arrays.copyOfRange(bytes, HASH_OFFSET, PORT_OFFSET),
                ByteBuffer.wrap(bytes).getShort(PORT_OFFSET) & 0xFFFF);
    }
}
