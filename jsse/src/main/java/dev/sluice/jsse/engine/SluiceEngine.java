package dev.sluice.jsse.engine;

import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.jsse.context.ContextProfile;
import dev.sluice.jsse.context.ContextState;
import dev.sluice.jsse.context.EngineRole;
import dev.sluice.jsse.context.Reclaimer;
import dev.sluice.jsse.context.TlsProtocols;
import dev.sluice.jsse.session.ResumableSession;
import dev.sluice.jsse.session.SluiceSession;
import dev.sluice.tls.engine.DirectRecords;
import dev.sluice.tls.engine.EngineStatus;
import dev.sluice.tls.engine.HandshakeEngine;
import dev.sluice.tls.engine.SessionKeeper;
import dev.sluice.tls.engine.TlsSession;
import dev.sluice.tls.failure.TlsFailure;
import dev.sluice.tls.record.Aead;
import dev.sluice.tls.record.ContentType;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.tls.record.RecordProtector;
import java.nio.ByteBuffer;
import java.util.Objects;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLKeyException;
import javax.net.ssl.SSLProtocolException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * An {@code SSLEngine} over native TLS. Thread-safe by one lock per engine: any thread may call any method.
 *
 * <pre>
 *   IDLE ──▶ HANDSHAKE (libssl) ──▶ ESTABLISHED (libssl, then our records) ──▶ both directions closed: freed
 *                └───────────────────────┴──▶ BROKEN: an alert may wait to be wrapped
 * </pre>
 */
public final class SluiceEngine extends ConfiguredEngine {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** The warnings user_canceled and close_notify, as unprotected records: RFC 8446 section 6.1. */
    private static final byte[] FAREWELL = {21, 3, 3, 0, 2, 1, 90, 21, 3, 3, 0, 2, 1, 0};

    /** The most that libssl adds to a payload, and control records before it. */
    private static final int LIBSSL_OVERHEAD = 512;

    private enum Phase {
        IDLE,
        HANDSHAKE,
        ESTABLISHED,
        BROKEN
    }

    /** A direction of the connection. */
    private enum Flow {
        OPEN,
        /** Closed, with a last record that waits to be wrapped. */
        ENDING,
        CLOSED
    }

    private enum TaskState {
        NONE,
        /** Waits for {@link #getDelegatedTask()}. */
        READY,
        DELEGATED
    }

    /** The state of the alerts that close a connection inside its handshake. */
    private enum Farewell {
        NONE,
        DUE
    }

    /** The state of the report that the handshake is FINISHED. */
    private enum FinishReport {
        NONE,
        DUE
    }

    private final ContextState context;
    private final EngineSessions sessions;
    private final SessionKeeper keeper;
    private final ByteBuffer[] oneSource = {NOTHING};
    private final ByteBuffer[] oneDestination = {NOTHING};
    private Phase phase = Phase.IDLE;
    private Flow inbound = Flow.OPEN;
    private Flow outbound = Flow.OPEN;
    private TaskState task = TaskState.NONE;

    /** The status of the handshake's last step. */
    private int lastStatus = EngineStatus.WANT_READ;

    private FinishReport finish = FinishReport.NONE;
    private Farewell farewell = Farewell.NONE;
    private @Nullable SSLException taskFailure;
    private @Nullable NativeConnection connection;
    private Reclaimer.@Nullable Registration registration;
    private @Nullable HandshakeDecisions decisions;
    private @Nullable String applicationProtocol;

    /** Creates an engine without native state, which the first step of its handshake makes. */
    public SluiceEngine(ContextState context, @Nullable String peerHost, int peerPort) {
        super(context, peerHost, peerPort);
        this.context = context;
        this.sessions = new EngineSessions(context, parameters, peerHost, peerPort);
        this.keeper = sessions::keep;
    }

    private SluiceSession session() {
        return sessions.current();
    }

    // ---- wrap

    @Override
    public SSLEngineResult wrap(ByteBuffer src, ByteBuffer dst) throws SSLException {
        lock.lock();
        try {
            if (src == null) {
                throw new IllegalArgumentException("source buffer is null");
            }
            oneSource[0] = src;
            return wrapLocked(oneSource, 0, 1, dst);
        } finally {
            oneSource[0] = NOTHING;
            lock.unlock();
        }
    }

