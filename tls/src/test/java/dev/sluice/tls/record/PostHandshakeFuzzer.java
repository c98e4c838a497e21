package dev.sluice.tls.record;

import static dev.sluice.testkit.FuzzProperty.check;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.testkit.FuzzInput;
import java.util.Arrays;

/**
 * A fuzzer that feeds {@link RecordChannel} correctly sealed records of any inner type, content and padding, and
 * compares it with a model of RFC 8446 sections 4.6 and 6 that keeps all input in an array.
 *
 * <p>Input: the side, then records of type, padding, length, content.
 */
public final class PostHandshakeFuzzer {
    private static final int[] TYPES = {
        ContentType.HANDSHAKE,
        ContentType.ALERT,
        ContentType.APPLICATION_DATA,
        ContentType.CHANGE_CIPHER_SPEC,
        0,
        24,
        255
    };
    private static final int TICKET = 4;
    private static final int KEY_UPDATE = 24;

    private final ChannelPair pair;
    private final boolean fromClient;
    private final RecordChannel receiver;
    private final RecordChannel sender;
    private byte[] messages = {};
    private int emptyInARow;
    private int messagesInARow;
    private int warningsInARow;

    /** The expected outcome of the last record. */
    private enum Outcome {
        GOES_ON,
        KEYS_CHANGE,
        CLOSED,
        FAILED
    }

