package dev.sluice.jsse.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.AllocatedBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Promises of Sluice's sockets that SunJSSE's do not make. */
final class EngineSocketTest extends SocketConformance {
    private static final String TLS_1_3 = "TLSv1.3";

    EngineSocketTest() {
        super(new SocketCase(SocketKind.ENGINE_OF_SUN_JSSE, TLS_1_3, SocketCase.Role.CLIENT));
    }

    @Test
    void closesThoughAWriterIsBlocked() throws Exception {
        establish();
        OutputStream out = subject().getOutputStream();
        AtomicInteger blocks = new AtomicInteger();
        Future<Throwable> written = async(() -> failure(() -> {
            while (true) {
                out.write(new byte[16_384]);
                blocks.incrementAndGet();
            }
        }));
        awaitStandstill(blocks);
        subject().close();
        assertThat(await(written)).isInstanceOf(IOException.class);
        assertThat(subjectTransport().isClosed()).isTrue();
    }

    private static void awaitStandstill(AtomicInteger count) throws InterruptedException {
        int before = -1;
        while (count.get() != before || before == 0) {
            before = count.get();
            Thread.sleep(TIMEOUT_MILLIS);
        }
    }

    @Test
    void canBeUsedByTheTrustManagerOfItsHandshake() throws Exception {
        CountingTrust trust = new CountingTrust();
        subjectContext = SocketContexts.fresh(testCase.kind(), null, trust.managers());
        connect();
        AtomicReference<SSLSession> seen = new AtomicReference<>();
        trust.atEachCheck(() -> {
            try {
                subject().startHandshake();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            seen.set(subject().getSession());
        });
        handshake();
        assertThat(seen.get().isValid()).isFalse();
        assertThat(subject().getSession().isValid()).isTrue();
        assertUsable();
    }

    @Test
    void updatesKeysWhileDataFlowsBothWays() throws Exception {
        establish();
        byte[] data = bytes(2_000_000);
        Future<?> subjectWrites = async(() -> write(subject(), data));
        Future<?> peerWrites = async(() -> write(peer(), data));
        Future<?> updates = async(() -> {
            for (int i = 0; i < 20; i++) {
                subject().startHandshake();
                peer().startHandshake();
            }
        });
        Future<byte[]> atPeer = async(() -> peer().getInputStream().readNBytes(data.length));
        assertThat(subject().getInputStream().readNBytes(data.length)).isEqualTo(data);
        assertThat(await(atPeer)).isEqualTo(data);
        await(subjectWrites);
        await(peerWrites);
        await(updates);
        assertUsable();
    }

    @Test
    void closesEveryEngineThatItMakes() throws Exception {
        Queue<SSLEngine> made = new ConcurrentLinkedQueue<>();
        SocketEngines clientEngines = (host, port) -> recorded(made, subjectContext, host, port);
        SSLContext serverContext = SocketContexts.with(testCase.kind(), AUTHORITY.server());
        SocketEngines serverEngines = (host, port) -> recorded(made, serverContext, host, port);
        EngineSocketFactory clients = new EngineSocketFactory(clientEngines);
        assertThat(clients.getDefaultCipherSuites()).isNotEmpty();
        assertThat(clients.getSupportedCipherSuites()).isNotEmpty();
        assertThatThrownBy(() -> clients.createSocket("host.invalid", 443)).isInstanceOf(IOException.class);
        clients.createSocket().close();
        try (ServerSocket listener = new EngineServerSocketFactory(serverEngines)
                .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Future<SSLSocket> accepted = async(() -> (SSLSocket) listener.accept());
            try (Socket client = clients.createSocket(HOST, listener.getLocalPort());
                    SSLSocket server = await(accepted)) {
                Future<?> written = async(() -> write(server, "hello"));
                assertThat(read(client, 5)).isEqualTo("hello");
                await(written);
            }
        }
        assertThat(made)
                .hasSizeGreaterThan(7)
                .allMatch(SSLEngine::isInboundDone)
                .allMatch(SSLEngine::isOutboundDone);
    }

    private static SSLEngine recorded(Queue<SSLEngine> made, SSLContext context, @Nullable String host, int port) {
        SSLEngine engine = host == null ? context.createSSLEngine() : context.createSSLEngine(host, port);
        made.add(engine);
        return engine;
    }

    @Test
    void closesTheEngineOfAReaderThatWasBlocked() throws Exception {
        Queue<SSLEngine> made = new ConcurrentLinkedQueue<>();
        connect();
        SSLSocket client =
                track((SSLSocket) new EngineSocketFactory((host, port) -> recorded(made, subjectContext, host, port))
                        .createSocket(subjectTransport(), HOST, 1, true));
        Future<?> atPeer = async(() -> peer().startHandshake());
        client.startHandshake();
        await(atPeer);
        InputStream in = client.getInputStream();
        Future<Integer> blocked = async(() -> readOrEnd(in));
        client.close();
        assertThat(await(blocked)).isEqualTo(-1);
        assertThat(made).hasSize(1).allMatch(SSLEngine::isInboundDone).allMatch(SSLEngine::isOutboundDone);
    }

    @Test
    void allocatesNothingBesidesTheEngine() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new EngineSocketFactory((host, port) -> new CopyingEngine())
                        .createSocket(listener.getInetAddress(), listener.getLocalPort());
                Socket server = new EngineSocketFactory((host, port) -> new CopyingEngine())
                        .createSocket(listener.accept(), (InputStream) null, true)) {
            byte[] data = bytes(1000);
            byte[] received = new byte[1000];
            OutputStream out = client.getOutputStream();
            InputStream in = server.getInputStream();
            assertThat(AllocatedBytes.leastDuring(() -> {
                        for (int i = 0; i < 100; i++) {
                            transfer(out, data, in, received);
                        }
                    }))
                    .isZero();
            assertThat(received).isEqualTo(data);
        }
    }

    private static void transfer(OutputStream out, byte[] data, InputStream in, byte[] received) {
        try {
            out.write(data);
            if (in.readNBytes(received, 0, 500) + in.readNBytes(received, 500, 500) != data.length) {
                throw new AssertionError("the end of the data");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
