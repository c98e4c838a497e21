package dev.sluice.bench.storm;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.load.TlsProfile;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.ConnectHandler;
import dev.sluice.net.Connection;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.loop.EventLoops;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.MemoryEngine;
import dev.sluice.tls.engine.TlsSession;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The shared state of a storm's clients: an event loop, and TLS as defined by {@link TlsProfile}. */
final class Clients implements AutoCloseable {
    private static final long CONNECT_MILLIS_MAX = 2_000;
    private static final long STEP_SECONDS_MAX = 60;
    /** Certificates are not verified, so no host name is needed. */
    private static final String NO_HOST = "";

    private final EventLoop loop = EventLoops.start(EventLoopConfig.defaults().withName("clients"));
    private final TlsContext context = TlsContext.client()
            .versions(ProtocolVersion.TLS_1_3, ProtocolVersion.TLS_1_3)
            .cipherSuites(List.of(TlsProfile.SUITE))
            .groups(List.of(TlsProfile.GROUP))
            .dangerouslyTrustAnyone()
            .build();

    private Clients() {}

    static Clients start() {
        return new Clients();
    }

    String describe() {
        return loop.backendReason();
    }

    EventLoop loop() {
        return loop;
    }

    /** Creates an engine for one connection, which owns it. */
    MemoryEngine engine(@Nullable TlsSession session) {
        return session == null ? MemoryEngine.client(context, NO_HOST) : MemoryEngine.client(context, NO_HOST, session);
    }

    /** Returns the ClientHello of a client without a session, including the record header. */
    byte[] hello() {
        try (MemoryEngine engine = engine(null)) {
            engine.handshake();
            byte[] bytes = new byte[engine.sendLength()];
            RawMemory.copy(engine.sendAddress(), bytes, 0, bytes.length);
            return bytes;
        }
    }

    void connect(int port, ConnectHandler outcome) {
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        loop.connect(server, CONNECT_MILLIS_MAX, outcome);
    }

    /** Sends bytes from a buffer of the loop; they fit into one. */
    void send(Connection connection, byte[] bytes) {
        Slab slab = loop.buffers().lease();
        if (slab == null) {
            throw new IllegalStateException("no free send buffer; the load uses too many connections");
        }
        slab.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + bytes.length);
        RawMemory.copy(bytes, 0, slab.payloadAddress(), bytes.length);
        connection.send(slab);
    }

    /** Runs a task on the loop, and waits for the end of its step. */
    <T> T play(Step<T> step) {
        CompletableFuture<T> over = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                step.begin(over);
            } catch (RuntimeException e) {
                over.completeExceptionally(e);
            }
        });
        try {
            return over.get(STEP_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        } catch (TimeoutException e) {
            throw new BenchException("not finished after " + STEP_SECONDS_MAX + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", e);
        }
    }

    /** An asynchronous step. */
    interface Step<T> {
        /** Starts the step; the callee completes the future at its end. */
        void begin(CompletableFuture<T> over);
    }

    @Override
    public void close() {
        loop.close();
        context.close();
    }
}
