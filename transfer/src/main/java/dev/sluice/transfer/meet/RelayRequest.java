package dev.sluice.transfer.meet;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The request of a peer to a relay, the only message that it ever sends to the relay itself.
 *
 * <pre>
 *   0                 14     15         16                  48
 *   +-----------------+------+----------+-------------------+
 *   | sluice-meet/1\n | role | reserved |  rendezvous id    |
 *   +-----------------+------+----------+-------------------+
 * </pre>
 *
 * @param role the peer's
 * @param id the name under which the peers meet
 */
record RelayRequest(PeerRole role, RendezvousId id) {
    /** Size of a request. */
    static final int BYTES = 48;

    private static final byte[] MAGIC = "sluice-meet/1\n".getBytes(StandardCharsets.US_ASCII);
    private static final int ROLE_OFFSET = 14;
    private static final int RESERVED_OFFSET = 15;
    private static final int ID_OFFSET = 16;

    /** Returns the request as it is sent. */
    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .put(MAGIC)
                .put(role.code())
                .put((byte) 0)
                .put(id.bytes())
                .array();
    }

    /** Returns the request that {@value #BYTES} bytes contain, null for anything else. */
    static @Nullable RelayRequest decode(byte[] bytes) {
        PeerRole role = PeerRole.of(bytes[ROLE_OFFSET]);
        boolean known = Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length) && bytes[RESERVED_OFFSET] == 0;
        return known && role != null
                ? new RelayRequest(role, RendezvousId.of(Arrays.copyOfRange(bytes, ID_OFFSET, BYTES)))
                : null;
    }
}