    @Override
    public SSLEngineResult wrap(ByteBuffer[] srcs, int offset, int length, ByteBuffer dst) throws SSLException {
        lock.lock();
        try {
            return wrapLocked(srcs, offset, length, dst);
        } finally {
            lock.unlock();
        }
    }

    private SSLEngineResult wrapLocked(ByteBuffer[] srcs, int offset, int length, ByteBuffer dst) throws SSLException {
        requireRole();
        throwTaskFailure();
        CallerBuffers.requireSources(srcs, offset, length);
        CallerBuffers.requireWritable(dst);
        if (outbound == Flow.CLOSED) {
            return result(Status.CLOSED, 0, 0);
        }
        begin();
        if (task != TaskState.NONE) {
            return result(Status.OK, 0, 0);
        }
        NativeConnection shared = connection;
        if (shared == null) {
            return result(Status.CLOSED, 0, 0);
        }
        if (finish == FinishReport.DUE && !shared.outputWaits()) {
            return finished(0, 0);
        }
        if (shared.outputWaits()) {
            return wrapWaiting(shared, dst);
        }
        if (farewell == Farewell.DUE) {
            return wrapFarewell(dst);
        }
        return phase == Phase.ESTABLISHED && outbound == Flow.OPEN
                ? wrapData(shared, srcs, offset, length, dst)
                : result(Status.OK, 0, 0);
    }

    /** Wraps what waits: handshake messages, tickets, alerts, key updates, close_notify. */
    private SSLEngineResult wrapWaiting(NativeConnection from, ByteBuffer dst) throws SSLException {
        DirectRecords records = from.records();
        int produced;
        if (records != null) {
            if (dst.remaining() < RecordChannel.MAX_CONTROL_BYTES) {
                return result(Status.BUFFER_OVERFLOW, 0, 0);
            }
            produced = RecordWriter.writeControl(records, dst);
        } else {
            produced = RecordWriter.drain(Objects.requireNonNull(from.libssl()), dst);
            if (produced == 0) {
                return result(Status.BUFFER_OVERFLOW, 0, 0);
            }
        }
        if (from.outputWaits()) {
            return result(Status.OK, 0, produced);
        }
        return drained(from, produced);
    }

    private SSLEngineResult drained(NativeConnection from, int produced) throws SSLException {
        if (farewell == Farewell.DUE) {
            return result(Status.OK, 0, produced);
        }
        if (outbound == Flow.ENDING) {
            outbound = Flow.CLOSED;
            release();
            return result(Status.CLOSED, 0, produced);
        }
        if (phase == Phase.HANDSHAKE && task == TaskState.NONE && inbound == Flow.OPEN) {
            continueAfterSending();
        }
        if (phase == Phase.ESTABLISHED && finish == FinishReport.DUE && !from.outputWaits()) {
            return finished(0, produced);
        }
        return result(Status.OK, 0, produced);
    }

    private SSLEngineResult wrapFarewell(ByteBuffer dst) {
        if (dst.remaining() < FAREWELL.length) {
            return result(Status.BUFFER_OVERFLOW, 0, 0);
        }
        dst.put(FAREWELL);
        farewell = Farewell.NONE;
        outbound = Flow.CLOSED;
        release();
        return result(Status.CLOSED, 0, FAREWELL.length);
    }

    /** Continues a handshake that had filled the ring. */
    private void continueAfterSending() throws SSLException {
        if (lastStatus == EngineStatus.WANT_WRITE) {
            advanceOrDelegate();
        }
    }

    private SSLEngineResult wrapData(NativeConnection to, ByteBuffer[] srcs, int offset, int length, ByteBuffer dst)
            throws SSLException {
        to.detach(keeper);
        DirectRecords records = to.records();
        return records != null
                ? sealData(records, srcs, offset, length, dst)
                : writeData(Objects.requireNonNull(to.libssl()), srcs, offset, length, dst);
    }

