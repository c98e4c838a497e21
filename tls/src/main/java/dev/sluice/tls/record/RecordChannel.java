package dev.sluice.tls.record;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.failure.EndReason;
import org.jspecify.annotations.Nullable;

/**
 * One established connection outside libssl: records opened and sealed in place, and the post-handshake protocol of key
 * updates, alerts and close_notify.
 *
 * <p>Sans-I/O, and without any buffer of its own. Its secrets are in {@link ConnectionKeys}, which its owner frees.
 * Pending control records (the response to a key update, an alert, close_notify) are flags until {@link #writeControl}
 * writes them; call it before {@link #seal}, since a key update must be sent first. There is one flag per kind, so that
 * a peer that does not read cannot accumulate responses: by RFC 8446 section 4.6.3 one key update answers any number of
 * requests. A closed output sends nothing more ({@link #owe}). Confined to one thread; no call allocates, except for
 * the first post-handshake message.
 *
 * <p>TLS 1.3: RFC 8446 sections 4.6.3, 5, 6. TLS 1.2: RFC 5246 sections 6, 7.2, AEAD suites only.
 */
public final class RecordChannel {
    /** Result of {@link #open}: the record is incomplete; {@link RecordAssembly} tells the bytes missing. */
    public static final int NEED_MORE = 0;

    /** Result of {@link #open}: the peer's close_notify. */
    public static final int CLOSED = -1;

    /** Result of {@link #open}: the connection must end; see {@link #alert()} and {@link #reason()}. */
    public static final int FAILED = -2;

    /** The maximum number of bytes that one {@link #writeControl} writes. */
    public static final int MAX_CONTROL_BYTES = 128;

    /**
     * System property: the number of records after which a key is updated, at least 1, if less than its AEAD allows.
     * For tests with other programs, which would otherwise never see an update.
     */
    public static final String RECORDS_PER_KEY_PROPERTY = "sluice.tls.records-per-key";

    private static final long RECORDS_PER_KEY = Math.max(1, Long.getLong(RECORDS_PER_KEY_PROPERTY, Long.MAX_VALUE));

    /** The maximum number of empty application-data records in a row: more are a flood. */
    public static final int MAX_EMPTY_RECORDS_IN_A_ROW = 32;

    /** The maximum number of handshake messages in a row without data, except key updates that we requested. */
    public static final int MAX_MESSAGES_IN_A_ROW = 32;

    /**
     * The maximum number of warnings in a row without data: one less than libssl's MAX_WARN_ALERT_COUNT (ssl/record),
     * at which it fails.
     */
    public static final int MAX_WARNINGS_IN_A_ROW = 4;

    /** The room that {@link #openInto} needs at its destination: a payload and its inner content type. */
    public static final int MAX_OPENED_BYTES = RecordProtector.MAX_PAYLOAD_BYTES + 1;

    private static final long IN_PLACE = 0;
    private static final int KEY_UPDATE = 24; // RFC 8446 section 4
    private static final int KEY_UPDATE_BYTES = 5;
    private static final int UPDATE_NOT_REQUESTED = 0;
    private static final int UPDATE_REQUESTED = 1;
    private static final int ALERT_BYTES = 2;
    private static final int WARNING = 1;
    private static final int FATAL = 2;
    private static final int NO_RENEGOTIATION = 100;
    private static final int TLS_1_2 = 0x0303;

    /** Pending key update. */
    private static final byte SEND_KEY_UPDATE = 1;

    private static final byte SEND_CLOSE_NOTIFY = 2;
    private static final byte SEND_FATAL_ALERT = 4;
    private static final byte SEND_NO_RENEGOTIATION = 8;
    private static final byte SEND_KEY_UPDATE_REQUEST = 16;

    /** A direction of the connection. */
    private enum Direction {
        OPEN,
        /** Closed by close_notify. */
        CLOSED,
        FAILED
    }

    private final RecordResources resources;
    private final RecordProtector protector;
    private final CipherSuite suite;
    private final long keys;
    private long sealingLimit;

    /** Created with the first handshake message, which most connections never receive. */
    private @Nullable HandshakeMessageReader messages;

    private long payloadAddress;
    private int payloadLength;
    private byte emptyRecordsInARow;
    private byte messagesInARow;
    private byte warningsInARow;

    /** The number of our key-update requests that may still be answered; one answer may cover several. */
    private int answersAwaited;

    /** The pending control records, a set of flags; written only by {@link #owe} and {@link #writeControl}. */
    private byte toSend;

