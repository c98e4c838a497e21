package dev.sluice.gateway;

import dev.sluice.tls.record.Alert;
import dev.sluice.tls.record.ContentType;
import dev.sluice.tls.record.RecordProtector;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The behaviour of one hostile client after its handshake, drawn from a seed: records of every type, whole and in
 * pieces, among honest data, with reads, pauses and an end in between. Says afterwards what it did, and what it would
 * be wrong to have been answered.
 */
public final class RecordSequence {
    /** Behaviours that a client asks the backend for by its first byte. */
    static final String BACKENDS = "ecpshr";

    private static final int MOVES_MAX = 12;
    private static final int PIECES_MAX = 4;
    private static final int LONG_DATA_BYTES = 40_000;
    private static final int LENGTH_FIELD_MAX = 0xFFFF - 64;
    private static final int[] HANDSHAKE_TYPES = {0, 1, 2, 4, 5, 8, 11, 12, 13, 14, 15, 16, 20, 22, 24, 254, 255};
    private static final int[] ALERTS = {
        Alert.CLOSE_NOTIFY,
        Alert.UNEXPECTED_MESSAGE,
        Alert.BAD_RECORD_MAC,
        Alert.RECORD_OVERFLOW,
        Alert.DECODE_ERROR,
        Alert.PROTOCOL_VERSION,
        Alert.INTERNAL_ERROR,
        Alert.USER_CANCELED,
        40,
        41,
        42,
        48,
        86,
        100,
        109,
        112,
        116,
        255
    };
    private static final int KEY_UPDATE = 24;
    private static final int CLIENT_HELLO = 1;

    private final Random random;
    private final RecordSender client;
    private final StringBuilder told = new StringBuilder();
    /**
     * The data that an echo may send back: the content of records that keep to the rules, up to the first one that does
     * not.
     */
    private final ByteArrayOutputStream honest = new ByteArrayOutputStream();

    private boolean broken;
    private char backend = 'e';
    private boolean ended;

    public RecordSequence(long seed, RecordSender client) {
        this.random = new Random(seed);
        this.client = client;
    }

    /** The moves of a client. What ends a connection at once is rarer than what does not. */
    private enum Move {
        DATA(4),
        LONG_DATA(1),
        EMPTY_RECORDS(3),
        ALERT(2),
        BROKEN_ALERT(1),
        WARNINGS(3),
        HANDSHAKE_MESSAGE(2),
        HANDSHAKE_MESSAGES(2),
        HANDSHAKE_PIECES(2),
        HANDSHAKE_AMONG_DATA(1),
        RENEGOTIATION(4),
        KEY_UPDATE(4),
        KEY_UPDATES(2),
        FALSE_KEY_UPDATE(1),
        CHANGE_CIPHER_SPEC(1),
        UNKNOWN_TYPE(1),
        PADDED(3),
        OVERSIZE(1),
        FLIPPED_BIT(1),
        UNPROTECTED(1),
        GARBAGE(1),
        CLOSE_NOTIFY(2),
        HALF_A_RECORD(2),
        FLUSH(2),
        READ(3),
        READ_TO_THE_END(1),
        SHUT_DOWN(1);

        private static final List<Move> DRAWN = Arrays.stream(values())
                .flatMap(move -> Collections.nCopies(move.weight, move).stream())
                .toList();
        private final int weight;

        Move(int weight) {
            this.weight = weight;
        }
    }

    /** The ways in which a client leaves. */
    private enum End {
        /** FIN, or RST where something has not been read. */
        CLOSE,
        RESET,
        READ,
        CLOSE_NOTIFY
    }

    /** Does all of it. */
    public void run() throws IOException {
        if (random.nextInt(8) > 0) {
            backend = BACKENDS.charAt(random.nextInt(BACKENDS.length()));
            tell("backend " + backend);
            data(new byte[] {(byte) backend});
        }
        boolean readsFirst = random.nextInt(3) == 0;
        if (readsFirst) {
            // So that the backend has done what it does, an end above all.
            tell("reads to the end");
            client.flush();
            client.readToTheEnd();
        }
        for (int left = 1 + random.nextInt(MOVES_MAX); left > 0; left--) {
            move(Move.DRAWN.get(random.nextInt(Move.DRAWN.size())));
            if (random.nextBoolean()) {
                client.flush();
            }
        }
        end(End.values()[random.nextInt(End.values().length)]);
    }