    private SSLEngineResult sealData(DirectRecords records, ByteBuffer[] srcs, int offset, int length, ByteBuffer dst)
            throws SSLException {
        RecordChannel channel = records.channel();
        int most = mostPayload(channel.maxPayloadBytes(), channel.headroom() + channel.tailroom());
        int payload = CallerBuffers.remaining(srcs, offset, length, most);
        if (payload == 0) {
            return result(Status.OK, 0, 0);
        }
        if (dst.remaining() < RecordWriter.recordBytes(channel, payload)) {
            return result(Status.BUFFER_OVERFLOW, 0, 0);
        }
        int produced = RecordWriter.seal(records, srcs, offset, length, payload, dst);
        return result(Status.OK, payload, produced);
    }

    private SSLEngineResult writeData(HandshakeEngine libssl, ByteBuffer[] srcs, int offset, int length, ByteBuffer dst)
            throws SSLException {
        int payload = CallerBuffers.remaining(
                srcs, offset, length, mostPayload(RecordProtector.MAX_PAYLOAD_BYTES, LIBSSL_OVERHEAD));
        if (payload == 0) {
            return result(Status.OK, 0, 0);
        }
        if (dst.remaining() < payload + LIBSSL_OVERHEAD
                && dst.remaining() < session().getPacketBufferSize()) {
            return result(Status.BUFFER_OVERFLOW, 0, 0);
        }
        int written = RecordWriter.writeThroughLibssl(libssl, srcs, offset, length, payload);
        if (written != payload) {
            throw broken(libssl.failure());
        }
        return result(Status.OK, payload, RecordWriter.drain(libssl, dst));
    }

    private int mostPayload(int limit, int overhead) {
        int packet = parameters.maximumPacketSize();
        return packet == 0 ? limit : Math.max(1, Math.min(limit, packet - overhead));
    }

    // ---- unwrap

    @Override
    public SSLEngineResult unwrap(ByteBuffer src, ByteBuffer dst) throws SSLException {
        lock.lock();
        try {
            CallerBuffers.requireWritable(dst);
            oneDestination[0] = dst;
            return unwrapLocked(src, oneDestination, 0, 1);
        } finally {
            oneDestination[0] = NOTHING;
            lock.unlock();
        }
    }

    @Override
    public SSLEngineResult unwrap(ByteBuffer src, ByteBuffer[] dsts, int offset, int length) throws SSLException {
        lock.lock();
        try {
            return unwrapLocked(src, dsts, offset, length);
        } finally {
            lock.unlock();
        }
    }

    private SSLEngineResult unwrapLocked(ByteBuffer src, ByteBuffer[] dsts, int offset, int length)
            throws SSLException {
        requireRole();
        throwTaskFailure();
        if (src == null) {
            throw new IllegalArgumentException("source buffer is null");
        }
        CallerBuffers.requireDestinations(dsts, offset, length);
        if (inbound == Flow.CLOSED) {
            return result(Status.CLOSED, 0, 0);
        }
        begin();
        NativeConnection from = connection;
        if (from == null) {
            return result(Status.CLOSED, 0, 0);
        }
        if (task != TaskState.NONE || mustSendFirst(from)) {
            return result(Status.OK, 0, 0);
        }
        int record = RecordHeader.recordBytes(src);
        if (record == RecordHeader.INCOMPLETE) {
            return result(Status.BUFFER_UNDERFLOW, 0, 0);
        }
        if (record == RecordHeader.NOT_TLS || record == RecordHeader.TOO_LONG) {
            throw rejected(from, src, record);
        }
        if (record > session().getPacketBufferSize()) {
            session().expandBuffers();
        }
        return phase == Phase.HANDSHAKE
                ? unwrapHandshake(from, src, record)
                : unwrapData(from, src, record, dsts, offset, length);
    }

    /** Returns whether libssl's records must leave before more are read: in the handshake, and right after it. */
    private boolean mustSendFirst(NativeConnection from) {
        HandshakeEngine libssl = from.libssl();
        return farewell == Farewell.DUE
                || (libssl != null && libssl.sendLength() > 0 && (phase == Phase.HANDSHAKE || !libssl.carriesData()));
    }

