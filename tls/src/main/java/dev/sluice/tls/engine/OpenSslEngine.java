package dev.sluice.tls.engine;

import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_AD_NO_APPLICATION_PROTOCOL;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_AD_UNRECOGNIZED_NAME;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_EARLY_DATA_ACCEPTED;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_ERROR_SYSCALL;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_ERROR_WANT_READ;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_ERROR_WANT_RETRY_VERIFY;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_ERROR_WANT_WRITE;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_ERROR_WANT_X509_LOOKUP;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_ERROR_ZERO_RETURN;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_READ_EARLY_DATA_FINISH;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_READ_EARLY_DATA_SUCCESS;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_VERIFY_NONE;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.X509_V_ERR_CERT_REJECTED;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.X509_V_OK;

import dev.sluice.ffi.openssl.ErrorQueue;
import dev.sluice.ffi.openssl.HandshakeCallbacks;
import dev.sluice.ffi.openssl.OpenSslError;
import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.ffi.openssl.SslSession;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.delegation.PeerOffer;
import dev.sluice.tls.certificate.ClientNames;
import dev.sluice.tls.certificate.PeerCertificate;
import dev.sluice.tls.context.ContextSettings;
import dev.sluice.tls.context.EarlyDataPolicy;
import dev.sluice.tls.context.GroupNames;
import dev.sluice.tls.context.ServerNames;
import dev.sluice.tls.context.SharedContext;
import dev.sluice.tls.context.SharedNames;
import dev.sluice.tls.context.SignatureNames;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.ech.EchKeyRing;
import dev.sluice.tls.ech.EchOutcome;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.TlsAlert;
import dev.sluice.tls.failure.TlsFailure;
import dev.sluice.tls.record.CryptoMeter;
import dev.sluice.tls.record.CryptoMeter.Phase;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The common part of both engines over libssl, without the transport. Each call first consults {@link StateMachine},
 * then calls libssl, then {@code SSL_get_error} immediately, then applies the resulting event.
 */