    private void move(Move move) throws IOException {
        tell(move.name());
        switch (move) {
            case DATA -> data(bytes(1 + random.nextInt(2000)));
            case LONG_DATA -> longData();
            case EMPTY_RECORDS -> repeated(ContentType.APPLICATION_DATA, new byte[0]);
            case ALERT -> alert(random.nextInt(4), ALERTS[random.nextInt(ALERTS.length)]);
            case BROKEN_ALERT -> breaking(ContentType.ALERT, bytes(random.nextBoolean() ? 1 : 3 + random.nextInt(5)));
            case WARNINGS -> warnings();
            case HANDSHAKE_MESSAGE -> handshake(message());
            case HANDSHAKE_MESSAGES -> handshake(joined(message(), message()));
            case HANDSHAKE_PIECES -> pieces(message(), false);
            case HANDSHAKE_AMONG_DATA -> pieces(message(), true);
            case RENEGOTIATION -> renegotiationOrKeyUpdate();
            case KEY_UPDATE -> client.updateKey(random.nextBoolean());
            case KEY_UPDATES -> keyUpdates();
            case FALSE_KEY_UPDATE -> handshake(new byte[] {KEY_UPDATE, 0, 0, 1, (byte) random.nextInt(4)});
            case CHANGE_CIPHER_SPEC -> breaking(ContentType.CHANGE_CIPHER_SPEC, new byte[] {1});
            case UNKNOWN_TYPE -> breaking(unknownType(), bytes(random.nextInt(100)));
            case PADDED -> padded();
            case OVERSIZE -> oversize();
            case FLIPPED_BIT -> flippedBit();
            case UNPROTECTED -> unprotected();
            case GARBAGE -> garbage();
            case CLOSE_NOTIFY -> alert(1, Alert.CLOSE_NOTIFY);
            case HALF_A_RECORD -> halfARecord();
            case FLUSH -> client.flush();
            case READ -> client.read();
            case READ_TO_THE_END -> readToTheEnd();
            case SHUT_DOWN -> shutDown();
        }
    }

    // --- honest data ------------------------------------------------------------------------------------------------

    private void data(byte[] payload) {
        if (!broken) {
            noteHonest(payload);
        }
        client.seal(ContentType.APPLICATION_DATA, payload);
    }

    /** The first byte asks for a behaviour, also where it is a matter of chance. */
    private void noteHonest(byte[] payload) {
        if (honest.size() == 0 && payload.length > 0) {
            backend = BACKENDS.indexOf(payload[0]) < 0 ? 'e' : (char) payload[0];
        }
        honest.writeBytes(payload);
    }

    private void longData() {
        byte[] all = bytes(1 + random.nextInt(LONG_DATA_BYTES));
        for (int at = 0; at < all.length; at += RecordProtector.MAX_PAYLOAD_BYTES) {
            data(Arrays.copyOfRange(all, at, Math.min(all.length, at + RecordProtector.MAX_PAYLOAD_BYTES)));
        }
    }

    private void padded() {
        byte[] payload = bytes(1 + random.nextInt(1000));
        if (!client.isTls13()) {
            data(payload);
        } else if (random.nextInt(4) == 0) {
            breaking(0, new byte[random.nextInt(100)]); // nothing but padding
        } else {
            if (!broken) {
                noteHonest(payload);
            }
            client.sealPadded(ContentType.APPLICATION_DATA, payload, random.nextInt(5000));
        }
    }

    // --- what rules allow, and what they do not
    // -----------------------------------------------------------------------

    /** Nothing that comes behind it may be taken for the client's. */
    private void breaking(int contentType, byte[] payload) {
        client.seal(contentType, payload);
        broken = true;
    }

    private void repeated(int contentType, byte[] payload) {
        for (int left = 1 + random.nextInt(40); left > 0; left--) {
            client.seal(contentType, payload);
        }
    }

    private void alert(int level, int description) {
        client.seal(ContentType.ALERT, new byte[] {(byte) level, (byte) description});
        broken |= description == Alert.CLOSE_NOTIFY;
    }

    private void warnings() {
        byte description =
                (byte) (client.isTls13() ? Alert.USER_CANCELED : ALERTS[1 + random.nextInt(ALERTS.length - 1)]);
        repeated(ContentType.ALERT, new byte[] {1, description});
    }

    private void handshake(byte[] content) {
        client.seal(ContentType.HANDSHAKE, content);
    }

    /** Returns a message with a length that is mostly right. */
    private byte[] message() {
        byte[] body = bytes(random.nextInt(200));
        byte[] message = new byte[4 + body.length];
        int length = random.nextInt(5) == 0 ? random.nextInt(1 << 24) : body.length;
        message[0] = (byte) HANDSHAKE_TYPES[random.nextInt(HANDSHAKE_TYPES.length)];
        message[1] = (byte) (length >> 16);
        message[2] = (byte) (length >> 8);
        message[3] = (byte) length;
        System.arraycopy(body, 0, message, 4, body.length);
        return message;
    }

