package dev.sluice.tls.record;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.KeyLog;
import java.nio.charset.StandardCharsets;

/**
 * A parser of key-log lines, which writes their secrets into the {@link ConnectionKeys} of their connection: from
 * native text to native bytes, so that no secret becomes a Java String or array.
 *
 * <p>Lines have the SSLKEYLOGFILE format: {@code LABEL <64 hex digits of client random> <secret in hex>},
 * NUL-terminated. A malformed line, or a secret of the wrong length, changes nothing.
 */
public final class KeyLogParser implements KeyLog.Sink {
    private static final byte[] CLIENT_TRAFFIC_SECRET = label("CLIENT_TRAFFIC_SECRET_0 ");
    private static final byte[] SERVER_TRAFFIC_SECRET = label("SERVER_TRAFFIC_SECRET_0 ");
    private static final byte[] EXPORTER_SECRET = label("EXPORTER_SECRET ");
    private static final byte[] MASTER_SECRET = label("CLIENT_RANDOM ");
    private static final int CLIENT_RANDOM_DIGITS = 64;

    /** Creates a parser; it has no state. */
    public KeyLogParser() {}

    @Override
    public void onLine(long slot, long line) {
        if (startsWith(line, CLIENT_TRAFFIC_SECRET)) {
            long to = TrafficKeys.secretAddress(ConnectionKeys.client(slot));
            takeTrafficSecret(slot, line + CLIENT_TRAFFIC_SECRET.length, to, ConnectionKeys.CLIENT_SECRET);
        } else if (startsWith(line, SERVER_TRAFFIC_SECRET)) {
            long to = TrafficKeys.secretAddress(ConnectionKeys.server(slot));
            takeTrafficSecret(slot, line + SERVER_TRAFFIC_SECRET.length, to, ConnectionKeys.SERVER_SECRET);
        } else if (startsWith(line, EXPORTER_SECRET) && ConnectionKeys.isExporting(slot)) {
            long to = ConnectionKeys.exporterSecret(slot);
            takeTrafficSecret(slot, line + EXPORTER_SECRET.length, to, ConnectionKeys.EXPORTER_SECRET);
        } else if (startsWith(line, MASTER_SECRET)) {
            takeMasterSecret(slot, line + MASTER_SECRET.length);
        }
    }

    private static void takeTrafficSecret(long slot, long random, long to, int secret) {
        int bytes = secretBytes(random);
        if (bytes == Hash.SHA_256.bytes() || bytes == Hash.SHA_384.bytes()) {
            RawMemory.zero(to, Hash.MAX_BYTES);
            take(slot, random, to, bytes, secret);
        }
    }

    private static void takeMasterSecret(long slot, long random) {
        int bytes = secretBytes(random);
        if (bytes == ConnectionKeys.MASTER_SECRET_BYTES) {
            take(slot, random, ConnectionKeys.masterSecret(slot), bytes, ConnectionKeys.MASTER_SECRET);
        }
    }

    /** Returns the size of the secret after the client random; 0 when the rest of the line is malformed. */
    private static int secretBytes(long random) {
        if (digits(random) != CLIENT_RANDOM_DIGITS || RawMemory.getByte(random + CLIENT_RANDOM_DIGITS) != ' ') {
            return 0;
        }
        int digits = digits(random + CLIENT_RANDOM_DIGITS + 1);
        boolean toTheEnd = RawMemory.getByte(random + CLIENT_RANDOM_DIGITS + 1 + digits) == 0;
        return toTheEnd && digits % 2 == 0 ? digits / 2 : 0;
    }

    /** Returns the number of hex digits at an address; reads nothing beyond the line's end. */
    private static int digits(long from) {
        int count = 0;
        while (digit(RawMemory.getByte(from + count)) >= 0) {
            count++;
        }
        return count;
    }

    private static void take(long slot, long random, long to, int bytes, int secret) {
        long from = random + CLIENT_RANDOM_DIGITS + 1;
        for (int i = 0; i < bytes; i++) {
            int high = digit(RawMemory.getByte(from + 2L * i));
            int low = digit(RawMemory.getByte(from + 2L * i + 1));
            RawMemory.putByte(to + i, (byte) ((high << 4) | low));
        }
        ConnectionKeys.found(slot, secret);
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
                return false; // also stops at the NUL of a shorter line
            }
        }
        return true;
    }

    private static byte[] label(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
