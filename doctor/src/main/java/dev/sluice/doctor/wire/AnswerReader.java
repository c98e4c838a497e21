package dev.sluice.doctor.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * A parser of a server's answer from a stream: the records up to its ServerHello, or up to its key exchange, which is
 * in the clear before TLS 1.3. Reads at most {@value #MAX_BYTES} bytes.
 */
public final class AnswerReader {
    /** The maximum size of one answer: the longest chains have some tens of kilobytes. */
    public static final int MAX_BYTES = 128 * 1024;

    private static final int MAX_RECORD_BYTES = 16_384 + 2_048; // RFC 5246 section 6.2.3
    private static final int HEADER_BYTES = 5;
    private static final int ALERT = 21;
    private static final int HANDSHAKE = 22;
    private static final int WARNING = 1;
    private static final int UNRECOGNIZED_NAME = 112;
    private static final int SERVER_HELLO = 2;
    private static final int SERVER_KEY_EXCHANGE = 12;
    private static final int SERVER_HELLO_DONE = 14;
    private static final int NAMED_CURVE = 3;
    private static final int SHOWN_BYTES = 24;

    private final InputStream in;
    private final boolean wantsKeyExchange;
    private final ByteArrayOutputStream messages = new ByteArrayOutputStream();
    private int read;

    /**
     * Creates a reader for one answer.
     *
     * @param in throws when it takes too long
     * @param wantsKeyExchange true to read up to a plaintext key exchange
     */
    public AnswerReader(InputStream in, boolean wantsKeyExchange) {
        this.in = in;
        this.wantsKeyExchange = wantsKeyExchange;
    }

    /**
     * Reads until the answer is complete.
     *
     * @throws IOException when the connection breaks or times out
     */
    public ServerAnswer read() throws IOException {
        try {
            while (true) {
                byte[] header = in.readNBytes(HEADER_BYTES);
                if (header.length < HEADER_BYTES) {
                    return header.length == 0 && messages.size() == 0
                            ? new ServerAnswer.Closed()
                            : new ServerAnswer.NotTls("ends inside a record: " + shown(header));
                }
                ServerAnswer answer = onRecord(header);
                if (answer != null) {
                    return answer;
                }
            }
        } catch (MalformedException e) {
            return new ServerAnswer.NotTls(e.getMessage());
        }
    }

    private @Nullable ServerAnswer onRecord(byte[] header) throws IOException, MalformedException {
        ByteReader reader = new ByteReader(header);
        int type = reader.u8("type");
        int major = reader.u8("version");
        reader.u8("version");
        int length = reader.u16("length");
        if ((type != HANDSHAKE && type != ALERT) || major != 3 || length == 0 || length > MAX_RECORD_BYTES) {
            return new ServerAnswer.NotTls("begins with " + shown(header));
        }
        read += HEADER_BYTES + length;
        if (read > MAX_BYTES) {
            return new ServerAnswer.NotTls("sends more than " + MAX_BYTES + " bytes before its answer is complete");
        }
        byte[] content = in.readNBytes(length);
        if (content.length < length) {
            return new ServerAnswer.NotTls("ends inside a record of " + length + " bytes");
        }
        if (type == ALERT) {
            return onAlert(new ByteReader(content));
        }
        messages.writeBytes(content);
        return onMessages();
    }

    /** Handles an alert; some servers send a warning for an unknown name and continue. */
    private static @Nullable ServerAnswer onAlert(ByteReader alert) throws MalformedException {
        int level = alert.u8("alert level");
        int description = alert.u8("alert description");
        return level == WARNING && description == UNRECOGNIZED_NAME ? null : new ServerAnswer.Refused(description);
    }

    /** Parses the complete messages; returns null when more bytes are needed. */
    private @Nullable ServerAnswer onMessages() throws MalformedException {
        ByteReader reader = new ByteReader(messages.toByteArray());
        ServerHello hello = null;
        while (reader.remaining() >= 4) {
            int type = reader.u8("message type");
            int length = reader.u24("message length");
            if (length > MAX_BYTES) {
                throw new MalformedException("a message claims " + length + " bytes");
            }
            if (length > reader.remaining()) {
                return null;
            }
            ByteReader body = reader.part(length, "message");
            if (hello == null && type != SERVER_HELLO) {
                throw new MalformedException("message " + type + " comes before ServerHello");
            }
            if (hello != null && type == SERVER_HELLO) {
                throw new MalformedException("a second ServerHello comes before the end of the first flight");
            }
            if (type == SERVER_HELLO) {
                hello = ServerHello.parse(body);
                if (!wantsKeyExchange || hello.version() >= Version.TLS_1_3.number()) {
                    return new ServerAnswer.Chosen(hello, 0, hello.group());
                }
            } else if (hello != null && type == SERVER_KEY_EXCHANGE) {
                return keyExchange(hello, body);
            } else if (hello != null && type == SERVER_HELLO_DONE) {
                return new ServerAnswer.Chosen(hello, 0, 0);
            }
        }
        return null;
    }

    /** Parses the key exchange (RFC 4492 section 5.4, RFC 5246 section 7.4.3): a named curve, or a prime. */
    private static ServerAnswer keyExchange(ServerHello hello, ByteReader body) throws MalformedException {
        if (Suite.nameOf(hello.suite()).startsWith("TLS_DH")) {
            byte[] prime = body.vector16("dh_p").rest();
            return new ServerAnswer.Chosen(hello, new BigInteger(1, prime).bitLength(), 0);
        }
        boolean named = body.u8("curve_type") == NAMED_CURVE;
        return new ServerAnswer.Chosen(hello, 0, named ? body.u16("named_curve") : 0);
    }

    /** Returns the first bytes as text, if they are text. */
    private static String shown(byte[] bytes) {
        StringBuilder text = new StringBuilder("\"");
        for (int i = 0; i < Math.min(bytes.length, SHOWN_BYTES); i++) {
            int b = bytes[i] & 0xFF;
            text.append(b >= ' ' && b < 0x7F ? String.valueOf((char) b) : String.format("\\x%02x", b));
        }
        return text.append('"').toString();
    }
}