    private void pieces(byte[] message, boolean amongData) {
        int count = 2 + random.nextInt(PIECES_MAX);
        for (int i = 0; i < count; i++) {
            int from = message.length * i / count;
            handshake(Arrays.copyOfRange(message, from, message.length * (i + 1) / count));
            if (amongData) {
                data(bytes(1 + random.nextInt(50)));
            }
        }
    }

    /**
     * Sends the message that the version knows: in the other one it ends the connection, which must come to pass as
     * well, but rarely.
     */
    private void renegotiationOrKeyUpdate() {
        if (client.isTls13() && random.nextInt(8) > 0) {
            client.updateKey(random.nextBoolean());
        } else {
            renegotiation();
        }
    }

    /** A ClientHello as a client of TLS 1.2 sends it to renegotiate, one or several, in a record or more. */
    private void renegotiation() {
        byte[] hello = new byte[4 + 2 + 32 + 1 + 4 + 2];
        hello[0] = CLIENT_HELLO;
        hello[3] = (byte) (hello.length - 4);
        hello[4] = 3;
        hello[5] = 3;
        byte[] suites = {0, 2, (byte) 0xC0, 0x2B, 1, 0};
        System.arraycopy(suites, 0, hello, hello.length - suites.length, suites.length);
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
            handshake(random.nextBoolean() ? hello : joined(hello, hello));
        }
    }

    private void keyUpdates() {
        boolean requested = random.nextBoolean();
        for (int left = 1 + random.nextInt(40); left > 0; left--) {
            client.updateKey(requested);
        }
    }

    private int unknownType() {
        int type = random.nextInt(256);
        return type >= ContentType.CHANGE_CIPHER_SPEC && type <= ContentType.APPLICATION_DATA ? 24 : type;
    }

    private void oversize() {
        int[] lengths = {
            RecordProtector.MAX_PAYLOAD_BYTES + 1,
            RecordProtector.MAX_CIPHERTEXT_BYTES,
            RecordProtector.MAX_CIPHERTEXT_BYTES_12,
            LENGTH_FIELD_MAX
        };
        breaking(ContentType.APPLICATION_DATA, bytes(lengths[random.nextInt(lengths.length)]));
    }

    // --- below the records
    // --------------------------------------------------------------------------------------------

    private void flippedBit() {
        client.flush();
        broken = true;
        client.seal(ContentType.APPLICATION_DATA, bytes(1 + random.nextInt(100)));
        client.flipBit(random.nextInt(1000));
    }

    private void unprotected() {
        byte[] record = new byte[5 + random.nextInt(100)];
        random.nextBytes(record);
        int[] types = {20, 21, 22, 23};
        record[0] = (byte) types[random.nextInt(types.length)];
        record[1] = 3;
        record[2] = 3;
        record[3] = 0;
        record[4] = (byte) (record.length - 5);
        broken = true;
        client.raw(record);
    }

    private void garbage() {
        broken = true;
        client.raw(bytes(1 + random.nextInt(3000)));
    }

    private void halfARecord() {
        data(bytes(100 + random.nextInt(1000)));
        client.flushSome(random.nextInt(100));
    }

    private void shutDown() throws IOException {
        client.flush();
        if (!ended) {
            ended = true;
            client.shutDown();
        }
    }

    private void readToTheEnd() {
        client.flush();
        client.readToTheEnd();
    }

    // --- its end
    // ------------------------------------------------------------------------------------------------------

    private void end(End end) throws IOException {
        tell("end " + end);
        switch (end) {
            case CLOSE -> client.flush();
            case RESET -> client.reset();
            case READ -> readToTheEnd();
            case CLOSE_NOTIFY -> {
                alert(1, Alert.CLOSE_NOTIFY);
                readToTheEnd();
            }
        }
    }

    // --- what came of it
    // ------------------------------------------------------------------------------------------------

    /** Returns the fault in the answers; "" when there was none. */
    public String complaint() {
        String wrong = client.complaint();
        if (wrong != null) {
            return "the gateway's records do not open: " + wrong;
        }
        byte[] sent = honest.toByteArray();
        byte[] came = client.received();
        boolean isEcho = came.length <= sent.length && Arrays.equals(came, 0, came.length, sent, 0, came.length);
        return backend != 'e' || isEcho
                ? ""
                : "an echo of " + came.length + " bytes is none of the " + sent.length + " that were sent";
    }

    @Override
    public String toString() {
        return told.toString();
    }

    private void tell(String what) {
        told.append(told.isEmpty() ? "" : ", ").append(what);
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
