package dev.sluice.tls.record;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.Ssl;

/**
 * All secrets of one connection, in one piece of native memory that the connection owns.
 *
 * <pre>
 *   0                          112                        224
 *   +--------------------------+--------------------------+
 *   | opening keys             | sealing keys             |
 *   | TrafficKeys, note: found | TrafficKeys, note: role  |
 *   +--------------------------+--------------------------+
 * </pre>
 *
 * <p>{@code found} records the delivered secrets, mainly from the key log; {@code role} selects the traffic secret that
 * opens. The master secret of TLS 1.2, which has no traffic secrets, is stored in place of the opening one until keys
 * are derived.
 */
public final class ConnectionKeys {
    /** Size of one connection's secrets. */
    public static final int BYTES = 2 * TrafficKeys.BYTES;

    /** In {@code found}: the client's sending secret. */
    public static final int CLIENT_SECRET = 1;

    /** In {@code found}: the server's sending secret. */
    public static final int SERVER_SECRET = 2;

    /** In {@code found}: the TLS 1.2 master secret. */
    public static final int MASTER_SECRET = 4;

    /** In {@code found}: the explicit nonce of our TLS 1.2 Finished. */
    public static final int FINISHED_NONCE = 8;

    /** In {@code found}: the secret for exporters, TLS 1.3's or the TLS 1.2 master secret. */
    public static final int EXPORTER_SECRET = 16;

    /** Size of the TLS 1.2 master secret. */
    public static final int MASTER_SECRET_BYTES = 48;

    static final int OPENING_OFFSET = 0;
    static final int SEALING_OFFSET = OPENING_OFFSET + TrafficKeys.BYTES;
    static final int FOUND_OFFSET = OPENING_OFFSET + TrafficKeys.NOTE_OFFSET;
    static final int ROLE_OFFSET = SEALING_OFFSET + TrafficKeys.NOTE_OFFSET;

    /** Size of the secrets of a connection that exports keying material. */
    static final int EXPORTING_BYTES = BYTES + Hash.MAX_BYTES + Ssl.RANDOMS_BYTES;

    private static final int EXPORTER_SECRET_OFFSET = BYTES;
    private static final int EXPORTER_RANDOMS_OFFSET = EXPORTER_SECRET_OFFSET + Hash.MAX_BYTES;

    private static final int SERVER_ROLE = 1;
    private static final int EXPORTING = 2;

    /** The contents that a block has room for. */
    public enum Layout {
        /** The secrets of the records. */
        RECORDS(BYTES),
        /** Those, and behind them the exporter's secret and, for TLS 1.2, both randoms. */
        RECORDS_AND_EXPORTER(EXPORTING_BYTES);

        private final int bytes;

        Layout(int bytes) {
            this.bytes = bytes;
        }

        /** Returns the size of a block. */
        public int bytes() {
            return bytes;
        }
    }

    private ConnectionKeys() {}

    /** Initializes the memory for a handshake. */
    public static void begin(long block, boolean server) {
        begin(block, server, Layout.RECORDS);
    }

    /** Initializes the memory of a layout for a handshake. */
    public static void begin(long block, boolean server, Layout layout) {
        RawMemory.zero(block, layout.bytes());
        int role = (server ? SERVER_ROLE : 0) | (layout == Layout.RECORDS_AND_EXPORTER ? EXPORTING : 0);
        RawMemory.putInt(block + ROLE_OFFSET, role);
    }

    /** Returns whether the block has room for the exporter's secret. */
    public static boolean isExporting(long block) {
        return (RawMemory.getInt(block + ROLE_OFFSET) & EXPORTING) != 0;
    }

    /** Returns the address of the exporter's secret, in a block with room for it. */
    public static long exporterSecret(long block) {
        return block + EXPORTER_SECRET_OFFSET;
    }

    /** Returns the address of server_random and client_random, in a block with room for the exporter's secret. */
    public static long exporterRandoms(long block) {
        return block + EXPORTER_RANDOMS_OFFSET;
    }

    /** Returns the {@link TrafficKeys} that open the peer's records. */
    public static long opening(long block) {
        return block + OPENING_OFFSET;
    }

    /** Returns the {@link TrafficKeys} that seal our records. */
    public static long sealing(long block) {
        return block + SEALING_OFFSET;
    }

    /** Returns the {@link TrafficKeys} of the client's records. */
    public static long client(long block) {
        return isServer(block) ? opening(block) : sealing(block);
    }

    /** Returns the {@link TrafficKeys} of the server's records. */
    public static long server(long block) {
        return isServer(block) ? sealing(block) : opening(block);
    }

    /** Returns the address of the TLS 1.2 master secret. */
    public static long masterSecret(long block) {
        return TrafficKeys.secretAddress(opening(block));
    }

    /** Returns whether this is the server side. */
    public static boolean isServer(long block) {
        return (RawMemory.getInt(block + ROLE_OFFSET) & SERVER_ROLE) != 0;
    }

    /** Records a delivered secret. */
    public static void found(long block, int secret) {
        RawMemory.putInt(block + FOUND_OFFSET, RawMemory.getInt(block + FOUND_OFFSET) | secret);
    }

    /** Returns whether all of these were delivered. */
    public static boolean has(long block, int secrets) {
        return (RawMemory.getInt(block + FOUND_OFFSET) & secrets) == secrets;
    }

    /** Overwrites everything with zeros. */
    public static void wipe(long block) {
        wipe(block, Layout.RECORDS);
    }

    /** Overwrites everything in a block of a layout with zeros. */
    public static void wipe(long block, Layout layout) {
        RawMemory.zero(block, layout.bytes());
    }
}
