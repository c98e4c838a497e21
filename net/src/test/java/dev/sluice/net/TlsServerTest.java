package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.memory.Ledger;
import dev.sluice.memory.Slab;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.peer.ConnectionFacts;
import dev.sluice.net.peer.ReceivedBytes;
import dev.sluice.net.peer.TlsHandler;
import dev.sluice.net.peer.TlsPeer;
import dev.sluice.net.peer.WriteLimitException;
import dev.sluice.net.server.TlsServer;
import dev.sluice.net.server.TlsServerBuilder;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.certificate.IdentitySource;
import dev.sluice.tls.context.ClientAuthentication;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.Fault;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A TLS server and its handlers, with the JDK's TLS as the client. */
@ParameterizedClass
@MethodSource("dev.sluice.net.Setups#backends")
final class TlsServerTest {
    private static final TestCertificates AUTHORITY = TestCertificates.shared();
    private static final JdkTls JDK = new JdkTls(AUTHORITY);
    private static final String TLS_1_3 = "TLSv1.3";

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @Parameter
    @SuppressWarnings("NullAway.Init")
    Backend backend;

    private final List<Throwable> uncaught = new CopyOnWriteArrayList<>();

    private TlsServerBuilder builder() {
        Credential credential = AUTHORITY.server();
        return TlsServer.builder()
                .backend(backend)
                .loops(1)
                .loopback(0)
                .closeDeadline(Duration.ofSeconds(3))
                .uncaughtHandler((loop, where, thrown) -> uncaught.add(thrown))
                .certificate(credential.chainFile(), credential.keyFile());
    }

    private static SSLSocket connect(TlsServer server) throws IOException {
        return JDK.connect(server.address(), TLS_1_3);
    }

    private static String exchange(SSLSocket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        return read(socket, text.length());
    }

    private static String read(SSLSocket socket, int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
    }

