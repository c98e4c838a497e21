package dev.sluice.tls.record;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** NewSessionTickets, well-formed (RFC 8446 section 4.6.1) and malformed. */
public final class Tickets {
    private static final int TYPE = 4;
    private static final int LIFETIME_AND_AGE_BYTES = 8;
    private static final int NO_EXTENSION = 0;

    private Tickets() {}

    /** Returns a ticket with the given sizes of its vectors. */
    public static byte[] of(int nonceBytes, int ticketBytes, int extensionBytes) {
        return message(body(nonceBytes, nonceBytes, ticketBytes, ticketBytes, extensionBytes, extensionBytes));
    }

    /** Returns well-formed tickets. */
    public static List<byte[]> wellFormed() {
        return List.of(of(8, 192, 8), of(0, 1, NO_EXTENSION), of(255, 1, NO_EXTENSION), of(1, 300, 8), of(0, 2, 300));
    }

    /** Returns malformed tickets, each with another defect. */
    public static List<byte[]> malformed() {
        List<byte[]> all = new ArrayList<>();
        all.add(of(8, 0, NO_EXTENSION)); // an empty ticket
        all.add(of(0, 0, 8));
        all.add(message(body(9, 8, 192, 192, 8, 8))); // the nonce takes one byte of the next vector
        all.add(message(body(255, 8, 20, 20, 0, 0))); // longer than the message
        all.add(message(body(8, 8, 193, 192, 8, 8)));
        all.add(message(body(8, 8, 0xFFFF, 192, 8, 8)));
        all.add(message(body(8, 8, 191, 192, 0, 0)));
        all.add(message(body(8, 8, 192, 192, 9, 8)));
        all.add(message(body(8, 8, 192, 192, 7, 8))); // something after the extensions
        all.add(message(body(8, 8, 192, 192, 0xFFFF, 8)));
        byte[] good = body(0, 0, 1, 1, 0, 0);
        for (int length = 0; length < good.length; length++) {
            all.add(message(Arrays.copyOf(good, length)));
        }
        all.add(message(Arrays.copyOf(good, good.length + 1)));
        return all;
    }

    /**
     * Returns a ticket body.
     *
     * @param nonceLength the encoded length, which may differ from the actual one; likewise for the others
     */
    private static byte[] body(
            int nonceLength,
            int nonceBytes,
            int ticketLength,
            int ticketBytes,
            int extensionLength,
            int extensionBytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(filled(LIFETIME_AND_AGE_BYTES));
        out.write(nonceLength);
        out.writeBytes(filled(nonceBytes));
        length16(out, ticketLength);
        out.writeBytes(filled(ticketBytes));
        length16(out, extensionLength);
        out.writeBytes(extensions(extensionBytes));
        return out.toByteArray();
    }

    /** Returns one extension of an unknown type. */
    private static byte[] extensions(int bytes) {
        byte[] result = new byte[bytes];
        if (bytes >= 4) {
            result[0] = (byte) 0xFE;
            result[2] = (byte) ((bytes - 4) >>> Byte.SIZE);
            result[3] = (byte) (bytes - 4);
        }
        return result;
    }

    private static byte[] filled(int bytes) {
        byte[] result = new byte[bytes];
        Arrays.fill(result, (byte) 'a');
        return result;
    }

    private static void length16(ByteArrayOutputStream out, int length) {
        out.write(length >>> Byte.SIZE);
        out.write(length);
    }

    private static byte[] message(byte[] body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(TYPE);
        out.write(body.length >>> (2 * Byte.SIZE));
        length16(out, body.length);
        out.writeBytes(body);
        return out.toByteArray();
    }
}