    private char maxPayloadBytes = RecordProtector.MAX_PAYLOAD_BYTES;

    private Direction input = Direction.OPEN;
    private Direction output = Direction.OPEN;
    private short alert = -1;
    private @Nullable EndReason reason;

    /**
     * Takes over an established connection with derived keys and set sequence numbers.
     *
     * @param keys its {@link ConnectionKeys}, which must outlive this object
     */
    public RecordChannel(RecordResources resources, CipherSuite suite, long keys) {
        this.resources = resources;
        this.suite = suite;
        this.protector = resources.protector(suite.aead());
        this.keys = keys;
        this.sealingLimit = Math.min(suite.aead().recordLimit(), RECORDS_PER_KEY);
    }

    /** Returns the suite of the connection. */
    public CipherSuite suite() {
        return suite;
    }

    /** Returns the address of its {@link ConnectionKeys}. */
    public long keys() {
        return keys;
    }

    private long opening() {
        return ConnectionKeys.opening(keys);
    }

    private long sealing() {
        return ConnectionKeys.sealing(keys);
    }

    /** Returns the free bytes required before a payload to be sealed: header and, in TLS 1.2, explicit nonce. */
    public int headroom() {
        return suite.isTls13() ? RecordProtector.HEADER_BYTES : protector.headroom12();
    }

    /** Returns the free bytes required after a payload to be sealed. */
    public int tailroom() {
        return suite.isTls13() ? RecordProtector.TRAILER_BYTES : Aead.TAG_BYTES;
    }

    /**
     * Sets the number of records that one key may seal before an automatic key update; initially the AEAD's limit.
     *
     * @param records at least 1
     */
    public void sealingLimit(long records) {
        if (records < 1) {
            throw new IllegalArgumentException("a key must seal at least one record, records=" + records);
        }
        this.sealingLimit = records;
    }

    /** Returns the most payload of one record, in either direction. */
    public int maxPayloadBytes() {
        return maxPayloadBytes;
    }

    /**
     * Limits the payload of each record sealed or opened, as negotiated by max_fragment_length (RFC 6066 section 4). As
     * in libssl, the padding of a received record does not count.
     *
     * @param bytes 1 to {@link RecordProtector#MAX_PAYLOAD_BYTES}, which is the default
     */
    public void maxPayloadBytes(int bytes) {
        if (bytes < 1 || bytes > RecordProtector.MAX_PAYLOAD_BYTES) {
            throw new IllegalArgumentException(
                    "a record carries 1 to " + RecordProtector.MAX_PAYLOAD_BYTES + " bytes of payload, bytes=" + bytes);
        }
        maxPayloadBytes = (char) bytes;
    }

    // ---- opening

    /**
     * Opens the first received record in place.
     *
     * @param address of its header
     * @param available received bytes from there on, of this record and later ones
     * @return size of a complete record (its payload is at {@link #payloadAddress()}), or {@link #NEED_MORE}, {@link
     *     #CLOSED} or {@link #FAILED}
     */
    public int open(long address, int available) {
        return openInto(address, available, IN_PLACE);
    }

    /**
     * Opens the first received record into other memory, so that the payloads of many records become contiguous.
     *
     * @param address of its header
     * @param available received bytes from there on
     * @param destination destination of the payload, {@value #MAX_OPENED_BYTES} bytes that may all be overwritten; must
     *     not overlap the received bytes
     * @return as {@link #open}
     */
    public int openInto(long address, int available, long destination) {
        payloadLength = 0;
        if (input != Direction.OPEN) {
            return input == Direction.FAILED ? FAILED : CLOSED; // bytes after close_notify are ignored: RFC 8446 6.1
        }
        if (available < RecordProtector.HEADER_BYTES) {
            return NEED_MORE;
        }
        int type = RawMemory.getByte(address) & 0xFF;
        int record = RecordAssembly.recordBytes(address);
        if (!headerIsLegal(type, RawMemory.getShortBigEndian(address + 1) & 0xFFFF, record)) {
            return FAILED;
        }
        if (available < record) {
            return NEED_MORE;
        }
        return openWhole(address, record, destination == IN_PLACE ? address + headroom() : destination);
    }

    /** Returns the address of the last opened record's application data, inside the received bytes. */
    public long payloadAddress() {
        return payloadAddress;
    }

    /** Returns the application data size of the last opened record; 0 for control records. */
    public int payloadLength() {
        return payloadLength;
    }

