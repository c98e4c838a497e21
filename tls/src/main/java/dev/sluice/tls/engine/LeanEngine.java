package dev.sluice.tls.engine;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.memory.Slab;
import dev.sluice.tls.context.ContextSettings;
import dev.sluice.tls.context.ServerNames;
import dev.sluice.tls.context.SharedContext;
import dev.sluice.tls.context.SharedNames;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.ech.EchOutcome;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.TlsAlert;
import dev.sluice.tls.failure.TlsFailure;
import dev.sluice.tls.lean.Choice;
import dev.sluice.tls.lean.FallbackReason;
import dev.sluice.tls.lean.FinishedReader;
import dev.sluice.tls.lean.HandshakeSecrets;
import dev.sluice.tls.lean.LeanContext;
import dev.sluice.tls.lean.LeanHello;
import dev.sluice.tls.lean.ServerFlight;
import dev.sluice.tls.lean.TicketWriter;
import dev.sluice.tls.record.Alert;
import dev.sluice.tls.record.ConnectionKeys;
import dev.sluice.tls.record.ContentType;
import dev.sluice.tls.record.CryptoMeter;
import dev.sluice.tls.record.RecordAssembly;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.tls.record.RecordProtector;
import dev.sluice.tls.ticket.TicketResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A server's handshake without libssl, in the place of an engine until it is complete, or until it is left to libssl:
 * see {@link dev.sluice.tls.lean}.
 *
 * <pre>
 *   HELLO ──flight written──▶ FINISHED ──client's Finished verified──▶ DONE
 *     └──▶ FALLBACK, before any output       └──▶ FAILED, with an alert under the server's keys
 * </pre>
 *
 * <p>Owns up to two leased buffers, one per direction, and a block of secrets besides the connection's keys, until
 * {@link #finish} or {@link #close()}. Confined to the thread of its {@link LoopCrypto}.
 */
final class LeanEngine implements BufferedEngine {
    /** Result of {@link #handshake}: libssl continues with the received bytes. */
    static final int FALL_BACK = -100;

    private static final String TLS_1_3 = "TLSv1.3";
    private static final long NONE = 0;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long MILLIS_PER_SECOND = 1_000;

    /** The most records without effect before Finished; a client of RFC 8446 appendix D.4 sends one. */
    private static final int MAX_IGNORED = 32;

    private static final int MAX_SERVER_NAME = 255;
    private static final int DELETE = 0x7F;
    private static final int WARNING = 1;
    private static final int FATAL = 2;

    private enum Step {
        HELLO,
        FINISHED,
        DONE,
        FALLBACK,
        FAILED
    }

    private final LoopCrypto crypto;
    private final SharedContext origin;
    private final long keys;
    private final long secrets;
    private EngineState state = EngineState.NEW;
    private Step step = Step.HELLO;

    /**
     * Received bytes, in the slab's window. Leased from the start to the end, so that a handshake that has begun never
     * lacks one; null after the end.
     */
    private @Nullable Slab incoming;

    private boolean lent;
    private boolean endOfStream;
    private boolean closed;

    /** The flight, in the slab's window; null when everything was sent. */
    private @Nullable Slab outgoing;

    // What the flight has settled; null before it.
    private @Nullable Choice choice;
    private @Nullable LeanContext chosen;
    private @Nullable FinishedReader finished;

    private String serverName = "";
    private byte[] protocol = {};
    private boolean ticketWelcome;

    /** The key of the ticket whose session is resumed; NONE for a full handshake. */
    private TicketResult ticket = TicketResult.NONE;

    private boolean olderTicketOffered;
    private int ignored;
    private long beganNanos;
    private long handshakeNanos;
    private long cpuNanos;
    private final int weight;
    private @Nullable HandshakeInfo info;
    private @Nullable TlsFailure failure;

    /**
     * Creates an engine.
     *
     * @param origin its first context is lean; retained until the end
     * @param keys the connection's keys, which the caller owns
     * @param incoming a leased buffer, owned from now on unless this throws
     */
    LeanEngine(LoopCrypto crypto, SharedContext origin, long keys, Slab incoming) {
        this.crypto = crypto;
        this.origin = origin;
        this.keys = keys;
        this.incoming = incoming;
        origin.retain();
        try {
            secrets = crypto.keys().take(true);
        } catch (Throwable t) {
            origin.release();
            throw t;
        }
        this.weight = crypto.meter().nextHandshake();
    }

    String serverName() {
        return serverName;
    }

    @Override
    public @Nullable TlsFailure failure() {
        return failure;
    }

    @Override
    public @Nullable HandshakeInfo handshakeInfo() {
        return info;
    }

    /** Returns the CPU time of the handshake so far, including the handshakes that it represents; 0 when not timed. */
    long cpuNanos() {
        return cpuNanos;
    }

    // ---- received bytes

    @Override
    public int receiveCapacity() {
        Slab slab = lend();
        return limit(slab) - slab.end();
    }

    @Override
    public long receiveAddress() {
        Slab slab = lend();
        return slab.address() + slab.end();
    }

    private Slab lend() {
        Slab slab = Objects.requireNonNull(incoming);
        if (!lent && step != Step.FALLBACK) {
            RecordAssembly.makeRoom(slab, 0, Math.max(1, RecordAssembly.missingBytes(slab)));
        }
        lent = slab.end() < limit(slab);
        return slab;
    }

    /** Returns the end of the room: until the flight is written, libssl must be able to take all that was received. */
    private int limit(Slab slab) {
        return step == Step.HELLO || step == Step.FALLBACK
                ? Math.min(slab.capacity(), origin.entry().settings().ringBytes())
                : slab.capacity();
    }

    @Override
    public void received(int count) {
        Slab slab = incoming;
        if (slab == null) {
            return;
        }
        if (count < 0 || count > limit(slab) - slab.end()) {
            throw new IllegalArgumentException("received more than the room, count=" + count + ", capacity="
                    + (limit(slab) - slab.end()) + "; check receiveCapacity() before each receive");
        }
        lent = false;
        slab.window(slab.start(), slab.end() + count);
    }

    @Override
    public void receivedEndOfStream() {
        endOfStream = true;
        lent = false;
    }

    // ---- what needs an established connection

    @Override
    public EngineState state() {
        return state;
    }

    @Override
    public int read(long address, int capacity) {
        on(EngineEvent.READ);
        return EngineStatus.FAILED;
    }

    @Override
    public int write(long address, int length) {
        on(EngineEvent.WRITE);
        return EngineStatus.FAILED;
    }

    @Override
    public int closeOutput() {
        on(EngineEvent.CLOSE_OUTPUT);
        return state == EngineState.FAILED ? EngineStatus.FAILED : EngineStatus.DONE;
    }

    @Override
    public boolean hasPendingPlaintext() {
        return false;
    }

    @Override
    public @Nullable TlsSession session() {
        throw new IllegalStateException("a server has no sessions to resume; only clients do");
    }

    private void on(EngineEvent event) {
        state = StateMachine.next(state, event);
    }

    /** Returns the address of the connection's {@link HandshakeSecrets}. */
    long secrets() {
        return secrets;
    }

    // ---- what libssl continues with

    /** Returns the context that it continues with. */
    SharedContext origin() {
        return origin;
    }

    /** Returns whether libssl has continued the handshake, and this only holds memory that was lent. */
    boolean isLeft() {
        return step == Step.FALLBACK;
    }

    /** Returns the number of received bytes. */
    int unread() {
        return incoming == null ? 0 : incoming.length();
    }

    /** Returns their address. */
    long unreadAddress() {
        return incoming == null ? NONE : incoming.payloadAddress();
    }

    /** Returns whether a receive into the buffer may be pending. */
    boolean isLent() {
        return lent;
    }

    // ---- bytes to send

    @Override
    public int sendLength() {
        return outgoing == null ? 0 : outgoing.length();
    }

    @Override
    public long sendAddress() {
        return outgoing == null ? NONE : outgoing.payloadAddress();
    }

    @Override
    public void sent(int count) {
        Slab slab = outgoing;
        if (slab == null) {
            return;
        }
        slab.consume(count);
        if (slab.length() == 0) {
            outgoing = null;
            slab.release();
        }
    }

    // ---- the handshake

    /**
     * Continues as far as the received bytes allow.
     *
     * @return DONE, WANT_READ, FAILED or {@link #FALL_BACK}
     */
    @Override
    public int handshake() {
        on(EngineEvent.HANDSHAKE);
        if (state != EngineState.HANDSHAKE) {
            return state == EngineState.FAILED ? EngineStatus.FAILED : EngineStatus.DONE;
        }
        long now = System.nanoTime();
        if (beganNanos == 0) {
            beganNanos = now;
        }
        CryptoMeter meter = crypto.meter();
        long cpuBegin = weight == 0 ? 0 : meter.begin();
        int status;
        try {
            status = step == Step.HELLO ? readHello() : readRecords();
        } catch (OpenSslException e) {
            status = failed(e);
        }
        cpuNanos += weight == 0 ? 0 : meter.since(cpuBegin) * weight;
        handshakeNanos += System.nanoTime() - now;
        if (step == Step.DONE) {
            info = describe();
            on(EngineEvent.ESTABLISHED);
        } else if (step == Step.FAILED) {
            on(EngineEvent.FAIL);
        }
        return status;
    }

    private int readHello() {
        Slab slab = incoming;
        int available = slab == null ? 0 : slab.length();
        int record = available == 0 ? LeanHello.INCOMPLETE : LeanHello.recordBytes(unreadAddress(), available);
        if (record == LeanHello.INCOMPLETE && !endOfStream) {
            return EngineStatus.WANT_READ;
        }
        if (slab == null || record <= 0 || record != available) {
            return fallBack(FallbackReason.FORM);
        }
        LeanHello hello = LeanHello.at(slab.payloadAddress(), record);
        FallbackReason obstacle = hello.index();
        if (obstacle == null) {
            obstacle = answer(hello);
        }
        if (obstacle != null) {
            return fallBack(obstacle);
        }
        slab.consume(record);
        step = Step.FINISHED;
        return EngineStatus.WANT_READ;
    }

    /** Writes the flight; returns the reason for which libssl has to answer, or null. */
    private @Nullable FallbackReason answer(LeanHello hello) {
        boolean encrypted =
                hello.hasEncryptedHello() && origin.entry().settings().ech() != null;
        if (encrypted || hello.isInnerHello()) {
            return FallbackReason.ENCRYPTED_HELLO;
        }
        byte[] named = hello.serverName();
        String name = ServerNames.hostName(named);
        if (named != null && !isUsual(name)) {
            return FallbackReason.FORM;
        }
        TlsContext context = origin.select(name);
        LeanContext lean = context == null ? null : context.settings().lean();
        if (context == null || lean == null) {
            return FallbackReason.CONTEXT;
        }
        ContextSettings settings = context.settings();
        int offset = hello.hasAlpn() ? settings.alpn().choose(hello.alpnAddress(), hello.alpnBytes()) : -1;
        boolean refused = hello.hasAlpn()
                ? settings.alpn().isRefused(offset)
                : settings.alpn().isRequired();
        if (refused) {
            return FallbackReason.ALPN;
        }
        Choice made = Choice.of(hello, lean);
        if (made == null) {
            return Choice.obstacle(hello, lean);
        }
        serverName = name == null ? "" : name;
        protocol = offset < 0 ? new byte[0] : settings.alpn().name(hello.alpnAddress(), offset);
        boolean stapling = hello.isStatusRequested() && !hello.isPskOffered();
        byte[] staple =
                stapling ? settings.staples().responseFor(made.identity().certificateAddress()) : null;
        return write(hello, lean, made, staple);
    }

    /** Returns whether a server name is one that nobody could read in two ways. */
    private static boolean isUsual(@Nullable String name) {
        return name != null
                && name.length() <= MAX_SERVER_NAME
                && name.chars().allMatch(character -> character > ' ' && character < DELETE);
    }

    private @Nullable FallbackReason write(LeanHello hello, LeanContext lean, Choice made, byte @Nullable [] staple) {
        Slab slab = crypto.tryLease();
        if (slab == null) {
            return FallbackReason.BUFFERS;
        }
        boolean kept = false;
        try {
            ServerFlight flight = new ServerFlight(crypto.lean(), hello, made, staple, protocol);
            long now = System.currentTimeMillis() / MILLIS_PER_SECOND;
            int room = slab.capacity() - lean.tickets() * (TicketWriter.MAX_BYTES + RecordProtector.TRAILER_BYTES + 5);
            int written = flight.write(lean, now, slab.address(), room, keys, secrets);
            if (written <= 0) {
                return switch (written) {
                    case ServerFlight.TOO_LARGE -> FallbackReason.SIZE;
                    case ServerFlight.NO_SESSION -> FallbackReason.PRE_SHARED_KEY;
                    default -> FallbackReason.BAD_KEY_SHARE;
                };
            }
            ticket = flight.ticket();
            if (ticket != TicketResult.NONE) {
                Objects.requireNonNull(lean.keys()).count(ticket);
            }
            slab.window(0, written);
            outgoing = slab;
            kept = true;
        } finally {
            if (!kept) {
                slab.release();
            }
        }
        crypto.countedLeanFlight();
        choice = made;
        chosen = lean;
        ticketWelcome = hello.isTicketWelcome();
        olderTicketOffered = hello.isOlderTicketOffered();
        finished = new FinishedReader(made.suite().hash().bytes());
        return null;
    }

    private int fallBack(FallbackReason reason) {
        step = Step.FALLBACK;
        crypto.counted(reason);
        return FALL_BACK;
    }

    private int readRecords() {
        while (step == Step.FINISHED) {
            Slab slab = incoming;
            if (slab == null || slab.length() < RecordProtector.HEADER_BYTES) {
                return awaitMore();
            }
            int record = RecordAssembly.recordBytes(slab.payloadAddress());
            if (record > RecordProtector.HEADER_BYTES + RecordProtector.MAX_CIPHERTEXT_BYTES) {
                return fail(EndReason.RECORD_OVERFLOW, Alert.RECORD_OVERFLOW);
            }
            if (record > slab.length()) {
                return awaitMore();
            }
            readRecord(slab.payloadAddress(), record);
            if (step != Step.FAILED) {
                slab.consume(record);
            }
        }
        return step == Step.DONE ? EngineStatus.DONE : EngineStatus.FAILED;
    }

    private int awaitMore() {
        if (endOfStream) {
            failure = TlsFailures.endedInHandshake(true);
            queueAlert(failure.alert());
            step = Step.FAILED;
            return EngineStatus.FAILED;
        }
        return EngineStatus.WANT_READ;
    }

    private void readRecord(long record, int length) {
        int type = RawMemory.getByte(record) & 0xFF;
        long content = record + RecordProtector.HEADER_BYTES;
        int contentBytes = length - RecordProtector.HEADER_BYTES;
        switch (type) {
            case ContentType.APPLICATION_DATA -> openRecord(record, length);
            case ContentType.CHANGE_CIPHER_SPEC -> readChangeCipherSpec(content, contentBytes);
            case ContentType.ALERT -> readAlert(content, contentBytes); // of a client that could not derive its keys
            default -> fail(EndReason.UNEXPECTED_MESSAGE, Alert.UNEXPECTED_MESSAGE);
        }
    }

    /** Drops the record of middlebox compatibility: RFC 8446 section 5. */
    private void readChangeCipherSpec(long content, int length) {
        boolean valid = length == 1 && RawMemory.getByte(content) == 1;
        boolean inside = Objects.requireNonNull(finished).isInsideMessage();
        if (!valid || inside) {
            fail(EndReason.UNEXPECTED_MESSAGE, Alert.UNEXPECTED_MESSAGE);
        } else {
            countIgnored();
        }
    }

    private void countIgnored() {
        if (++ignored > MAX_IGNORED) {
            fail(EndReason.FLOOD, Alert.UNEXPECTED_MESSAGE);
        }
    }

    private void openRecord(long record, int length) {
        RecordProtector protector = crypto.resources()
                .protector(Objects.requireNonNull(choice).suite().aead());
        int opened = protector.open(HandshakeSecrets.clientKeys(secrets), record, length);
        if (opened < 0) {
            fail(reasonOf(-opened), -opened);
            return;
        }
        long content = record + RecordProtector.HEADER_BYTES;
        switch (RecordProtector.contentType(opened)) {
            case ContentType.HANDSHAKE -> readFinished(content, RecordProtector.length(opened));
            case ContentType.ALERT -> readAlert(content, RecordProtector.length(opened));
            default -> fail(EndReason.UNEXPECTED_MESSAGE, Alert.UNEXPECTED_MESSAGE);
        }
    }

    private static EndReason reasonOf(int alert) {
        return switch (alert) {
            case Alert.RECORD_OVERFLOW -> EndReason.RECORD_OVERFLOW;
            case Alert.BAD_RECORD_MAC -> EndReason.BAD_RECORD_MAC;
            default -> EndReason.UNEXPECTED_MESSAGE;
        };
    }

    private void readFinished(long content, int length) {
        switch (Objects.requireNonNull(finished).read(content, length, secrets)) {
            case INCOMPLETE -> {
                // The next record continues the message.
            }
            case VERIFIED -> complete();
            case MISMATCH -> fail(EndReason.DECRYPT_ERROR, TlsAlert.DECRYPT_ERROR.number());
            case MALFORMED -> fail(EndReason.PROTOCOL_VIOLATION, Alert.DECODE_ERROR);
            case UNEXPECTED, EXCESS -> fail(EndReason.UNEXPECTED_MESSAGE, Alert.UNEXPECTED_MESSAGE);
        }
    }

    private void readAlert(long content, int length) {
        int level = length == 2 ? RawMemory.getByte(content) & 0xFF : 0;
        if (level != WARNING && level != FATAL) {
            fail(EndReason.MALFORMED_ALERT, Alert.DECODE_ERROR);
            return;
        }
        int alert = RawMemory.getByte(content + 1) & 0xFF;
        if (alert == Alert.USER_CANCELED) {
            countIgnored(); // RFC 8446 section 6.1: a close_notify follows
            return;
        }
        failure = alert == Alert.CLOSE_NOTIFY ? TlsFailures.closedInHandshake() : TlsFailures.alertReceived(alert);
        step = Step.FAILED;
    }

    private int fail(EndReason reason, int alert) {
        failure = TlsFailures.found(reason, alert);
        queueAlert(alert);
        step = Step.FAILED;
        return EngineStatus.FAILED;
    }

    /** Ends the handshake because OpenSSL has failed, through no fault of the peer's: for want of memory, above all. */
    private int failed(OpenSslException cause) {
        failure = TlsFailures.of(cause.errors(), 0, TLS_1_3, true);
        step = Step.FAILED;
        try {
            queueAlert(Alert.INTERNAL_ERROR);
        } catch (OpenSslException again) {
            return EngineStatus.FAILED; // the peer gets no alert: what seals it has failed, too
        }
        return EngineStatus.FAILED;
    }

    /**
     * Queues an alert: sealed with the server's keys of application data, which follow its Finished (RFC 8446 section
     * 4.4.4), or plain before the flight.
     */
    private void queueAlert(int alert) {
        Slab slab = outgoing();
        if (slab == null || slab.capacity() - slab.end() < RecordChannel.MAX_CONTROL_BYTES) {
            return;
        }
        long payload = slab.address() + slab.end() + RecordProtector.HEADER_BYTES;
        RawMemory.putByte(payload, (byte) FATAL);
        RawMemory.putByte(payload + 1, (byte) alert);
        append(slab, choice == null ? plain(payload, 2, ContentType.ALERT) : seal(payload, 2, ContentType.ALERT));
    }

    /** Writes the header of a record that is not protected; returns the record's size. */
    private static int plain(long payload, int length, int type) {
        RecordProtector.header(payload - RecordProtector.HEADER_BYTES, type, length);
        return RecordProtector.HEADER_BYTES + length;
    }

    private int seal(long payload, int length, int type) {
        return crypto.resources()
                .protector(Objects.requireNonNull(choice).suite().aead())
                .seal(ConnectionKeys.sealing(keys), payload, length, type);
    }

    /** Returns the buffer of bytes to send; null when there is none and none is free. */
    private @Nullable Slab outgoing() {
        Slab slab = outgoing;
        if (slab == null) {
            slab = crypto.tryLease();
            if (slab != null) {
                slab.window(0, 0);
                outgoing = slab;
            }
        }
        return slab;
    }

    private static void append(Slab slab, int bytes) {
        slab.window(slab.start(), slab.end() + bytes);
    }

    private void complete() {
        step = Step.DONE;
        LeanContext lean = Objects.requireNonNull(chosen);
        if (!ticketWelcome || lean.tickets() == 0) {
            return;
        }
        Slab slab = outgoing();
        if (slab == null) {
            return; // tickets are optional
        }
        writeTickets(lean, slab);
        if (slab.length() == 0) {
            outgoing = null;
            slab.release();
        }
    }

    private void writeTickets(LeanContext lean, Slab slab) {
        TicketWriter writer = crypto.lean().tickets();
        byte[] name = serverName.getBytes(StandardCharsets.US_ASCII);
        long now = System.currentTimeMillis() / MILLIS_PER_SECOND;
        // A resumed client gets one for the one that it used: RFC 8446 appendix C.4.
        int count = ticket == TicketResult.NONE ? lean.tickets() : 1;
        for (int i = 0; i < count; i++) {
            long payload = slab.address() + slab.end() + RecordProtector.HEADER_BYTES;
            int length = writer.write(
                    lean, Objects.requireNonNull(choice).suite(), secrets, i, name, protocol, now, payload);
            if (length == 0) {
                return;
            }
            append(slab, seal(payload, length, ContentType.HANDSHAKE));
        }
    }

    private HandshakeInfo describe() {
        Choice made = Objects.requireNonNull(choice);
        LeanContext lean = Objects.requireNonNull(chosen);
        if (ticket != TicketResult.NONE) {
            return describe(made, HandshakeKind.RESUMED, null);
        }
        ResumptionMiss miss = ResumptionMiss.NONE_OFFERED;
        if (lean.tickets() == 0) {
            miss = ResumptionMiss.TICKETS_OFF;
        } else if (olderTicketOffered) {
            miss = ResumptionMiss.OTHER_VERSION;
        }
        return describe(made, HandshakeKind.FULL, miss);
    }

    private HandshakeInfo describe(Choice made, HandshakeKind kind, @Nullable ResumptionMiss miss) {
        return new HandshakeInfo(
                TLS_1_3,
                made.suite().name(),
                made.group().text(),
                kind == HandshakeKind.FULL ? made.scheme().text() : "",
                SharedNames.of(serverName),
                SharedNames.of(new String(protocol, StandardCharsets.UTF_8)),
                kind,
                miss,
                ticket,
                handshakeNanos / NANOS_PER_MICRO,
                (System.nanoTime() - beganNanos) / NANOS_PER_MICRO,
                "",
                null,
                List.of(),
                origin.entry().settings().ech() == null ? EchOutcome.OFF : EchOutcome.ABSENT);
    }

    // ---- its end

    /** Passes a complete handshake on: the records own the keys and both buffers from now on. */
    RecordEngine finish() {
        RecordChannel channel = new RecordChannel(
                crypto.resources(), Objects.requireNonNull(choice).suite(), keys);
        Slab received = incoming;
        if (received != null && received.length() == 0 && !lent) {
            received.release();
            incoming = null;
        }
        RecordEngine records = new RecordEngine(
                crypto, new DirectRecords(crypto, channel), Objects.requireNonNull(info), incoming, lent, outgoing);
        incoming = null;
        outgoing = null;
        close();
        return records;
    }

    /** Releases the buffers and wipes the secrets; the connection's keys are the caller's. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        on(EngineEvent.CLOSE);
        if (incoming != null) {
            incoming.release();
            incoming = null;
        }
        if (outgoing != null) {
            outgoing.release();
            outgoing = null;
        }
        crypto.keys().giveBack(secrets);
        origin.release();
    }
}