    /** An event that a handler reports to the test. */
    private static <T> T next(BlockingQueue<T> events) throws InterruptedException {
        T event = events.poll(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        return Objects.requireNonNull(event);
    }

    // --- bytes ------------------------------------------------------------------------------------------------------

    @Test
    void echoesMoreThanItMayQueue() throws IOException {
        byte[] sent = new byte[10_000_000];
        new Random(1).nextBytes(sent);
        try (TlsServer server =
                        builder().handler((peer, bytes) -> peer.write(bytes)).start();
                SSLSocket socket = JDK.connect(server.address(), "TLSv1.2")) {
            socket.startHandshake();
            Thread.ofVirtual().start(() -> write(socket, sent));

            assertThat(socket.getInputStream().readNBytes(sent.length)).isEqualTo(sent);
        }
        assertThat(uncaught).isEmpty();
    }

    private static void write(SSLSocket socket, byte[] bytes) {
        try {
            OutputStream output = socket.getOutputStream();
            output.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void writesCopiesOfAnyKind() throws IOException {
        TlsHandler handler = (peer, bytes) -> {
            byte[] copy = bytes.toByteArray();
            peer.write(copy);
            peer.write(ByteBuffer.wrap(copy).asReadOnlyBuffer());
            peer.write(bytes.segment());
            Slab slab = Objects.requireNonNull(peer.lease());
            slab.segment().set(ValueLayout.JAVA_BYTE, slab.end(), bytes.get(0));
            slab.window(slab.start(), slab.end() + 1);
            peer.write(slab);
            peer.write(bytes);
        };
        try (TlsServer server = builder().handler(handler).start();
                SSLSocket socket = connect(server)) {
            socket.getOutputStream().write("abc".getBytes(StandardCharsets.UTF_8));

            assertThat(read(socket, 13)).isEqualTo("abcabcabcaabc");
        }
        assertThat(uncaught).isEmpty();
    }

    @Test
    void copiesAnAnswerOfManyRecords() throws IOException {
        byte[] answer = new byte[100_001];
        new Random(2).nextBytes(answer);
        try (TlsServer server =
                        builder().handler((peer, bytes) -> peer.write(answer)).start();
                SSLSocket socket = connect(server)) {
            socket.getOutputStream().write(1);

            assertThat(socket.getInputStream().readNBytes(answer.length)).isEqualTo(answer);
        }
    }

    @Test
    void rejectsAViewAfterItsCall() throws Exception {
        BlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
        AtomicReference<ReceivedBytes> kept = new AtomicReference<>();
        TlsHandler handler = (peer, bytes) -> {
            kept.set(bytes);
            peer.write(bytes);
            thrown.add(thrownBy(bytes::length));
            peer.execute(() -> thrown.add(thrownBy(() -> kept.get().toByteArray())));
        };
        try (TlsServer server = builder().handler(handler).start();
                SSLSocket socket = connect(server)) {
            assertThat(exchange(socket, "view")).isEqualTo("view");

            assertThat(next(thrown)).isInstanceOf(IllegalStateException.class).hasMessageContaining("within the call");
            assertThat(next(thrown)).isInstanceOf(IllegalStateException.class).hasMessageContaining("within the call");
        }
    }

    private static Throwable thrownBy(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            return e;
        }
        return new AssertionError("nothing was thrown");
    }

    @Test
    void rejectsAWriteBeyondTheLimit() throws Exception {
        BlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
        TlsHandler handler = (peer, bytes) -> {
            thrown.add(thrownBy(() -> peer.write(new byte[300_000])));
            peer.write(bytes);
        };
        try (TlsServer server = builder()
                        .highWaterBytes(100_000)
                        .queuedBytesMax(200_000)
                        .handler(handler)
                        .start();
                SSLSocket socket = connect(server)) {
            assertThat(exchange(socket, "after")).isEqualTo("after");
            assertThat(next(thrown))
                    .isInstanceOf(WriteLimitException.class)
                    .hasMessageContaining("write of 300000 bytes")
                    .hasMessageContaining("queuedBytesMax=200000");
        }
    }

    @Test
    void rejectsAWriteThatNeedsMoreBuffersThanAreFree() throws Exception {
        BlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
        TlsHandler handler = (peer, bytes) -> {
            thrown.add(thrownBy(() -> peer.write(new byte[1_000_000])));
            peer.write(bytes);
        };
        try (TlsServer server = builder().buffersMax(16).handler(handler).start();
                SSLSocket socket = connect(server)) {
            assertThat(exchange(socket, "after")).isEqualTo("after");
            assertThat(next(thrown)).isInstanceOf(WriteLimitException.class).hasMessageContaining("buffers");
        }
    }

    @Test
    void reportsWhenThePeerIsWritableAgain() throws Exception {
        byte[] block = new byte[200_000];
        AtomicInteger written = new AtomicInteger();
        BlockingQueue<Long> queued = new LinkedBlockingQueue<>();
        TlsHandler handler = new TlsHandler() {
            @Override
            public void onReceived(TlsPeer peer, ReceivedBytes bytes) {
                onWritable(peer);
            }

            @Override
            public void onWritable(TlsPeer peer) {
                while (peer.isWritable() && written.get() < 50) {
                    written.incrementAndGet();
                    peer.write(block);
                    queued.add(peer.queuedBytes());
                }
            }
        };
        try (TlsServer server = builder().handler(handler).start();
                SSLSocket socket = connect(server)) {
            socket.getOutputStream().write(1);

            assertThat(socket.getInputStream().readNBytes(50 * block.length)).hasSize(50 * block.length);
        }
        assertThat(queued).hasSize(50).allMatch(bytes -> bytes < 1_000_000);
        assertThat(uncaught).isEmpty();
    }

    @Test
    void pausesAndResumes() throws Exception {
        BlockingQueue<TlsPeer> opened = new LinkedBlockingQueue<>();
        TlsHandler handler = new TlsHandler() {
            @Override
            public void onOpen(TlsPeer peer) {
                peer.pause();
                opened.add(peer);
            }

            @Override
            public void onReceived(TlsPeer peer, ReceivedBytes bytes) {
                peer.write(bytes);
            }
        };
        try (TlsServer server = builder().handler(handler).start();
                SSLSocket socket = connect(server)) {
            socket.getOutputStream().write("paused".getBytes(StandardCharsets.UTF_8));
            TlsPeer peer = next(opened);
            peer.execute(peer::resume);

            assertThat(read(socket, 6)).isEqualTo("paused");
        }
    }

    // --- threads ----------------------------------------------------------------------------------------------------

    @Test
    void rejectsAWriteFromAnotherThread() throws Exception {
        BlockingQueue<TlsPeer> opened = new LinkedBlockingQueue<>();
        try (TlsServer server = builder().handler(opening(opened)).start();
                SSLSocket socket = connect(server)) {
            socket.startHandshake();
            TlsPeer peer = next(opened);

            assertThatThrownBy(() -> peer.write(new byte[1]))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("peer.execute()");
            peer.execute(() -> peer.write(new byte[] {'x'}));
            assertThat(socket.getInputStream().read()).isEqualTo('x');
        }
    }

    private static TlsHandler opening(BlockingQueue<TlsPeer> opened) {
        return new TlsHandler() {
            @Override
            public void onOpen(TlsPeer peer) {
                opened.add(peer);
            }

            @Override
            public void onReceived(TlsPeer peer, ReceivedBytes bytes) {
                peer.write(bytes);
            }
        };
    }

    @Test
    void closesFromAnotherThread() throws Exception {
        BlockingQueue<TlsPeer> opened = new LinkedBlockingQueue<>();
        try (TlsServer server = builder().handler(opening(opened)).start();
                SSLSocket socket = connect(server)) {
            socket.startHandshake();
            next(opened).close();

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void abortsFromAnotherThread() throws Exception {
        BlockingQueue<TlsPeer> opened = new LinkedBlockingQueue<>();
        try (TlsServer server = builder().handler(opening(opened)).start();
                SSLSocket socket = connect(server)) {
            socket.startHandshake();
            next(opened).abort();

            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(IOException.class);
        }
    }

    // --- ends -------------------------------------------------------------------------------------------------------

    @Test
    void answersAfterThePeersHalfClose() throws IOException {
        TlsHandler handler = new TlsHandler() {
            private int count;

            @Override
            public void onReceived(TlsPeer peer, ReceivedBytes bytes) {
                count += bytes.length();
            }

            @Override
            public void onEndOfStream(TlsPeer peer) {
                peer.write(("received " + count).getBytes(StandardCharsets.UTF_8));
                peer.close();
            }
        };
        try (TlsServer server = builder().handlers(() -> handler).start();
                SSLSocket socket = connect(server)) {
            socket.getOutputStream().write(new byte[1000]);
            socket.shutdownOutput();

            assertThat(socket.getInputStream().readAllBytes())
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("received 1000");
        }
    }

    @Test
    void closesItsOutputAndReceivesOn() throws Exception {
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        TlsHandler handler = new TlsHandler() {
            @Override
            public void onOpen(TlsPeer peer) {
                peer.write(new byte[] {'x'});
                peer.closeOutput();
            }

            @Override
            public void onReceived(TlsPeer peer, ReceivedBytes bytes) {
                received.add(new String(bytes.toByteArray(), StandardCharsets.UTF_8));
            }
        };
        try (TlsServer server = builder().handler(handler).start();
                SSLSocket socket = connect(server)) {
            assertThat(socket.getInputStream().readAllBytes()).containsExactly('x');
            socket.getOutputStream().write("still".getBytes(StandardCharsets.UTF_8));

            assertThat(next(received)).isEqualTo("still");
        }
    }

    @Test
    void reportsATruncatedStreamAsThePeersFault() throws Exception {
        BlockingQueue<ConnectionFailure> failures = new LinkedBlockingQueue<>();
        try (TlsServer server = builder().handler(failing(failures)).start();
                Socket raw = ConformanceTest.connect(server.address())) {
            JDK.over(raw);
            raw.shutdownOutput();

            ConnectionFailure failure = next(failures);
            assertThat(failure.reason()).isEqualTo(EndReason.TRUNCATED);
            assertThat(failure.fault()).isEqualTo(Fault.PEER_MISBEHAVED);
        }
    }

    private static TlsHandler failing(BlockingQueue<ConnectionFailure> failures) {
        return new TlsHandler() {
            @Override
            public void onReceived(TlsPeer peer, ReceivedBytes bytes) {
                peer.write(bytes);
            }

            @Override
            public void onFailed(TlsPeer peer, ConnectionFailure failure) {
                failures.add(failure);
            }
        };
    }

    @Test
    void closesAnIdleConnection() throws Exception {
        BlockingQueue<ConnectionFailure> failures = new LinkedBlockingQueue<>();
        try (TlsServer server = builder()
                        .idleDeadline(Duration.ofMillis(100))
                        .handler(failing(failures))
                        .start();
                SSLSocket socket = connect(server)) {
            assertThat(exchange(socket, "once")).isEqualTo("once");

            assertThat(socket.getInputStream().read()).isEqualTo(-1); // in order, by close_notify
            ConnectionFailure failure = next(failures);
            assertThat(failure.reason()).isEqualTo(EndReason.IDLE_TIMEOUT);
            assertThat(failure.message()).contains("100 ms", "raise the deadline");
        }
    }

    @Test
    void abortsAPeerThatTakesNothing() throws Exception {
        BlockingQueue<ConnectionFailure> failures = new LinkedBlockingQueue<>();
        byte[] block = new byte[1_000_000];
        TlsHandler handler = new TlsHandler() {
            @Override
            public void onReceived(TlsPeer peer, ReceivedBytes bytes) {
                onWritable(peer);
            }

            @Override
            public void onWritable(TlsPeer peer) {
                while (peer.isWritable()) {
                    peer.write(block);
                }
            }

            @Override
            public void onFailed(TlsPeer peer, ConnectionFailure failure) {
                failures.add(failure);
            }
        };
        try (TlsServer server = builder()
                        .writeDeadline(Duration.ofMillis(200))
                        .handler(handler)
                        .start();
                SSLSocket socket = connect(server)) {
            socket.getOutputStream().write(1);

            ConnectionFailure failure = next(failures);
            assertThat(failure.reason()).isEqualTo(EndReason.WRITE_TIMEOUT);
            assertThat(failure.fault()).isEqualTo(Fault.PEER_MISBEHAVED);
        }
    }

    @Test
    void abortsTheConnectionOfAHandlerThatThrowsAndNoOther() throws Exception {
        BlockingQueue<ConnectionFailure> failures = new LinkedBlockingQueue<>();
        TlsHandler handler = new TlsHandler() {
            @Override
            public void onReceived(TlsPeer peer, ReceivedBytes bytes) {
                if (bytes.get(0) == 'x') {
                    throw new IllegalArgumentException("the test's");
                }
                peer.write(bytes);
            }

            @Override
            public void onFailed(TlsPeer peer, ConnectionFailure failure) {
                failures.add(failure);
            }
        };
        try (TlsServer server = builder().handler(handler).start();
                SSLSocket other = connect(server);
                SSLSocket socket = connect(server)) {
            assertThat(exchange(other, "a")).isEqualTo("a");
            socket.getOutputStream().write('x');

            assertThat(next(failures).fault()).isEqualTo(Fault.OURS);
            assertThat(exchange(other, "b")).isEqualTo("b");
        }
        assertThat(uncaught).singleElement().isInstanceOf(IllegalArgumentException.class);
    }

    // --- handshakes -------------------------------------------------------------------------------------------------

    @Test
    void reportsGarbageAsThePeersFault() throws Exception {
        BlockingQueue<ConnectionFailure> failures = new LinkedBlockingQueue<>();
        try (TlsServer server = builder()
                        .handler((peer, bytes) -> peer.write(bytes))
                        .failures((address, failure) -> failures.add(failure))
                        .start();
                Socket raw = ConformanceTest.connect(server.address())) {
            raw.getOutputStream().write("no TLS at all\r\n".getBytes(StandardCharsets.UTF_8));

            ConnectionFailure failure = next(failures);
            assertThat(failure.reason()).isEqualTo(EndReason.NOT_TLS);
            assertThat(failure.fault()).isEqualTo(Fault.PEER_MISBEHAVED);
        }
    }

    @Test
    void givesUpAHandshakeAtItsDeadline() throws Exception {
        BlockingQueue<ConnectionFailure> failures = new LinkedBlockingQueue<>();
        try (TlsServer server = builder()
                        .handshakeDeadline(Duration.ofMillis(50))
                        .handler((peer, bytes) -> peer.write(bytes))
                        .failures((address, failure) -> failures.add(failure))
                        .start();
                Socket raw = ConformanceTest.connect(server.address())) {
            assertThat(next(failures).reason()).isEqualTo(EndReason.HANDSHAKE_TIMEOUT);
            assertThat(raw.isConnected()).isTrue();
        }
    }

    @Test
    void describesTheConnection() throws Exception {
        BlockingQueue<TlsPeer> opened = new LinkedBlockingQueue<>();
        Credential api = AUTHORITY.wrongHostServer();
        try (TlsServer server = builder()
                        .host("other.example", IdentitySource.pem(api.chainFile(), api.keyFile()))
                        .alpn("h2", "http/1.1")
                        .tls(context ->
                                context.clientAuthentication(ClientAuthentication.REQUIRED, AUTHORITY.rootFile()))
                        .handler(opening(opened))
                        .start();
                SSLSocket socket = connect(server)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName("other.example")));
            parameters.setApplicationProtocols(new String[] {"http/1.1"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();

            TlsPeer peer = next(opened);
            ConnectionFacts facts = peer.facts();
            X509Certificate served = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            assertThat(served).isEqualTo(api.certificate());
            assertThat(facts.version()).isEqualTo(socket.getSession().getProtocol());
            assertThat(facts.cipher()).isEqualTo(socket.getSession().getCipherSuite());
            assertThat(facts.group()).isNotEmpty();
            assertThat(facts.serverName()).isEqualTo("other.example");
            assertThat(facts.alpn()).isEqualTo(socket.getApplicationProtocol()).isEqualTo("http/1.1");
            assertThat(facts.isResumed()).isFalse();
            assertThat(facts.peerCertificates())
                    .containsExactly(AUTHORITY.server().certificate());
            assertThat(((InetSocketAddress) peer.remoteAddress()).getPort()).isEqualTo(socket.getLocalPort());
        }
    }

    @Test
    void resumesOnAnyLoop() throws Exception {
        BlockingQueue<TlsPeer> opened = new LinkedBlockingQueue<>();
        TlsServer server = builder().loops(2).handler(opening(opened)).start();
        try (server) {
            List<TlsPeer> peers = new ArrayList<>();
            for (int i = 0; i < 40 && !hasResumedOnBoth(peers); i++) {
                try (SSLSocket socket = connect(server)) {
                    assertThat(exchange(socket, "ticket")).isEqualTo("ticket");
                }
                peers.add(next(opened));
            }
            assertThat(hasResumedOnBoth(peers)).isTrue();
            assertThat(peers.stream().skip(1)).allMatch(peer -> peer.facts().isResumed());
        }
    }

    private static boolean hasResumedOnBoth(List<TlsPeer> peers) {
        return peers.stream()
                        .filter(peer -> peer.facts().isResumed())
                        .map(TlsPeer::loop)
                        .distinct()
                        .count()
                == 2;
    }

    // --- the server -------------------------------------------------------------------------------------------------

    @Test
    void reloadsCertificates(@TempDir Path directory) throws Exception {
        Path chain = directory.resolve("chain.pem");
        Path key = directory.resolve("key.pem");
        copy(AUTHORITY.server(), chain, key);
        try (TlsServer server = TlsServer.builder()
                .backend(backend)
                .loops(2)
                .loopback(0)
                .certificate(chain, key)
                .handler((peer, bytes) -> peer.write(bytes))
                .start()) {
            try (SSLSocket before = connect(server)) {
                before.startHandshake();
                copy(AUTHORITY.serverRsa(), chain, key);
                server.reload();

                assertThat(served(server)).isEqualTo(AUTHORITY.serverRsa().certificate());
                assertThat(exchange(before, "stays")).isEqualTo("stays");
            }
            Files.writeString(chain, "no PEM");
            assertThatThrownBy(server::reload)
                    .isInstanceOf(TlsConfigurationException.class)
                    .hasMessageContaining(chain.toString());
            assertThat(served(server)).isEqualTo(AUTHORITY.serverRsa().certificate());
        }
    }

    private static void copy(Credential credential, Path chain, Path key) throws IOException {
        Files.copy(credential.chainFile(), chain, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(credential.keyFile(), key, StandardCopyOption.REPLACE_EXISTING);
    }

    private static X509Certificate served(TlsServer server) throws IOException {
        try (SSLSocket socket = new JdkTls(AUTHORITY).connect(server.address(), TLS_1_3)) {
            socket.startHandshake();
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    @Test
    void drainsWithinTheGracePeriod() throws Exception {
        BlockingQueue<TlsPeer> draining = new LinkedBlockingQueue<>();
        TlsHandler handler = new TlsHandler() {
            @Override
            public void onReceived(TlsPeer peer, ReceivedBytes bytes) {
                peer.write(bytes);
                peer.close();
            }

            @Override
            public void onDrain(TlsPeer peer) {
                draining.add(peer);
            }
        };
        TlsServer server = builder().handler(handler).start();
        CompletableFuture<Void> closed;
        try (SSLSocket socket = connect(server)) {
            socket.startHandshake();
            assertThat(server.connections()).isEqualTo(1);
            closed = CompletableFuture.runAsync(() -> server.close(Waiting.LIMIT));
            next(draining);
            assertThatThrownBy(() -> ConformanceTest.connect(server.address())).isInstanceOf(IOException.class);

            assertThat(exchange(socket, "last")).isEqualTo("last");
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        closed.get(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS);
        server.close();
    }

    @Test
    void closesWhatIsLeftAfterTheGracePeriod() throws Exception {
        TlsHandler handler = new TlsHandler() {
            @Override
            public void onReceived(TlsPeer peer, ReceivedBytes bytes) {
                peer.write(bytes);
            }

            @Override
            public void onDrain(TlsPeer peer) {}
        };
        TlsServer server = builder().handler(handler).start();
        CompletableFuture<Void> closed;
        try (SSLSocket socket = connect(server)) {
            assertThat(exchange(socket, "open")).isEqualTo("open");
            closed = CompletableFuture.runAsync(() -> server.close(Duration.ofMillis(1)));

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        closed.get(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void closesHandshakesThatAreLeftAfterTheGracePeriod() throws Exception {
        TlsServer server = builder()
                .closeDeadline(Duration.ofMillis(100))
                .handler((peer, bytes) -> peer.write(bytes))
                .start();
        try (Socket raw = ConformanceTest.connect(server.address())) {
            Waiting.until(Waiting.LIMIT, () -> server.connections() == 1, () -> server.connections() + " connections");
            server.close(Duration.ofMillis(1));

            assertThat(raw.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(server.connections()).isZero();
    }

    @Test
    void rejectsItsCloseOnALoop() throws Exception {
        BlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
        AtomicReference<Runnable> close = new AtomicReference<>(() -> {});
        try (TlsServer server = builder()
                        .handler((peer, bytes) -> {
                            thrown.add(thrownBy(close.get()));
                            peer.write(bytes);
                        })
                        .start();
                SSLSocket socket = connect(server)) {
            close.set(server::close);
            assertThat(exchange(socket, "loop")).isEqualTo("loop");

            assertThat(next(thrown)).hasMessageContaining("call it from another thread");
        }
    }

    @Test
    void rejectsWrongConfigurations() {
        Credential server = AUTHORITY.server();
        assertRejected(builder -> builder.certificate(Path.of("absent.pem"), Path.of("absent.key")), "absent.pem");
        assertRejected(
                builder -> builder.certificate(
                        server.chainFile(), AUTHORITY.serverRsa().keyFile()),
                "key does not fit certificate");
        assertRejected(
                builder -> builder.certificate(
                        AUTHORITY.expiredServer().chainFile(),
                        AUTHORITY.expiredServer().keyFile()),
                "expired");
        assertRejected(
                builder -> builder.certificate(server.chainFile(), server.keyFile())
                        .alpn(""),
                "ALPN");
        assertThatThrownBy(() -> TlsServer.builder()
                        .handler((peer, bytes) -> peer.write(bytes))
                        .start())
                .isInstanceOf(TlsConfigurationException.class)
                .hasMessageContaining("certificate(chain, key)");
        assertThatThrownBy(() -> builder().start()).hasMessageContaining("has no handler");
        assertThatThrownBy(() -> builder().loops(0)).hasMessageContaining("loops=0");
        assertThatThrownBy(() -> builder()
                        .handler((peer, bytes) -> {})
                        .highWaterBytes(8_000_000)
                        .start())
                .hasMessageContaining("highWaterBytes=8000000, queuedBytesMax=4194304");
        assertThatThrownBy(() -> builder()
                        .handler((peer, bytes) -> {})
                        .idleDeadline(Duration.ofSeconds(-1))
                        .start())
                .hasMessageContaining("idleDeadline=PT-1S is negative");
    }

    private void assertRejected(Consumer<TlsServerBuilder> change, String text) {
        TlsServerBuilder builder =
                TlsServer.builder().backend(backend).loops(1).loopback(0).handler((peer, bytes) -> peer.write(bytes));
        change.accept(builder);
        assertThatThrownBy(builder::start)
                .isInstanceOf(TlsConfigurationException.class)
                .hasMessageContaining(text);
    }

    @Test
    void rejectsAnAddressThatIsNotOurs() {
        assertThatThrownBy(() -> builder()
                        .handler((peer, bytes) -> peer.write(bytes))
                        .address(new InetSocketAddress("192.0.2.1", 0))
                        .start())
                .isInstanceOf(ListenException.class)
                .hasMessageContaining("no interface of this machine");
    }
}