    /** Has libssl or the record layer say what is wrong with bytes that are no legal record, and write the alert. */
    private SSLException rejected(NativeConnection from, ByteBuffer src, int why) throws SSLException {
        if (phase == Phase.ESTABLISHED) {
            from.detach(keeper);
        }
        HandshakeEngine libssl = from.libssl();
        DirectRecords records = from.records();
        if (records != null && RecordReader.openHeader(records, src) == RecordChannel.FAILED) {
            return broken(records.failure());
        }
        if (libssl != null) {
            RecordReader.feed(libssl, src, Math.min(src.remaining(), libssl.receiveCapacity()));
            if (phase == Phase.HANDSHAKE) {
                advance(TaskState.NONE);
            } else if (RecordReader.readThroughLibssl(libssl, oneDestination, 0, 0) == EngineStatus.FAILED) {
                return broken(libssl.failure());
            }
        }
        return brokenBy(
                why == RecordHeader.TOO_LONG
                        ? new SSLProtocolException("Input record too big: max = " + SluiceSession.MAX_PACKET_BYTES)
                        : new SSLException("Unsupported or unrecognized SSL message"));
    }

    private SSLEngineResult unwrapHandshake(NativeConnection from, ByteBuffer src, int record) throws SSLException {
        if (src.remaining() < record) {
            return result(Status.BUFFER_UNDERFLOW, 0, 0);
        }
        if (outbound != Flow.OPEN) {
            return unwrapAfterFarewell(src, record);
        }
        HandshakeEngine libssl = Objects.requireNonNull(from.libssl());
        if (!RecordReader.feed(libssl, src, record)) {
            throw brokenBy(new SSLProtocolException("handshake records fill the buffer of libssl"));
        }
        advanceOrDelegate();
        return finish == FinishReport.DUE && !from.outputWaits() ? finished(record, 0) : result(Status.OK, record, 0);
    }

    /** Skips what arrives after the close of a handshake, up to the peer's alert. */
    private SSLEngineResult unwrapAfterFarewell(ByteBuffer src, int record) {
        boolean alert = src.get(src.position()) == ContentType.ALERT;
        src.position(src.position() + record);
        if (alert) {
            inbound = Flow.CLOSED;
            release();
        }
        return result(alert ? Status.CLOSED : Status.OK, record, 0);
    }

    private SSLEngineResult unwrapData(
            NativeConnection from, ByteBuffer src, int record, ByteBuffer[] dsts, int offset, int length)
            throws SSLException {
        from.detach(keeper);
        DirectRecords records = from.records();
        int overhead = records == null
                ? RecordProtector.HEADER_BYTES
                : records.channel().headroom() + Aead.TAG_BYTES;
        int inner = Math.max(0, record - overhead);
        if (CallerBuffers.remaining(dsts, offset, length, inner) < inner) {
            return result(Status.BUFFER_OVERFLOW, 0, 0);
        }
        if (src.remaining() < record) {
            return result(Status.BUFFER_UNDERFLOW, 0, 0);
        }
        if (records != null) {
            int opened = RecordReader.open(records, src, record, inner, dsts, offset, length);
            return opened >= 0 ? result(Status.OK, record, opened) : ended(opened, records, record);
        }
        return readData(from, src, record, dsts, offset, length);
    }

    private SSLEngineResult ended(int opened, DirectRecords records, int record) throws SSLException {
        if (opened == RecordChannel.CLOSED) {
            return closeNotifyReceived(record);
        }
        throw broken(records.failure());
    }

    private SSLEngineResult readData(
            NativeConnection from, ByteBuffer src, int record, ByteBuffer[] dsts, int offset, int length)
            throws SSLException {
        HandshakeEngine libssl = Objects.requireNonNull(from.libssl());
        if (!RecordReader.feed(libssl, src, record)) {
            throw brokenBy(new SSLProtocolException("records fill the buffer of libssl"));
        }
        int read = RecordReader.readThroughLibssl(libssl, dsts, offset, length);
        return switch (read) {
            case EngineStatus.FAILED -> throw broken(libssl.failure());
            case EngineStatus.CLOSED -> closeNotifyReceived(record);
            default -> {
                from.detach(keeper);
                yield result(Status.OK, record, Math.max(0, read));
            }
        };
    }

