package dev.sluice.jsse.conformance;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Records on the wire, as RFC 8446 section 5.1 has them. */
final class TlsRecords {
    static final int HEADER_BYTES = 5;
    static final int CHANGE_CIPHER_SPEC = 20;
    static final int ALERT = 21;
    static final int HANDSHAKE = 22;
    static final int APPLICATION_DATA = 23;

    private TlsRecords() {}

    /** Returns the records, each with its header. */
    static List<byte[]> split(byte[] wire) {
        List<byte[]> records = new ArrayList<>();
        ByteBuffer rest = ByteBuffer.wrap(wire);
        while (rest.hasRemaining()) {
            int length = HEADER_BYTES + Short.toUnsignedInt(rest.getShort(rest.position() + 3));
            byte[] each = new byte[length];
            rest.get(each);
            records.add(each);
        }
        return records;
    }

    /** Returns the records behind one another. */
    static byte[] join(List<byte[]> records) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        records.forEach(all::writeBytes);
        return all.toByteArray();
    }

    /** Returns a record that is not protected. */
    static byte[] record(int type, byte... payload) {
        return ByteBuffer.allocate(HEADER_BYTES + payload.length)
                .put((byte) type)
                .putShort((short) 0x0303)
                .putShort((short) payload.length)
                .put(payload)
                .array();
    }

    /** Returns the content type on the wire; protected records of TLS 1.3 show application data. */
    static int type(byte[] tlsRecord) {
        return Byte.toUnsignedInt(tlsRecord[0]);
    }
}