    /**
     * Returns the longest record with a legal payload; less than the protocol's record limit, since padding counts as
     * payload in TLS 1.3 (RFC 8446 section 5.4) and TLS 1.2 records are not compressed.
     */
    int maxRecordBytes() {
        return headroom() + RecordProtector.MAX_PAYLOAD_BYTES + tailroom();
    }

    private boolean headerIsLegal(int type, int version, int record) {
        boolean tls13 = suite.isTls13();
        if (tls13
                ? type != ContentType.APPLICATION_DATA
                : type < ContentType.CHANGE_CIPHER_SPEC || type > ContentType.APPLICATION_DATA) {
            return illegal(Alert.UNEXPECTED_MESSAGE, EndReason.UNPROTECTED_RECORD);
        }
        if (version != TLS_1_2) {
            return illegal(tls13 ? Alert.DECODE_ERROR : Alert.PROTOCOL_VERSION, EndReason.WRONG_RECORD_VERSION);
        }
        if (record > maxRecordBytes()) {
            return illegal(Alert.RECORD_OVERFLOW, EndReason.RECORD_OVERFLOW);
        }
        // Too short for nonce, tag and inner type: it cannot open, however much follows.
        return record >= headroom() + tailroom() || illegal(Alert.BAD_RECORD_MAC, EndReason.BAD_RECORD_MAC);
    }

    private int openWhole(long address, int record, long payload) {
        int opened = suite.isTls13()
                ? protector.open(opening(), address, record, payload)
                : protector.open12(opening(), address, record, payload);
        if (opened < 0) {
            return fail(-opened, reasonOf(-opened));
        }
        int length = RecordProtector.length(opened);
        int type = RecordProtector.contentType(opened);
        if (length > maxPayloadBytes) {
            return fail(Alert.RECORD_OVERFLOW, EndReason.RECORD_OVERFLOW);
        }
        if (messages != null && messages.isInsideMessage() && !mayInterruptMessage(type)) {
            return fail(Alert.UNEXPECTED_MESSAGE, EndReason.INTERRUPTED_MESSAGE);
        }
        return switch (type) {
            case ContentType.APPLICATION_DATA -> data(payload, length, record);
            case ContentType.HANDSHAKE -> message(payload, length) ? record : FAILED;
            case ContentType.ALERT -> alert(payload, length, record);
            default -> fail(Alert.UNEXPECTED_MESSAGE, EndReason.UNEXPECTED_MESSAGE);
        };
    }

    /**
     * Returns whether a record may interrupt a fragmented message: never in TLS 1.3 (RFC 8446 section 5.1), alerts only
     * in TLS 1.2.
     */
    private boolean mayInterruptMessage(int type) {
        return type == ContentType.HANDSHAKE || (type == ContentType.ALERT && !suite.isTls13());
    }

    private static EndReason reasonOf(int alert) {
        return switch (alert) {
            case Alert.BAD_RECORD_MAC -> EndReason.BAD_RECORD_MAC;
            case Alert.RECORD_OVERFLOW -> EndReason.RECORD_OVERFLOW;
            default -> EndReason.UNEXPECTED_MESSAGE; // padding only
        };
    }

    private int data(long payload, int length, int record) {
        if (length == 0) {
            return ++emptyRecordsInARow > MAX_EMPTY_RECORDS_IN_A_ROW ? flood() : record;
        }
        emptyRecordsInARow = 0;
        messagesInARow = 0;
        warningsInARow = 0;
        payloadAddress = payload;
        payloadLength = length;
        return record;
    }

    private int flood() {
        return fail(Alert.UNEXPECTED_MESSAGE, EndReason.FLOOD);
    }

    private int alert(long payload, int length, int record) {
        if (length == 0) {
            return fail(Alert.UNEXPECTED_MESSAGE, EndReason.UNEXPECTED_MESSAGE); // RFC 8446 section 5.4
        }
        if (length != ALERT_BYTES) {
            return fail(Alert.DECODE_ERROR, EndReason.MALFORMED_ALERT);
        }
        int level = RawMemory.getByte(payload) & 0xFF;
        int description = RawMemory.getByte(payload + 1) & 0xFF;
        if (level != WARNING && level != FATAL) {
            return fail(Alert.ILLEGAL_PARAMETER, EndReason.MALFORMED_ALERT);
        }
        if (description == Alert.CLOSE_NOTIFY && (suite.isTls13() || level == WARNING)) {
            input = Direction.CLOSED;
            return CLOSED;
        }
        // A warning ends nothing in TLS 1.2; in TLS 1.3 only user_canceled is one: RFC 8446 section 6.
        boolean harmless = suite.isTls13() ? description == Alert.USER_CANCELED : level == WARNING;
        if (harmless) {
            return ++warningsInARow > MAX_WARNINGS_IN_A_ROW ? flood() : record;
        }
        alert = (short) description;
        end(EndReason.alertReceived(description));
        return FAILED;
    }

