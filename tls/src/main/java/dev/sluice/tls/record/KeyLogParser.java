package dev.sluice.tls.record;

import dev.sluice.ffi.RawMemory;
import dev.sluice.ffi.openssl.KeyLog;
import java.nio.charset.StandardCharsets;

/**
 * Writes the secrets of key-log lines into the {@link ConnectionKeys} of their connection, from native text to native
 * bytes, so that no secret ever becomes a Java String or array.
 *
 * <p>Lines are those of the SSLKEYLOGFILE format: {@code LABEL <64 hex digits of client random> <secret in hex>}.
 */
public final class KeyLogParser implements KeyLog.Sink {
    private static final byte[] CLIENT_TRAFFIC_SECRET = label("CLIENT_TRAFFIC_SECRET_0 ");
    private static final byte[] SERVER_TRAFFIC_SECRET = label("SERVER_TRAFFIC_SECRET_0 ");
    private static final byte[] MASTER_SECRET = label("CLIENT_RANDOM ");
    private static final int CLIENT_RANDOM_DIGITS = 64;

    /** Makes a parser; it has no state. */
    public KeyLogParser() {}

    @Override
    public void onLine(long slot, long line) {
        if (startsWith(line, CLIENT_TRAFFIC_SECRET)) {
            long to = TrafficKeys.secretAddress(ConnectionKeys.client(slot));
            take(slot, line + CLIENT_TRAFFIC_SECRET.length, to, Hash.MAX_BYTES, ConnectionKeys.CLIENT_SECRET);
        } else if (startsWith(line, SERVER_TRAFFIC_SECRET)) {
            long to = TrafficKeys.secretAddress(ConnectionKeys.server(slot));
            take(slot, line + SERVER_TRAFFIC_SECRET.length, to, Hash.MAX_BYTES, ConnectionKeys.SERVER_SECRET);
        } else if (startsWith(line, MASTER_SECRET)) {
            long to = ConnectionKeys.masterSecret(slot);
            take(
                    slot,
                    line + MASTER_SECRET.length,
                    to,
                    ConnectionKeys.MASTER_SECRET_BYTES,
                    ConnectionKeys.MASTER_SECRET);
        }
    }

    private static void take(long slot, long afterLabel, long to, int capacity, int secret) {
        long from = afterLabel + CLIENT_RANDOM_DIGITS;
        if (RawMemory.getByte(from) == ' ' && decode(from + 1, to, capacity)) {
            ConnectionKeys.found(slot, secret);
        }
    }

    /** Decodes hex digits up to the NUL; false, with nothing left behind, when they are malformed or too many. */
    private static boolean decode(long from, long to, int capacity) {
        int bytes = 0;
        for (long at = from; RawMemory.getByte(at) != 0; at += 2) {
            int high = digit(RawMemory.getByte(at));
            int low = high < 0 ? -1 : digit(RawMemory.getByte(at + 1));
            if (low < 0 || bytes == capacity) {
                RawMemory.zero(to, capacity);
                return false;
            }
            RawMemory.putByte(to + bytes++, (byte) ((high << 4) | low));
        }
        return bytes > 0;
    }

    private static int digit(byte character) {
        if (character >= '0' && character <= '9') {
            return character - '0';
        }
        int lower = character | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }

    private static boolean startsWith(long line, byte[] label) {
        for (int i = 0; i < label.length; i++) {
            if (RawMemory.getByte(line + i) != label[i]) {
                return false; // also at the NUL of a shorter line
            }
        }
        return true;
    }

    private static byte[] label(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