    private SSLEngineResult closeNotifyReceived(int record) {
        inbound = Flow.CLOSED;
        if (!session().getProtocol().equals(TlsProtocols.TLS_1_3)) {
            closeOutput(); // RFC 5246 section 7.2.1: answer it at once
        }
        release();
        return result(Status.CLOSED, record, 0);
    }

    // ---- handshake

    @Override
    public void beginHandshake() throws SSLException {
        lock.lock();
        try {
            requireRole();
            throwTaskFailure();
            if (phase == Phase.BROKEN || outbound != Flow.OPEN) {
                throw new SSLException("the engine is closed; make another one for a new connection");
            }
            if (phase == Phase.ESTABLISHED) {
                renew();
            } else {
                begin();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Updates our key where TLS 1.3 can; TLS 1.2 would renegotiate, which is refused. */
    private void renew() throws SSLException {
        if (!session().getProtocol().equals(TlsProtocols.TLS_1_3)) {
            throw new SSLHandshakeException("renegotiation is refused; open a new connection, or use TLS 1.3");
        }
        NativeConnection to = Objects.requireNonNull(connection);
        to.detach(keeper);
        DirectRecords records = to.records();
        if (records != null) {
            records.channel().updateKey();
        }
    }

    private void requireRole() {
        if (role == null) {
            throw new IllegalStateException("Client/Server mode has not yet been set.");
        }
    }

    /** Makes the native state at the first step. */
    private void begin() throws SSLException {
        if (phase != Phase.IDLE || inbound != Flow.OPEN || outbound != Flow.OPEN) {
            return;
        }
        Reclaimer.poll();
        EngineRole side = Objects.requireNonNull(role);
        ContextProfile wanted = sessions.settle(side);
        try (ResumableSession resumable = side == EngineRole.CLIENT ? offer() : null) {
            connect(side, wanted, resumable == null ? null : resumable.handle());
        }
        phase = Phase.HANDSHAKE;
        if (side == EngineRole.CLIENT) {
            advance(TaskState.NONE);
        }
    }

    private @Nullable ResumableSession offer() throws SSLException {
        try {
            return sessions.offer();
        } catch (SSLHandshakeException e) {
            throw brokenBy(e);
        }
    }

    private void connect(EngineRole side, ContextProfile wanted, @Nullable TlsSession offered) throws SSLException {
        try {
            NativeConnection made = side == EngineRole.CLIENT
                    ? NativeConnection.client(context, wanted, sessions.serverName(), offered)
                    : NativeConnection.server(context, wanted);
            connection = made;
            registration = Reclaimer.register(this, made, Reclaimer.Kind.ENGINE);
            HandshakeEngine libssl = Objects.requireNonNull(made.libssl());
            decisions = new HandshakeDecisions(this, side, context, parameters, protocolSelector, libssl.ssl());
        } catch (SSLException | RuntimeException e) {
            phase = Phase.BROKEN;
            inbound = Flow.CLOSED;
            outbound = Flow.CLOSED;
            release();
            throw e;
        }
    }

    /**
     * Continues the handshake until it needs bytes, or a decision, which takes a task.
     *
     * @param in DELEGATED inside of a task
     */
    private void advance(TaskState in) throws SSLException {
        NativeConnection shared = Objects.requireNonNull(connection);
        HandshakeEngine libssl = Objects.requireNonNull(shared.libssl());
        HandshakeDecisions owner = Objects.requireNonNull(decisions);
        lastStatus = libssl.handshake(owner);
        switch (lastStatus) {
            case EngineStatus.DONE -> established(libssl, owner);
            case EngineStatus.FAILED -> throw broken(libssl.failure());
            case EngineStatus.WANT_CERTIFICATE, EngineStatus.WANT_VERIFICATION ->
                task = in == TaskState.NONE ? TaskState.READY : in;
            default -> {}
        }
    }

    /** Continues the handshake, now or in a task. */
    private void advanceOrDelegate() throws SSLException {
        if (Objects.requireNonNull(decisions).stepTakesTask()) {
            task = TaskState.READY;
        } else {
            advance(TaskState.NONE);
        }
    }

    private static void decide(int wanted, HandshakeDecisions owner) {
        if (wanted == EngineStatus.WANT_CERTIFICATE) {
            owner.chooseCertificate();
        } else {
            owner.verifyServer();
        }
    }

    private void established(HandshakeEngine libssl, HandshakeDecisions owner) throws SSLException {
        EngineRole side = Objects.requireNonNull(role);
        try {
            sessions.establish(side, libssl, owner, this::export);
        } catch (SSLHandshakeException e) {
            throw brokenBy(e);
        }
        applicationProtocol = libssl.ssl().alpn();
        phase = Phase.ESTABLISHED;
        TlsSession complete = side == EngineRole.CLIENT && !libssl.mayDetach() ? libssl.session() : null;
        if (complete != null) {
            sessions.keep(complete); // it stays in libssl, with a suite of TLS 1.2
        }
        finish = FinishReport.DUE;
    }

    private byte[] export(String label, byte @Nullable [] exportContext, int length) throws SSLKeyException {
        lock.lock();
        try {
            NativeConnection from = connection;
            if (from == null) {
                throw new IllegalStateException("the connection is closed, and its secrets are wiped; export before");
            }
            return from.export(label, exportContext, length);
        } catch (OpenSslException e) {
            SSLKeyException failure = new SSLKeyException("keying material cannot be exported: " + e.getMessage());
            failure.initCause(e);
            throw failure;
        } finally {
            lock.unlock();
        }
    }

    // ---- tasks

    @Override
    public @Nullable Runnable getDelegatedTask() {
        lock.lock();
        try {
            if (task != TaskState.READY) {
                return null;
            }
            task = TaskState.DELEGATED;
            return this::runTask;
        } finally {
            lock.unlock();
        }
    }

    /** Asks the managers outside of the lock, which is taken for the steps of libssl in between. */
    private void runTask() {
        try {
            boolean more = beginTask();
            while (more) {
                decide(lastStatus, Objects.requireNonNull(decisions));
                more = continueTask();
            }
        } catch (Error e) {
            abandonTask(e);
            throw e;
        }
    }

    /** Returns whether a decision is wanted; if not, a step of libssl is, which the task begins with. */
    private boolean beginTask() {
        lock.lock();
        try {
            return task == TaskState.DELEGATED && (isDecisionWanted() || continueTask());
        } finally {
            lock.unlock();
        }
    }

    /** Continues the handshake; returns whether it wants another decision, else the task has ended. */
    private boolean continueTask() {
        lock.lock();
        try {
            if (inbound == Flow.OPEN && outbound == Flow.OPEN) {
                advance(TaskState.DELEGATED);
                if (isDecisionWanted()) {
                    return true;
                }
            }
        } catch (SSLException e) {
            taskFailure = e;
        } catch (RuntimeException e) {
            taskFailure = brokenBy(new SSLException("the delegated task failed: " + e, e));
        } finally {
            lock.unlock();
        }
        endTask();
        return false;
    }

    private boolean isDecisionWanted() {
        return lastStatus == EngineStatus.WANT_CERTIFICATE || lastStatus == EngineStatus.WANT_VERIFICATION;
    }

    private void endTask() {
        lock.lock();
        try {
            task = TaskState.NONE;
            release();
        } finally {
            lock.unlock();
        }
    }

    private void abandonTask(Error thrown) {
        lock.lock();
        try {
            taskFailure = brokenBy(new SSLException("the delegated task failed: " + thrown, thrown));
        } finally {
            lock.unlock();
        }
        endTask();
    }

    private void throwTaskFailure() throws SSLException {
        SSLException failure = taskFailure;
        if (failure != null) {
            taskFailure = null;
            throw failure;
        }
    }

    // ---- ends

    private SSLException broken(@Nullable TlsFailure failure) {
        HandshakeDecisions owner = decisions;
        SSLException cause = owner == null ? null : owner.thrown();
        boolean handshaking = phase == Phase.HANDSHAKE;
        SSLException made = failure == null
                ? new SSLException("the connection failed without a reason")
                : TlsExceptions.of(failure, cause, handshaking);
        return brokenBy(made);
    }

    private SSLException brokenBy(SSLException why) {
        if (phase == Phase.ESTABLISHED) {
            session().invalidate();
        }
        phase = Phase.BROKEN;
        inbound = Flow.CLOSED;
        finish = FinishReport.NONE;
        farewell = Farewell.NONE;
        boolean alertWaits = outputWaits();
        outbound = alertWaits ? Flow.ENDING : Flow.CLOSED;
        release();
        return why;
    }

    @Override
    public void closeInbound() throws SSLException {
        lock.lock();
        try {
            if (inbound == Flow.CLOSED) {
                return;
            }
            boolean truncated = phase != Phase.IDLE;
            inbound = Flow.CLOSED;
            release();
            if (truncated) {
                throw new SSLException("closing inbound before receiving peer's close_notify");
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isInboundDone() {
        lock.lock();
        try {
            return inbound == Flow.CLOSED;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void closeOutbound() {
        lock.lock();
        try {
            closeOutput();
            release();
        } finally {
            lock.unlock();
        }
    }

    private void closeOutput() {
        if (outbound != Flow.OPEN) {
            return;
        }
        NativeConnection from = connection;
        if (from != null && phase == Phase.HANDSHAKE) {
            closeInHandshake(from);
        } else if (from != null && phase == Phase.ESTABLISHED) {
            from.detach(keeper);
            from.closeOutput();
        }
        outbound = outputWaits() ? Flow.ENDING : Flow.CLOSED;
    }

    /** Says goodbye as long as nothing is encrypted; libssl sends no close_notify inside a handshake. */
    private void closeInHandshake(NativeConnection from) {
        HandshakeEngine libssl = from.libssl();
        if (task == TaskState.DELEGATED) {
            return; // it uses the connection, and a suite is chosen
        }
        if (libssl != null && libssl.ssl().negotiatedCipher().isEmpty()) {
            farewell = Farewell.DUE;
        }
        task = TaskState.NONE;
    }

    private boolean outputWaits() {
        return farewell == Farewell.DUE || (connection != null && connection.outputWaits());
    }

    @Override
    public boolean isOutboundDone() {
        lock.lock();
        try {
            return outbound == Flow.CLOSED;
        } finally {
            lock.unlock();
        }
    }

    /** Frees the native state once both directions are closed. */
    private void release() {
        if (inbound != Flow.CLOSED || outbound != Flow.CLOSED || task == TaskState.DELEGATED) {
            return; // a task still uses it, and releases it at its end
        }
        if (connection != null) {
            connection.close();
            connection = null;
        }
        if (registration != null) {
            registration.end();
            registration = null;
        }
        task = TaskState.NONE;
    }

    // ---- results

    private SSLEngineResult finished(int consumed, int produced) {
        finish = FinishReport.NONE;
        return new SSLEngineResult(Status.OK, HandshakeStatus.FINISHED, consumed, produced);
    }

    private SSLEngineResult result(Status status, int consumed, int produced) {
        return new SSLEngineResult(status, handshakeStatus(), consumed, produced);
    }

    @Override
    boolean hasBegun() {
        return phase != Phase.IDLE;
    }

    private HandshakeStatus handshakeStatus() {
        if (task != TaskState.NONE) {
            return HandshakeStatus.NEED_TASK;
        }
        if (outputWaits() || finish == FinishReport.DUE) {
            return HandshakeStatus.NEED_WRAP;
        }
        if (phase == Phase.HANDSHAKE && inbound == Flow.OPEN) {
            return HandshakeStatus.NEED_UNWRAP;
        }
        return phase == Phase.HANDSHAKE && outbound == Flow.OPEN
                ? HandshakeStatus.NEED_WRAP
                : HandshakeStatus.NOT_HANDSHAKING;
    }

    @Override
    public HandshakeStatus getHandshakeStatus() {
        lock.lock();
        try {
            return handshakeStatus();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public SSLSession getSession() {
        lock.lock();
        try {
            return session();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable SSLSession getHandshakeSession() {
        lock.lock();
        try {
            return phase == Phase.HANDSHAKE && decisions != null ? decisions.session() : null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable String getApplicationProtocol() {
        lock.lock();
        try {
            return applicationProtocol;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable String getHandshakeApplicationProtocol() {
        lock.lock();
        try {
            return phase == Phase.HANDSHAKE && decisions != null ? decisions.protocol() : null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "SluiceEngine[" + getPeerHost() + ":" + getPeerPort() + ", " + phase + ", " + session() + "]";
    }
}