    /** Handles handshake bytes after the handshake. */
    private boolean message(long payload, int length) {
        HandshakeMessageReader reader = messages();
        int read = reader.read(payload, length);
        if (read < 0) {
            return illegal(-read, reader.reason());
        }
        return read == HandshakeMessageReader.NOTHING || message(read);
    }

    private boolean message(int kind) {
        boolean answered = kind == HandshakeMessageReader.KEY_UPDATE && answersAwaited > 0;
        if (answered) {
            answersAwaited--; // requested by us, so not part of a flood
        } else if (++messagesInARow > MAX_MESSAGES_IN_A_ROW) {
            return illegal(Alert.UNEXPECTED_MESSAGE, EndReason.FLOOD);
        }
        if (kind == HandshakeMessageReader.RENEGOTIATION) {
            owe(SEND_NO_RENEGOTIATION);
            return true;
        }
        resources.schedule().nextGeneration(suite, opening());
        if (kind == HandshakeMessageReader.KEY_UPDATE_REQUESTED) {
            owe(SEND_KEY_UPDATE);
        }
        return true;
    }

    private HandshakeMessageReader messages() {
        HandshakeMessageReader reader = messages;
        if (reader == null) {
            boolean server = ConnectionKeys.isServer(keys);
            reader = suite.isTls13() ? new PostHandshakeReader(server) : new RenegotiationReader(server);
            messages = reader;
        }
        return reader;
    }

    // ---- sealing

    /**
     * Seals application data in place.
     *
     * @param payload its address; {@link #headroom()} bytes before it and {@link #tailroom()} after it are overwritten
     * @param length 1 to {@link #maxPayloadBytes()}
     * @return size of the record, which begins {@link #headroom()} bytes before the payload
     * @throws IllegalStateException when control records are pending, or our side is closed
     */
    public int seal(long payload, int length) {
        requireSealable();
        return sealAs(payload, length, ContentType.APPLICATION_DATA, payload - headroom());
    }

    /**
     * Seals application data into other memory.
     *
     * @param payload its address; the byte after it is overwritten during the call
     * @param length 1 to {@link #maxPayloadBytes()}
     * @param record destination: {@link #headroom()}, length and {@link #tailroom()} bytes that do not overlap the
     *     payload
     * @return size of the record
     * @throws IllegalStateException when control records are pending, or our side is closed
     */
    public int sealInto(long payload, int length, long record) {
        requireSealable();
        return sealAs(payload, length, ContentType.APPLICATION_DATA, record);
    }

    private void requireSealable() {
        if (output != Direction.OPEN || controlWaits()) {
            throw new IllegalStateException("sealing while " + describe());
        }
    }

    /** Returns whether {@link #writeControl} has a record to send, which must precede sealing. */
    public boolean controlWaits() {
        if (suite.isTls13() && TrafficKeys.sequence(sealing()) >= sealingLimit) {
            owe(SEND_KEY_UPDATE);
        }
        return toSend != 0;
    }

    /**
     * Writes the pending control records.
     *
     * @param address destination of {@link #MAX_CONTROL_BYTES}
     * @return bytes written there, which must be sent in order with the data records
     */
    public int writeControl(long address) {
        int written = 0;
        if (controlWaits()) {
            int now = toSend;
            toSend = 0;
            if ((now & (SEND_KEY_UPDATE | SEND_KEY_UPDATE_REQUEST)) != 0) {
                boolean request = (now & SEND_KEY_UPDATE_REQUEST) != 0;
                answersAwaited += request ? 1 : 0;
                written += writeKeyUpdate(address, request ? UPDATE_REQUESTED : UPDATE_NOT_REQUESTED);
            }
            if ((now & SEND_NO_RENEGOTIATION) != 0) {
                written += writeAlert(address + written, WARNING, NO_RENEGOTIATION);
            }
            if ((now & SEND_FATAL_ALERT) != 0) {
                written += writeAlert(address + written, FATAL, alert);
            }
            if ((now & SEND_CLOSE_NOTIFY) != 0) {
                written += writeAlert(address + written, WARNING, Alert.CLOSE_NOTIFY);
            }
        }
        return written;
    }

