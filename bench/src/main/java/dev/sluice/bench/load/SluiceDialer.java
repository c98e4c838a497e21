package dev.sluice.bench.load;

import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.net.ConnectHandler;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.loop.EventLoops;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.MemoryEngine;
import dev.sluice.tls.engine.TlsSession;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A dialer on Sluice's own event loop and engine, which are cheaper than the JDK's: the load is less often the limit.
 */
final class SluiceDialer implements Dialer {
    private static final long CONNECT_MILLIS_MAX = 5_000;
    private static final long STOP_SECONDS_MAX = 10;
    /** Certificates are not verified, so no host name is needed. */
    private static final String NO_HOST = "";

    private final EventLoop loop = EventLoops.start(EventLoopConfig.defaults().withName("load"));
    private final TlsContext context;
    private final Map<Integer, TlsSession> sessions = new HashMap<>();
    private @Nullable Step step;

    /** Creates a dialer for TLS 1.3. */
    SluiceDialer() {
        this(ProtocolVersion.TLS_1_3);
    }

    SluiceDialer(ProtocolVersion version) {
        this.context = TlsContext.client()
                .versions(version, version)
                .cipherList(TlsProfile.SUITES_OF_TLS_1_2)
                .cipherSuites(List.of(TlsProfile.SUITE))
                .groups(version == ProtocolVersion.TLS_1_2 ? TlsProfile.GROUPS_OF_TLS_1_2 : List.of(TlsProfile.GROUP))
                .dangerouslyTrustAnyone()
                .build();
    }

    @Override
    public void dialPlain(int port, Stream.Handler handler) {
        connect(port, handler, tcp -> new SluiceStream(this, handler).overPlain(tcp));
    }

    @Override
    public void dialTls(int port, int slot, Stream.Handler handler) {
        connect(port, handler, tcp -> new SluiceStream(this, handler).overTls(tcp, engine(slot), slot));
    }

    @Override
    public boolean drive(Runnable task, BooleanSupplier done, long timeoutMillis) {
        Step driven = new Step(done, new CountDownLatch(1));
        loop.execute(() -> {
            step = driven;
            task.run();
            checkStep();
        });
        try {
            return driven.over.await(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void soon(Runnable task) {
        loop.execute(task);
    }

    /** Checks whether the current step is over; called after every event. */
    void checkStep() {
        Step driven = step;
        if (driven != null && driven.done.getAsBoolean()) {
            step = null;
            driven.over.countDown();
        }
    }

    /** Keeps a session for a slot; takes ownership. */
    void keep(int slot, TlsSession session) {
        TlsSession earlier = sessions.put(slot, session);
        if (earlier != null) {
            earlier.close();
        }
    }

    @Override
    public String describe() {
        return OpenSsl.require().version().replace(' ', '_');
    }

    @Override
    public void close() {
        drive(() -> {}, () -> true, TimeUnit.SECONDS.toMillis(STOP_SECONDS_MAX));
        loop.close();
        sessions.values().forEach(TlsSession::close);
        context.close();
    }

    /** Creates an engine for a slot. A ticket is used once (RFC 8446 appendix C.4), so its session is removed. */
    private MemoryEngine engine(int slot) {
        TlsSession session = slot < 0 ? null : sessions.remove(slot);
        if (session == null) {
            return MemoryEngine.client(context, NO_HOST);
        }
        try (session) {
            return MemoryEngine.client(context, NO_HOST, session);
        }
    }

    private void connect(int port, Stream.Handler handler, Connected connected) {
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        loop.connect(server, CONNECT_MILLIS_MAX, new ConnectHandler() {
            @Override
            public void onConnected(TcpConnection connection) {
                connected.over(connection);
                checkStep();
            }

            @Override
            public void onConnectFailed(ConnectionFailure failure) {
                handler.onFailed(new SluiceStream(SluiceDialer.this, handler), failure.message());
                checkStep();
            }
        });
    }

    private interface Connected {
        void over(TcpConnection connection);
    }

    private record Step(BooleanSupplier done, CountDownLatch over) {}
}