abstract sealed class OpenSslEngine implements TlsEngine, HandshakeCallbacks.Target
        permits MemoryEngine, DescriptorEngine {
    private static final long NANOS_PER_MICRO = 1_000;
    private static final String TLS_1_3 = "TLSv1.3";

    private final SharedContext origin;
    private final Ssl ssl;
    private final @Nullable ClientTarget target;
    private TlsContext context;
    private EngineState state = EngineState.NEW;
    private String serverName = "";
    private long handshakeNanos;

    /** The start of the first step. */
    private long beganNanos;

    private long handshakeCpuNanos;
    /** The number of handshakes that this one represents in CPU accounting; 0 when it is not timed. */
    private int handshakeWeight;

    /** The CPU meter; null for none. */
    private @Nullable CryptoMeter meter;

    private @Nullable HandshakeInfo info;

    /** Null for a client. */
    private final TicketExchange ticket = new TicketExchange();

    /** Null unless a server accepts early data. */
    private @Nullable EarlyDataExchange early;

    /** The owner that decides about certificates, during a call of the handshake; null for none. */
    private @Nullable HandshakeDelegate delegate;

    private @Nullable TlsFailure failure;

    /** The failure set by one of our callbacks; libssl only knows that the callback failed. */
    private @Nullable TlsFailure refusal;

    /**
     * Creates a server's engine, or a client's.
     *
     * @param target the server that a client wants to reach; null for a server
     */
    OpenSslEngine(SharedContext origin, @Nullable ClientTarget target) {
        this.origin = origin;
        this.context = origin.entry();
        this.target = target;
        requireRole(context, target == null);
        origin.retain();
        Ssl made = null;
        try {
            made = target == null ? context.newServer() : Ssl.client(context.handle());
            if (target != null) {
                target.applyTo(made, context.settings());
                serverName = target.serverName();
            }
        } catch (Throwable t) {
            if (made != null) {
                made.close();
            }
            origin.release();
            throw t;
        }
        this.ssl = made;
    }

    private static void requireRole(TlsContext context, boolean server) {
        if (context.isServer() != server) {
            throw new IllegalArgumentException(
                    "a " + (server ? "server" : "client") + "'s engine cannot use this context: " + context);
        }
    }

    /** Returns how many of {@code length} plaintext bytes can be written now; 0 when the peer must read first. */
    abstract int writable(int length);

    /** Returns whether a short record such as close_notify can be written now. */
    abstract boolean hasRoomForAlert();

    /** Returns whether the peer has sent anything. */
    abstract boolean hasReceived();

    /** Frees the engine's resources other than the {@code SSL}. */
    abstract void freeTransport();

    final Ssl ssl() {
        return ssl;
    }

    /** Returns the server name requested by SNI; "" for none, or before the ClientHello. */
    final String serverName() {
        return serverName;
    }

    final boolean isFreed() {
        return ssl.isClosed();
    }

    @Override
    public final EngineState state() {
        return state;
    }

    @Override
    public final @Nullable HandshakeInfo handshakeInfo() {
        return info;
    }

    @Override
    public final @Nullable TlsFailure failure() {
        return failure;
    }

    @Override
    public final int handshake() {
        on(EngineEvent.HANDSHAKE);
        return switch (state) {
            case FAILED -> EngineStatus.FAILED;
            case HANDSHAKE -> continueHandshake();
            case EARLY_DATA ->
                throw new IllegalStateException("early data must be read first; call handshake with room for it");
            default -> EngineStatus.DONE;
        };
    }

    /** Implements {@link HandshakeEngine#handshake}. */
    final int handshakeWith(HandshakeDelegate decisions) {
        delegate = decisions;
        try {
            return handshake();
        } finally {
            delegate = null;
        }
    }

    /** Implements {@link BufferedEngine#handshake(long, int)}. */
    final int handshakeWithEarlyData(long address, int capacity) {
        EarlyDataExchange exchange = earlyDataExchange();
        if (exchange == null || exchange.isOver()) {
            return handshake();
        }
        on(EngineEvent.HANDSHAKE);
        if (state == EngineState.FAILED) {
            return EngineStatus.FAILED;
        }
        int status = readEarlyData(exchange, address, capacity);
        return status == EngineStatus.DONE ? handshake() : status;
    }

    private @Nullable EarlyDataExchange earlyDataExchange() {
        EarlyDataPolicy policy = origin.entry().settings().earlyData();
        if (early == null && state == EngineState.NEW && policy != null) {
            early = new EarlyDataExchange(policy);
        }
        return early;
    }

    /** Runs the handshake up to our Finished, then reads early data; returns DONE when no more follows. */
    private int readEarlyData(EarlyDataExchange exchange, long address, int capacity) {
        long begin = stepBegins();
        long cpuBegin = cpuBegin();
        int returned = callReadEarlyData(address, capacity);
        int count = ssl.earlyDataCount();
        handshakeCpuNanos += cpuSince(cpuBegin);
        handshakeNanos += System.nanoTime() - begin;
        if (exchange.accepted() == null && ssl.earlyDataStatus() == SSL_EARLY_DATA_ACCEPTED) {
            exchange.accepted(describe(ssl.alpn(), HandshakeKind.EARLY));
            on(EngineEvent.EARLY_DATA_ACCEPTED);
        }
        return switch (returned) {
            case SSL_READ_EARLY_DATA_SUCCESS -> count;
            case SSL_READ_EARLY_DATA_FINISH -> earlyDataEnded(exchange);
            default -> stopped(returned);
        };
    }

    private int earlyDataEnded(EarlyDataExchange exchange) {
        exchange.end(ErrorQueue.drain());
        if (state == EngineState.EARLY_DATA) {
            on(EngineEvent.EARLY_DATA_ENDED);
        }
        return EngineStatus.DONE;
    }

    private int callReadEarlyData(long address, int capacity) {
        HandshakeCallbacks.enter(this);
        try {
            return ssl.readEarlyData(address, capacity);
        } finally {
            HandshakeCallbacks.leave();
        }
    }

    /** Implements {@link BufferedEngine#earlyData()}. */
    final @Nullable EarlyData acceptedEarlyData() {
        return early == null ? null : early.accepted();
    }

    /** Returns the number of records sent with the application key before the client's Finished. */
    final int recordsBeforeFinished() {
        return early == null ? 0 : early.recordsSent();
    }

    private int continueHandshake() {
        long begin = stepBegins();
        long cpuBegin = cpuBegin();
        int returned = callHandshake();
        handshakeCpuNanos += cpuSince(cpuBegin);
        handshakeNanos += System.nanoTime() - begin;
        return returned == 1 ? established() : stopped(returned);
    }

    private long stepBegins() {
        long now = System.nanoTime();
        if (beganNanos == 0) {
            beganNanos = now;
        }
        return now;
    }

    /** Returns the start time for {@link #cpuSince}, if the handshake is timed. */
    final long cpuBegin() {
        return meter == null || handshakeWeight == 0 ? 0 : meter.begin();
    }

    /** Returns the CPU time since then, for all handshakes that this one represents. */
    final long cpuSince(long begin) {
        return meter == null || handshakeWeight == 0 ? 0 : meter.since(begin) * handshakeWeight;
    }

    /** Sets this thread's meter of CPU time. */
    final void meter(CryptoMeter ofThread) {
        meter = ofThread;
        handshakeWeight = ofThread.nextHandshake();
    }

    /** Returns the CPU time of the handshake so far, including the handshakes that it represents; 0 when not timed. */
    final long handshakeCpuNanos() {
        return handshakeCpuNanos;
    }

    private int callHandshake() {
        if (target != null && delegate == null) {
            return ssl.handshake();
        }
        HandshakeCallbacks.enter(this);
        try {
            return ssl.handshake();
        } finally {
            HandshakeCallbacks.leave();
        }
    }

    private int established() {
        String alpn = ssl.alpn();
        if (alpn.isEmpty() && context.settings().alpn().isRequired()) {
            return fail(TlsFailures.alpnMissing(TlsAlert.NONE));
        }
        info = describe(alpn, kind());
        on(EngineEvent.ESTABLISHED);
        return EngineStatus.DONE;
    }

    private HandshakeInfo describe(String alpn, HandshakeKind kind) {
        boolean full = kind == HandshakeKind.FULL;
        boolean server = target == null;
        // libssl reports the original group for a resumed TLS 1.2 session, which has the keys of that time.
        boolean exchanged = full || ssl.version().equals(TLS_1_3);
        return new HandshakeInfo(
                SharedNames.of(ssl.version()),
                SharedNames.of(ssl.cipher()),
                exchanged ? SharedNames.of(GroupNames.of(ssl)) : "",
                server && full ? SignatureNames.of(ssl) : "",
                SharedNames.of(serverName),
                SharedNames.of(alpn),
                kind,
                server && full ? ticket.miss(ssl, context.settings().tickets()) : null,
                ticket.result(),
                handshakeNanos / NANOS_PER_MICRO,
                (System.nanoTime() - beganNanos) / NANOS_PER_MICRO,
                SharedNames.of(ssl.peerSubject()),
                server && context.settings().verifyMode() != SSL_VERIFY_NONE ? clientCertificate() : null,
                context.settings().peerChainKept() ? ssl.peerChain() : List.of(),
                origin.entry().settings().ech() == null ? EchOutcome.OFF : EchKeyRing.outcome(ssl));
    }

    private HandshakeKind kind() {
        if (!ssl.isResumed()) {
            return HandshakeKind.FULL;
        }
        return early != null && early.accepted() != null ? HandshakeKind.EARLY : HandshakeKind.RESUMED;
    }

    private @Nullable PeerCertificate clientCertificate() {
        X509 certificate = ssl.peerCertificate();
        if (certificate == null) {
            return null;
        }
        try (certificate) {
            return describe(certificate);
        }
    }

    private static PeerCertificate describe(X509 certificate) {
        return new PeerCertificate(
                certificate.subject(),
                certificate.alternativeNames(),
                HexFormat.of().formatHex(certificate.sha256()));
    }

    @Override
    public final int read(long address, int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("read requires room for at least one byte, capacity=" + capacity);
        }
        on(EngineEvent.READ);
        return switch (state) {
            case FAILED -> EngineStatus.FAILED;
            case CLOSED, CLOSING_RECEIVED -> EngineStatus.CLOSED;
            default -> {
                int returned = readTimed(address, capacity);
                yield returned > 0 ? returned : stopped(returned);
            }
        };
    }

    private int readTimed(long address, int capacity) {
        CryptoMeter timing = meter != null && meter.isCallDue() ? meter : null;
        if (timing == null) {
            return ssl.read(address, capacity);
        }
        long begin = timing.begin();
        int returned = ssl.read(address, capacity);
        timing.called(Phase.OPEN, begin);
        return returned;
    }

    private int writeTimed(long address, int length) {
        CryptoMeter timing = meter != null && meter.isCallDue() ? meter : null;
        if (timing == null) {
            return ssl.write(address, length);
        }
        long begin = timing.begin();
        int returned = ssl.write(address, length);
        timing.called(Phase.SEAL, begin);
        return returned;
    }

    @Override
    public final int write(long address, int length) {
        on(EngineEvent.WRITE);
        if (state == EngineState.FAILED) {
            return EngineStatus.FAILED;
        }
        if (length == 0) {
            return EngineStatus.DONE;
        }
        int now = writable(length);
        if (now == 0) {
            return EngineStatus.WANT_WRITE;
        }
        int returned = state == EngineState.EARLY_DATA ? writeBeforeFinished(address, now) : writeTimed(address, now);
        return returned > 0 ? returned : stopped(returned);
    }

    private int writeBeforeFinished(long address, int length) {
        int returned = ssl.writeEarlyData(address, length);
        if (returned > 0 && early != null) {
            early.recordSent();
        }
        return returned;
    }

    @Override
    public final int closeOutput() {
        on(EngineEvent.CLOSE_OUTPUT);
        return switch (state) {
            case FAILED -> EngineStatus.FAILED;
            case OPEN, CLOSING_RECEIVED -> hasRoomForAlert() ? sendCloseNotify() : EngineStatus.WANT_WRITE;
            default -> EngineStatus.DONE;
        };
    }

    private int sendCloseNotify() {
        int returned = ssl.shutdown();
        if (returned < 0) {
            return stopped(returned);
        }
        on(EngineEvent.CLOSE_NOTIFY_SENT);
        return EngineStatus.DONE;
    }

    @Override
    public final @Nullable TlsSession session() {
        if (target == null) {
            throw new IllegalStateException("a server has no sessions to resume; only clients do");
        }
        SslSession session = info == null || isFreed() ? null : ssl.session();
        return session == null ? null : new TlsSession(session, target.host());
    }

    /** Returns the status of a call that moved no bytes. */
    private int stopped(int returned) {
        return switch (ssl.error(returned)) {
            case SSL_ERROR_WANT_READ -> EngineStatus.WANT_READ;
            case SSL_ERROR_WANT_WRITE -> EngineStatus.WANT_WRITE;
            case SSL_ERROR_ZERO_RETURN -> peerClosed();
            case SSL_ERROR_WANT_X509_LOOKUP -> EngineStatus.WANT_CERTIFICATE;
            case SSL_ERROR_WANT_RETRY_VERIFY -> EngineStatus.WANT_VERIFICATION;
            case SSL_ERROR_SYSCALL -> noCauseGiven();
            default -> fail(refusal == null ? explain() : refusal);
        };
    }

    /**
     * Handles a missing cause: the transport failed, or libssl is mistaken. From 3.2 on it takes a close_notify for a
     * transport failure when user_canceled came before, which JDK clients send.
     */
    private int noCauseGiven() {
        if (!causeAtEndOfEarlyData().isEmpty()) {
            return fail(explain());
        }
        boolean newlyClosed = state != EngineState.CLOSING_RECEIVED && ssl.closeNotifyReceived();
        return newlyClosed ? peerClosed() : fail(TlsFailures.transport(ssl.errno()));
    }

    private int peerClosed() {
        if (isInHandshake()) {
            return fail(TlsFailures.closedInHandshake());
        }
        on(EngineEvent.CLOSE_NOTIFY_RECEIVED);
        return EngineStatus.CLOSED;
    }

    private TlsFailure explain() {
        List<OpenSslError> errors = ErrorQueue.isEmpty() ? causeAtEndOfEarlyData() : ErrorQueue.drain();
        TlsFailure explained = TlsFailures.of(errors, ssl.verifyResult(), ssl.version(), target == null);
        return isInHandshake() && explained.reason() == EndReason.TRUNCATED
                ? TlsFailures.endedInHandshake(hasReceived())
                : explained;
    }

    /** Returns why the handshake fails that failed at the end of early data; empty when it did not. */
    private List<OpenSslError> causeAtEndOfEarlyData() {
        return early == null || !isInHandshake() ? List.of() : early.errorsAtEnd();
    }

    private boolean isInHandshake() {
        return state == EngineState.HANDSHAKE || state == EngineState.EARLY_DATA;
    }

    private int fail(TlsFailure why) {
        ErrorQueue.clear();
        failure = why;
        on(EngineEvent.FAIL);
        return EngineStatus.FAILED;
    }

    private void on(EngineEvent event) {
        state = StateMachine.next(state, event);
    }

    /** Frees all native state; unsent bytes are lost. */
    @Override
    public final void close() {
        on(EngineEvent.CLOSE);
        if (!isFreed()) {
            ssl.close();
            freeTransport();
            origin.release();
        }
    }

    // ---- called by libssl, inside handshake()

    @Override
    public final int onClientHello() {
        if (early != null) {
            early.onClientHello(ssl);
        }
        ticket.onClientHello(ssl);
        String name = ServerNames.hostName(ssl.clientHelloServerName());
        serverName = name == null ? "" : name;
        if (delegate != null && !delegate.onClientHello(serverName)) {
            refusal = TlsFailures.unknownServerName(serverName);
            return SSL_AD_UNRECOGNIZED_NAME;
        }
        TlsContext chosen = origin.select(name);
        if (chosen == null) {
            refusal = TlsFailures.unknownServerName(serverName);
            return SSL_AD_UNRECOGNIZED_NAME;
        }
        if (chosen.settings().alpn().isRequired() && !ssl.clientHelloHasAlpn()) {
            refusal = TlsFailures.alpnMissing(SSL_AD_NO_APPLICATION_PROTOCOL);
            return SSL_AD_NO_APPLICATION_PROTOCOL;
        }
        switchTo(chosen);
        return PROCEED;
    }

    private void switchTo(TlsContext chosen) {
        if (chosen.equals(context)) {
            return;
        }
        ContextSettings settings = chosen.settings();
        ssl.switchTo(chosen.handle());
        if (settings.clients().isAny()) {
            ssl.verify(settings.verifyMode());
        } else {
            ssl.verifyNames(settings.verifyMode());
        }
        ssl.versions(settings.oldest().number(), settings.newest().number());
        ssl.tickets(settings.tickets().stateless(), settings.tickets().count());
        context = chosen;
    }

    @Override
    public final int onAlpn(long offered, int length) {
        return delegate == null ? context.settings().alpn().choose(offered, length) : delegate.onAlpn(offered, length);
    }

    /**
     * Selects the ticket key from the connection's initial context, whichever context the server name selected:
     * listeners share a ring.
     */
    @Override
    public final int onTicketKey(long name, long iv, long cipherContext, long macContext, boolean sealing) {
        TicketKeyRing keys = origin.entry().settings().tickets().keys();
        if (keys == null) {
            return NO_TICKET;
        }
        if (sealing) {
            return keys.seal(name, iv, cipherContext, macContext);
        }
        int outcome = ticket.open(keys, name, iv, cipherContext, macContext);
        // A TLS 1.3 client uses a ticket once (RFC 8446 appendix C.4) and needs another for the next connection.
        boolean used = outcome == TICKET_OK && ssl.version().equals(TLS_1_3);
        return used ? TICKET_TO_RENEW : outcome;
    }

    @Override
    public final void onTicketOpened(long session) {
        ticket.onOpened(ssl.offered(session), ssl, context.settings().sessions(), serverName);
    }

    @Override
    public final boolean onEarlyData() {
        return early != null && early.decide(ssl);
    }

    @Override
    public final byte @Nullable [] onStatusRequest(long certificate) {
        return delegate == null
                ? context.settings().staples().responseFor(certificate)
                : delegate.onStatusRequest(certificate);
    }

    /**
     * Authorizes a client with the context selected by the server name. libssl keeps its callback even if that context
     * has no names.
     */
    @Override
    public final boolean onClientCertificate(X509 certificate) {
        ClientNames names = context.settings().clients();
        if (names.isAny()) {
            return true;
        }
        PeerCertificate client = describe(certificate);
        boolean welcome = names.include(client);
        if (!welcome) {
            refusal = TlsFailures.clientNotAllowed(client);
        }
        return welcome;
    }

    @Override
    public final int onCertificate() {
        if (delegate == null) {
            return NO_CERTIFICATE;
        }
        return switch (delegate.onCertificate()) {
            case PROCEED -> CERTIFICATE_READY;
            case SUSPEND -> SUSPEND;
            case REFUSE -> NO_CERTIFICATE;
        };
    }

    @Override
    public final int onVerify(long storeContext) {
        if (delegate == null) {
            return X509_V_ERR_CERT_REJECTED;
        }
        return switch (delegate.onVerify(storeContext)) {
            case PROCEED -> X509_V_OK;
            case SUSPEND -> {
                PeerOffer.suspendVerification(ssl);
                yield X509_V_OK;
            }
            case REFUSE -> delegate.verificationError();
        };
    }

    @Override
    public final byte @Nullable [] onSign(long key, String digest, int padding, byte[] message) {
        return delegate == null ? null : delegate.onSign(key, digest, padding, message);
    }

    @Override
    public final void onCallbackFailed(Throwable thrown) {
        if (delegate != null) {
            delegate.onThrown(thrown);
        }
        refusal = TlsFailures.callbackThrew(thrown);
    }
}