    /** Updates our key before the next record, as for a peer's request. No effect in TLS 1.2. */
    public void updateKey() {
        if (suite.isTls13()) {
            owe(SEND_KEY_UPDATE);
        }
    }

    /**
     * Returns whether a key update is pending, and drops it: for a connection with one channel per direction, whose
     * sealing channel then updates its key.
     */
    public boolean takeKeyUpdate() {
        boolean pending = (toSend & SEND_KEY_UPDATE) != 0;
        toSend &= ~SEND_KEY_UPDATE;
        return pending;
    }

    /** Updates our key and requests an update from the peer: RFC 8446 section 4.6.3. No effect in TLS 1.2. */
    public void requestKeyUpdate() {
        if (suite.isTls13()) {
            owe(SEND_KEY_UPDATE_REQUEST);
        }
    }

    /**
     * Closes our direction with close_notify, which waits for {@link #writeControl}. Idempotent; no effect after a
     * failure.
     */
    public void closeOutput() {
        endOutput(Direction.CLOSED, SEND_CLOSE_NOTIFY);
    }

    /** Marks a control record as pending; nothing is sent after our side has ended. */
    private void owe(byte record) {
        if (output == Direction.OPEN) {
            toSend |= record;
        }
    }

    /**
     * Ends our direction with a last record; returns false if it had ended, after which nothing may follow: RFC 8446
     * section 6.1.
     */
    private boolean endOutput(Direction how, byte lastRecord) {
        if (output != Direction.OPEN) {
            return false;
        }
        owe(lastRecord);
        output = how;
        return true;
    }

    private int writeKeyUpdate(long address, int request) {
        long payload = address + headroom();
        RawMemory.putInt(payload, Integer.reverseBytes((KEY_UPDATE << 24) | 1));
        RawMemory.putByte(payload + 4, (byte) request);
        int bytes = sealAs(payload, KEY_UPDATE_BYTES, ContentType.HANDSHAKE, address);
        resources.schedule().nextGeneration(suite, sealing());
        return bytes;
    }

    private int writeAlert(long address, int level, int description) {
        long payload = address + headroom();
        RawMemory.putByte(payload, (byte) level);
        RawMemory.putByte(payload + 1, (byte) description);
        return sealAs(payload, ALERT_BYTES, ContentType.ALERT, address);
    }

    private int sealAs(long payload, int length, int type, long record) {
        return suite.isTls13()
                ? protector.seal(sealing(), payload, length, type, record)
                : protector.seal12(sealing(), payload, length, type, record);
    }

    // ---- failure

    /**
     * Fails the connection for a stream that ended without close_notify. The peer gets decode_error, as from libssl.
     */
    public void truncated() {
        fail(Alert.DECODE_ERROR, EndReason.TRUNCATED);
    }

    /**
     * Fails the connection for a reason found elsewhere: for a connection with one channel per direction, whose sealing
     * channel then sends the alert.
     *
     * @param alertToSend as {@link #alert()} of the opening channel
     */
    public void failed(int alertToSend, EndReason why) {
        fail(alertToSend, why);
    }

    /** Returns the alert that was sent or received, RFC 8446 section 6; -1 for none. */
    public int alert() {
        return alert;
    }

    /** Returns whether {@link #alert()} came from the peer. */
    boolean alertReceived() {
        return reason != null && reason.isAlertReceived();
    }

    /** Returns the reason for the failure; null without one. */
    public @Nullable EndReason reason() {
        return reason;
    }

    private boolean illegal(int alertToSend, EndReason why) {
        fail(alertToSend, why);
        return false;
    }

    private int fail(int alertToSend, EndReason why) {
        if (endOutput(Direction.FAILED, SEND_FATAL_ALERT)) {
            alert = (short) alertToSend;
        }
        end(why);
        return FAILED;
    }

    /** Nothing is opened or sealed any more, and nothing answered: what is owed but a last record is dropped. */
    private void end(EndReason why) {
        toSend &= SEND_FATAL_ALERT | SEND_CLOSE_NOTIFY;
        input = Direction.FAILED;
        output = Direction.FAILED;
        reason = why;
    }

    private String describe() {
        return switch (output) {
            case OPEN -> "control records are pending: call writeControl first";
            case CLOSED -> "our side is closed";
            case FAILED -> "the connection has failed: " + reason;
        };
    }
}
