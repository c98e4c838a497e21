package dev.sluice.gateway.backend;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.config.model.HealthConfig;
import dev.sluice.config.model.HealthConfig.Kind;
import dev.sluice.config.yaml.Quantities;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.gateway.outcome.EndSide;
import dev.sluice.gateway.outcome.LoopCounters;
import dev.sluice.gateway.proxyprotocol.ProxyHeader;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.EventLoop;
import dev.sluice.net.Timer;
import dev.sluice.tls.context.TlsContext;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One check of one server, see {@link HealthConfig.Kind}. Confined to its loop. */
final class HealthProbe implements ServerConnect.Outcome, ConnectionHandler {
    private final EventLoop loop;
    private final BackendPool pool;
    private final PoolServer server;
    private final HealthConfig config;
    private final LoopCounters counters;
    private final LongSupplier nanoTime;
    private final Verdict verdict;
    private final StatusLine answer = new StatusLine();
    private @Nullable Connection connection;
    private @Nullable Timer timer;
    private boolean over;

    /** A receiver of the result: one of the three methods is called, once. */
    interface Verdict {
        /** The server is well. */
        void passed();

        /** It is not, and why. */
        void failed(String problem);

        /** This machine is short of something, so that nothing was found out. */
        void unknown();
    }

    HealthProbe(
            EventLoop loop,
            BackendPool pool,
            PoolServer server,
            LoopCounters counters,
            LongSupplier nanoTime,
            Verdict verdict) {
        this.loop = loop;
        this.pool = pool;
        this.server = server;
        this.config = Objects.requireNonNull(pool.config().health());
        this.counters = counters;
        this.nanoTime = nanoTime;
        this.verdict = verdict;
    }

    void start() {
        long millis = config.timeout().toMillis();
        timer = loop.schedule(millis, this::timedOut);
        TlsContext tls = config.kind() == Kind.CONNECT ? null : pool.target().tls();
        new ServerConnect(loop, pool, server, tls, counters, this).start(millis);
    }

    private void timedOut() {
        timer = null;
        failed("no answer within " + Quantities.text(config.timeout()) + " (timeout of the check)");
        if (connection != null) {
            connection.abort();
        }
    }

    @Override
    public boolean isWanted() {
        return !over && !pool.isFreed();
    }

    /** The backend is told that no client is behind this connection. */
    @Override
    public byte[] header() {
        return switch (pool.config().proxyProtocol()) {
            case NONE -> new byte[0];
            case V1 -> ProxyHeader.UNKNOWN.toVersionOne();
            case V2 -> ProxyHeader.UNKNOWN.toVersionTwo();
        };
    }

    @Override
    public long nanoTime() {
        return nanoTime.getAsLong();
    }

    @Override
    public void onServerConnected(Connection connected) {
        connection = connected;
        connected.handler(this);
        if (!isWanted()) {
            connected.abort();
        } else if (config.kind() != Kind.HTTP) {
            passed();
            connected.close();
        } else if (Buffers.send(connected, request())) {
            connected.startReceiving();
        } else {
            unknown();
            connected.abort();
        }
    }

    private byte[] request() {
        String host = config.host().isEmpty() ? server.authority() : config.host();
        String text = "GET " + config.path() + " HTTP/1.1\r\nHost: " + (host.startsWith("unix:") ? "localhost" : host)
                + "\r\nUser-Agent: sluice-health\r\nAccept: */*\r\nConnection: close\r\n\r\n";
        return text.getBytes(US_ASCII);
    }

    @Override
    public void onServerFailed(EndSide side, ConnectionFailure failure) {
        if (ServerConnect.isServersFault(failure)) {
            failed(failure.message());
        } else {
            unknown();
        }
    }

    // --- the answer -------------------------------------------------------------------------------------------------

    @Override
    public void onReceived(Connection from, Slab buffer) {
        byte[] bytes = new byte[Math.min(buffer.length(), answer.missing())];
        RawMemory.copy(buffer.payloadAddress(), bytes, 0, bytes.length);
        buffer.release();
        answer.take(bytes);
        if (!over && answer.missing() == 0) {
            judge(answer.problem());
            from.close();
        }
    }

    private void judge(@Nullable String problem) {
        if (problem == null) {
            passed();
        } else {
            failed("GET " + config.path() + " was answered by " + problem);
        }
    }

    @Override
    public void onEndOfStream(Connection from) {
        failed("closed before it had answered GET " + config.path());
        from.close();
    }

    @Override
    public void onFailed(Connection from, ConnectionFailure failure) {
        failed(failure.message());
    }

    @Override
    public void onClosed(Connection from) {
        connection = null;
        unknown(); // by us: its loop ends
    }

    @Override
    public void onSent(Connection to) {
        // The request fits into one buffer.
    }

    private void passed() {
        if (isFirst()) {
            verdict.passed();
        }
    }

    private void failed(String problem) {
        if (isFirst()) {
            verdict.failed(problem);
        }
    }

    private void unknown() {
        if (isFirst()) {
            verdict.unknown();
        }
    }

    private boolean isFirst() {
        boolean first = !over;
        over = true;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        return first;
    }
}