    private PostHandshakeFuzzer(ChannelPair pair, boolean fromClient) {
        this.pair = pair;
        this.fromClient = fromClient;
        this.receiver = fromClient ? pair.server : pair.client;
        this.sender = fromClient ? pair.client : pair.server;
    }

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        FuzzInput input = new FuzzInput(bytes);
        boolean fromClient = (input.octet() & 1) == 0;
        try (ChannelPair pair = new ChannelPair(CipherSuite.TLS_AES_128_GCM_SHA256)) {
            PostHandshakeFuzzer fuzzer = new PostHandshakeFuzzer(pair, fromClient);
            while (input.hasMore() && fuzzer.record(input)) {
                // one by one, until one ends the connection
            }
        }
    }

    /** Sends one record; returns whether the connection continues. */
    private boolean record(FuzzInput input) {
        int type = TYPES[input.octet() % TYPES.length];
        int padding = input.octet() % 20;
        byte[] content = input.take(input.octet());
        byte[] record = pair.record(fromClient, type, content, padding);
        Outcome expected = expected(seenType(type, content), type == 0 ? withoutType(content) : content);
        RawMemory.copy(record, 0, pair.room, record.length);
        int result = receiver.open(pair.room, record.length);
        switch (expected) {
            case GOES_ON, KEYS_CHANGE -> check(result == record.length, "refused: " + receiver.reason());
            case CLOSED -> check(result == RecordChannel.CLOSED, "not closed");
            case FAILED -> check(result == RecordChannel.FAILED, "not refused");
            default -> throw new AssertionError(expected);
        }
        checkPayload(expected, seenType(type, content), type == 0 ? withoutType(content) : content);
        return goOn(expected);
    }

    /**
     * Returns the effective type of a record: for type 0, which ends in padding, the last nonzero byte of the content.
     */
    private static int seenType(int type, byte[] content) {
        int last = lastNonZero(content);
        return type != 0 || last < 0 ? type : content[last] & 0xFF;
    }

    private static byte[] withoutType(byte[] content) {
        return Arrays.copyOf(content, Math.max(0, lastNonZero(content)));
    }

    private static int lastNonZero(byte[] content) {
        int at = content.length - 1;
        while (at >= 0 && content[at] == 0) {
            at--;
        }
        return at;
    }

    private Outcome expected(int type, byte[] content) {
        if (type != ContentType.HANDSHAKE && messages.length > 0) {
            return Outcome.FAILED;
        }
        return switch (type) {
            case ContentType.APPLICATION_DATA -> data(content);
            case ContentType.ALERT -> alert(content);
            case ContentType.HANDSHAKE -> content.length == 0 ? Outcome.FAILED : handshake(content);
            default -> Outcome.FAILED;
        };
    }

    private Outcome data(byte[] content) {
        if (content.length > 0) {
            emptyInARow = 0;
            messagesInARow = 0;
            warningsInARow = 0;
            return Outcome.GOES_ON;
        }
        return ++emptyInARow > RecordChannel.MAX_EMPTY_RECORDS_IN_A_ROW ? Outcome.FAILED : Outcome.GOES_ON;
    }

    private Outcome alert(byte[] content) {
        if (content.length != 2 || content[0] < 1 || content[0] > 2) {
            return Outcome.FAILED;
        }
        if (content[1] == Alert.USER_CANCELED) {
            return ++warningsInARow > RecordChannel.MAX_WARNINGS_IN_A_ROW ? Outcome.FAILED : Outcome.GOES_ON;
        }
        return content[1] == Alert.CLOSE_NOTIFY ? Outcome.CLOSED : Outcome.FAILED;
    }

    private Outcome handshake(byte[] content) {
        byte[] all = Arrays.copyOf(messages, messages.length + content.length);
        System.arraycopy(content, 0, all, messages.length, content.length);
        int at = 0;
        while (at < all.length) {
            int type = all[at];
            if (type != KEY_UPDATE && (type != TICKET || fromClient)) {
                return Outcome.FAILED;
            }
            if (all.length - at < 4) {
                break;
            }
            int length = ((all[at + 1] & 0xFF) << 16) | ((all[at + 2] & 0xFF) << 8) | (all[at + 3] & 0xFF);
            if (type == KEY_UPDATE ? length != 1 : length > PostHandshakeReader.MAX_TICKET_BYTES) {
                return Outcome.FAILED;
            }
            if (type == TICKET && !mayBecomeTicket(Arrays.copyOfRange(all, at + 4, all.length), length)) {
                return Outcome.FAILED;
            }
            if (all.length - at < 4 + length) {
                break;
            }
            if (type == KEY_UPDATE) {
                return keyUpdate(all, at);
            }
            at += 4 + length;
        }
        messages = Arrays.copyOfRange(all, at, all.length);
        return Outcome.GOES_ON;
    }

    /**
     * Returns whether the lengths so far are consistent: RFC 8446 section 4.6.1. Bytes after the message are ignored.
     */
    private static boolean mayBecomeTicket(byte[] body, int length) {
        int nonceAt = 8;
        if (length < nonceAt + 1 + 2 + 1 + 2) {
            return false;
        }
        if (body.length <= nonceAt) {
            return true;
        }
        int ticketAt = nonceAt + 1 + (body[nonceAt] & 0xFF);
        if (ticketAt + 2 + 1 + 2 > length) {
            return false;
        }
        if (body.length < ticketAt + 2) {
            return true;
        }
        int ticket = number(body, ticketAt);
        int extensionsAt = ticketAt + 2 + ticket;
        if (ticket == 0 || extensionsAt + 2 > length) {
            return false;
        }
        return body.length < extensionsAt + 2 || extensionsAt + 2 + number(body, extensionsAt) == length;
    }

    private static int number(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << Byte.SIZE | (bytes[at + 1] & 0xFF);
    }

    private Outcome keyUpdate(byte[] all, int at) {
        messages = new byte[0];
        boolean flood = ++messagesInARow > RecordChannel.MAX_MESSAGES_IN_A_ROW;
        boolean legal = all.length == at + 5 && (all[at + 4] == 0 || all[at + 4] == 1);
        return legal && !flood ? Outcome.KEYS_CHANGE : Outcome.FAILED;
    }

    private void checkPayload(Outcome expected, int type, byte[] content) {
        boolean data = expected == Outcome.GOES_ON && type == ContentType.APPLICATION_DATA;
        byte[] payload = new byte[receiver.payloadLength()];
        RawMemory.copy(receiver.payloadAddress(), payload, 0, payload.length);
        check(Arrays.equals(payload, data ? content : new byte[0]), "another payload");
    }

    /** Checks that the sender understands the receiver's output; keys change on both sides or on neither. */
    private boolean goOn(Outcome outcome) {
        if (outcome == Outcome.KEYS_CHANGE) {
            long keys = ConnectionKeys.sealing(fromClient ? pair.clientKeys : pair.serverKeys);
            pair.resources.schedule().nextGeneration(pair.suite, keys);
        }
        check((outcome == Outcome.FAILED) == (receiver.reason() != null), "a reason without a failure, or none");
        int bytes = receiver.writeControl(pair.room);
        if (bytes > 0) {
            int told = sender.open(pair.room, bytes);
            boolean failed = outcome == Outcome.FAILED;
            check(failed ? told == RecordChannel.FAILED : told == bytes, "the sender understands another thing");
            check(!failed || sender.alert() == receiver.alert(), "another alert");
        }
        check(bytes > 0 || outcome != Outcome.FAILED || receiver.alertReceived(), "a failure without an alert");
        boolean goesOn = outcome == Outcome.GOES_ON || outcome == Outcome.KEYS_CHANGE;
        if (goesOn) {
            checkAnswer();
        }
        return goesOn;
    }

    /** Checks the other direction, with data in it, since many key-update responses without data would be a flood. */
    private void checkAnswer() {
        long payload = pair.room + receiver.headroom();
        RawMemory.putByte(payload, (byte) 'a');
        int bytes = receiver.seal(payload, 1);
        check(sender.open(pair.room, bytes) == bytes && sender.payloadLength() == 1, "the other direction is broken");
    }
}
