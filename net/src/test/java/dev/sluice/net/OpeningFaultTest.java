package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.memory.fault.FaultPoint;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.BufferedEngine;
import dev.sluice.tls.engine.DirectEngine;
import dev.sluice.tls.engine.MemoryEngine;
import dev.sluice.tls.failure.EndReason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Received records of which one cannot be opened: each call that opens them, or leases a buffer to open them into,
 * throws once. The connection ends by our fault, and every buffer is back in its pool.
 */
@ParameterizedClass
@MethodSource("dev.sluice.net.Setups#all")
final class OpeningFaultTest extends ConformanceTest {
    private static final JdkTls JDK = new JdkTls(TestCertificates.shared());
    private static final List<String> VERSIONS = List.of("TLSv1.2", "TLSv1.3");

    /** Of a script that makes more of a kind: the first ones, which are all different. */
    private static final long CALLS_MAX = 8;

    private static final int SMALL = 100;
    private static final int RECORDS = 6;
    private static final int PIECES_BYTES = 40_000;

    private final TestCertificates authority = TestCertificates.shared();
    private final TlsContext server = TlsContext.server()
            .certificate(authority.server().chainFile(), authority.server().keyFile())
            .build();
    private final TlsContext client =
            TlsContext.client().trust(authority.rootFile()).build();
    private final Acceptors acceptors = new Acceptors();

    private static final class InjectedFault extends RuntimeException {
        private static final long serialVersionUID = 1L;

        InjectedFault() {
            super("injected by a test");
        }
    }

    /** An acceptor that delegates each connection to another one. */
    private static final class Acceptors implements AcceptHandler {
        private volatile @Nullable TlsAcceptor next;

        @Override
        public void onAccepted(TcpConnection connection, SocketAddress peer) {
            Objects.requireNonNull(next).onAccepted(connection, peer);
        }

        @Override
        public void onAcceptFailed(ConnectionFailure failure) {
            Objects.requireNonNull(next).onAcceptFailed(failure);
        }
    }

    /** An established connection of the loop's and its peer. */
    private record Pair(SSLSocket peer, TlsConnection connection, Recorder recorder) {
        void awaitReceived(int count) {
            Waiting.until(
                    LIMIT,
                    () -> recorder.received().length >= count || recorder.closed.isDone(),
                    () -> recorder.received().length + " of " + count);
        }
    }

    /** The bytes that a peer sends, as they meet the buffers. */
    private interface Script {
        void play(Pair pair) throws IOException;
    }

    private interface Opener {
        Pair open() throws IOException;
    }

    @AfterEach
    void freeContexts() {
        fixture.close();
        server.close();
        client.close();
    }

    /** Opened where it lies. */
    private void oneRecord(Pair pair) throws IOException {
        pair.peer.getOutputStream().write(randomBytes(SMALL));
        pair.awaitReceived(SMALL);
    }

    /** The first is parked, since it arrives late; the others come in one buffer, and are opened into another. */
    private void severalInABuffer(Pair pair) throws IOException {
        fixture.run(pair.connection::stopReceiving);
        for (int i = 0; i < RECORDS; i++) {
            pair.peer.getOutputStream().write(randomBytes(SMALL));
        }
        fixture.run(pair.connection::startReceiving);
        pair.awaitReceived(RECORDS * SMALL);
    }

    /** Records of which buffers hold pieces. */
    private void pieces(Pair pair) throws IOException {
        Random random = new Random(5);
        for (int sent = 0; sent < PIECES_BYTES; ) {
            int length = Math.min(PIECES_BYTES - sent, 1 + random.nextInt(1 << random.nextInt(15)));
            pair.peer.getOutputStream().write(randomBytes(length));
            sent += length;
        }
        pair.awaitReceived(PIECES_BYTES);
    }

    private List<Script> scripts() {
        return List.of(this::oneRecord, this::severalInABuffer, this::pieces);
    }

    @Test
    void returnsBuffersOfRecordsWhenOpeningThrows() throws IOException {
        InetSocketAddress address = fixture.listen(acceptors);
        for (String version : VERSIONS) {
            Opener opener =
                    () -> accept(address, version, () -> DirectEngine.server(server, fixture.loop.loopCrypto()));
            tryEach(FaultPoint.EVP, opener);
            tryEach(FaultPoint.POOL, opener);
        }
    }

    @Test
    void returnsBuffersOfLibsslWhenReadingThrows() throws IOException {
        InetSocketAddress address = fixture.listen(acceptors);
        for (String version : VERSIONS) {
            Opener opener = () -> accept(address, version, () -> MemoryEngine.server(server));
            tryEach(FaultPoint.LIBSSL, opener);
            tryEach(FaultPoint.POOL, opener);
        }
    }

    /** A TLS 1.3 client detaches from libssl behind its first ticket, and stays with its engine. */
    @Test
    void returnsBuffersOfAnEngineWithoutLibsslWhenOpeningThrows() throws IOException {
        try (SSLServerSocket listening = JDK.listen("TLSv1.3")) {
            InetSocketAddress address = (InetSocketAddress) listening.getLocalSocketAddress();
            Opener opener = () -> connect(listening, address);
            tryEach(FaultPoint.EVP, opener);
            tryEach(FaultPoint.POOL, opener);
        }
    }

    private Pair accept(InetSocketAddress address, String version, Supplier<BufferedEngine> engines)
            throws IOException {
        Recorder recorder = recorder();
        TlsAcceptor acceptor = new TlsAcceptor(engines, LIMIT.toMillis(), recorder);
        acceptors.next = acceptor;
        SSLSocket peer = JDK.connect(address, version);
        peer.startHandshake();
        return new Pair(peer, LoopFixture.await(acceptor.made), recorder);
    }

    private Pair connect(SSLServerSocket listening, InetSocketAddress address) throws IOException {
        Recorder recorder = recorder();
        TlsAcceptor connector = new TlsAcceptor(
                () -> DirectEngine.client(client, "localhost", fixture.loop.loopCrypto()), LIMIT.toMillis(), recorder);
        fixture.connect(address, LIMIT.toMillis(), connector);
        SSLSocket peer = (SSLSocket) listening.accept();
        peer.setSoTimeout(Math.toIntExact(LIMIT.toMillis()));
        CompletableFuture<Void> shaken = CompletableFuture.runAsync(() -> {
            try {
                peer.startHandshake();
                peer.getOutputStream().write(1); // behind the tickets
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        TlsConnection made = LoopFixture.await(connector.made);
        LoopFixture.await(shaken);
        recorder.awaitReceived(1);
        return new Pair(peer, made, recorder);
    }

    private void tryEach(FaultPoint point, Opener opener) throws IOException {
        for (Script script : scripts()) {
            long calls = Math.min(CALLS_MAX, tryOne(point, 0, script, opener));
            int leased = leased();
            for (long call = 1; call <= calls; call++) {
                tryOne(point, call, script, opener);
                long failing = call;
                Waiting.until(
                        LIMIT, () -> leased() <= leased, () -> point + " " + failing + ": " + leased() + " leased");
            }
        }
    }

    /** Plays a script in which a call fails; 0 for none. Returns the number of calls. */
    private long tryOne(FaultPoint point, long call, Script script, Opener opener) throws IOException {
        Thread loop = fixture.call(Thread::currentThread);
        Pair pair = opener.open();
        try (FaultPoint.Armed armed = FaultPoint.arm(point, call, loop::equals, OpeningFaultTest::fail)) {
            play(script, pair);
            fixture.run(() -> {}); // whatever has begun on the loop is over
            if (armed.hasHit() && point != FaultPoint.POOL) {
                assertThat(LoopFixture.await(pair.recorder.failed).reason()).isEqualTo(EndReason.INTERNAL_ERROR);
            }
            assertThat(fixture.uncaught).hasSize(armed.hasHit() ? 1 : 0).allMatch(InjectedFault.class::isInstance);
            return armed.calls();
        } finally {
            fixture.uncaught.clear();
            end(pair);
        }
    }

    private static void play(Script script, Pair pair) {
        try {
            script.play(pair);
        } catch (IOException ended) {
            LoopFixture.await(pair.recorder.failed);
        }
    }

    private void end(Pair pair) throws IOException {
        fixture.run(pair.connection::abort);
        LoopFixture.await(pair.recorder.closed);
        pair.peer.close();
    }

    private static void fail() {
        throw new InjectedFault();
    }

    private int leased() {
        return fixture.call(() ->
                fixture.loop.buffers().leasedCount() + fixture.loop.loopCrypto().leasedBuffers());
    }
}
