package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.memory.Ledger;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.channel.TlsChannel;
import dev.sluice.net.client.TlsClient;
import dev.sluice.net.client.TlsClientBuilder;
import dev.sluice.net.peer.CertificateRejectedException;
import dev.sluice.net.peer.ConnectRefusedException;
import dev.sluice.net.peer.ConnectionFailedException;
import dev.sluice.net.peer.ConnectionFailedException.Stage;
import dev.sluice.net.peer.DeadlineExceededException;
import dev.sluice.net.peer.HandshakeFailedException;
import dev.sluice.net.peer.ReceivedBytes;
import dev.sluice.net.peer.TlsHandler;
import dev.sluice.net.peer.TlsPeer;
import dev.sluice.net.server.TlsServer;
import dev.sluice.net.server.TlsServerBuilder;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.context.ClientAuthentication;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A TLS client, with the JDK's TLS, a TLS server of this library, and hostile sockets as servers. */
@ParameterizedClass
@MethodSource("dev.sluice.net.Setups#backends")
final class TlsClientTest {
    private static final TestCertificates AUTHORITY = TestCertificates.shared();
    private static final String LOCALHOST = "localhost";

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @Parameter
    @SuppressWarnings("NullAway.Init")
    Backend backend;

    private TlsClientBuilder client() {
        return TlsClient.builder()
                .backend(backend)
                .trust(AUTHORITY.rootFile())
                .connectDeadline(Waiting.LIMIT)
                .resolver(host -> List.of(InetAddress.getLoopbackAddress()));
    }

    private TlsServerBuilder server(Credential credential) {
        return TlsServer.builder()
                .backend(backend)
                .loops(1)
                .loopback(0)
                .certificate(credential.chainFile(), credential.keyFile())
                .failures((address, failure) -> {})
                .handler((peer, bytes) -> peer.write(bytes));
    }

    private static String exchange(TlsChannel channel, String text) throws IOException {
        channel.outputStream().write(text.getBytes(StandardCharsets.UTF_8));
        return new String(channel.inputStream().readNBytes(text.length()), StandardCharsets.UTF_8);
    }

    private static <T extends ConnectionFailedException> T failure(
            TlsClient client, String host, int port, Class<T> type) {
        T failure = catchThrowableOfType(type, () -> client.open(host, port).close());
        assertThat(failure).isNotNull().hasMessageStartingWith("cannot connect to " + host + ":" + port + ": ");
        return failure;
    }

    // --- connections ------------------------------------------------------------------------------------------------

    @Test
    void talksToTheJdk() throws Exception {
        try (SSLServerSocket listening = new JdkTls(AUTHORITY).listen("TLSv1.3");
                TlsClient client = client().build()) {
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> echoOnce(listening));
            try (TlsChannel channel = client.open(LOCALHOST, listening.getLocalPort())) {
                assertThat(exchange(channel, "hello")).isEqualTo("hello");
                assertThat(channel.facts().version()).isEqualTo("TLSv1.3");
                assertThat(channel.facts().serverName()).isEqualTo(LOCALHOST);
                assertThat(channel.facts().peerCertificates())
                        .containsExactly(AUTHORITY.server().certificate());
            }
            served.get(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static void echoOnce(SSLServerSocket listening) {
        try (SSLSocket socket = (SSLSocket) listening.accept()) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void callsAHandler() throws Exception {
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        TlsHandler handler = new TlsHandler() {
            @Override
            public void onOpen(TlsPeer peer) {
                peer.write("from the handler".getBytes(StandardCharsets.UTF_8));
            }

            @Override
            public void onReceived(TlsPeer peer, ReceivedBytes bytes) {
                received.add(new String(bytes.toByteArray(), StandardCharsets.UTF_8));
                peer.close();
            }
        };
        try (TlsServer server = server(AUTHORITY.server()).alpn("echo").start();
                TlsClient client = client().loops(2).alpn("other", "echo").build()) {
            TlsPeer peer = client.connect(LOCALHOST, server.address().getPort(), handler)
                    .get(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS);

            assertThat(received.poll(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo("from the handler");
            assertThat(peer.facts().alpn()).isEqualTo("echo");
        }
    }

    @Test
    void resumesSessions() throws Exception {
        try (TlsServer server = server(AUTHORITY.server()).start();
                TlsClient client = client().build()) {
            assertThat(isResumed(client, server)).isFalse();
            assertThat(isResumed(client, server)).isTrue();
            assertThat(isResumed(client, server)).isTrue();
        }
    }

    @Test
    void keepsNoSessionWhereNoneAreWanted() throws Exception {
        try (TlsServer server = server(AUTHORITY.server()).start();
                TlsClient client = client().sessionsMax(0).build()) {
            assertThat(isResumed(client, server)).isFalse();
            assertThat(isResumed(client, server)).isFalse();
        }
    }

    private static boolean isResumed(TlsClient client, TlsServer server) throws IOException {
        try (TlsChannel channel = client.open(LOCALHOST, server.address().getPort())) {
            assertThat(exchange(channel, "session")).isEqualTo("session");
            assertThat(channel.facts().peerCertificates())
                    .containsExactly(AUTHORITY.server().certificate());
            return channel.facts().isResumed();
        }
    }

    @Test
    void readsTheServersWholeChain() throws Exception {
        try (TlsServer server = server(AUTHORITY.serverWithIntermediate()).start();
                TlsClient client = client().build();
                TlsChannel channel = client.open(LOCALHOST, server.address().getPort())) {
            assertThat(channel.facts().peerCertificates())
                    .isEqualTo(AUTHORITY.serverWithIntermediate().chain());
        }
    }

    @Test
    void presentsItsCertificate() throws Exception {
        Credential own = AUTHORITY.client();
        AtomicReference<List<?>> presented = new AtomicReference<>(List.of());
        try (TlsServer server = server(AUTHORITY.server())
                        .tls(context ->
                                context.clientAuthentication(ClientAuthentication.REQUIRED, AUTHORITY.rootFile()))
                        .handler((peer, bytes) -> {
                            presented.set(peer.facts().peerCertificates());
                            peer.write(bytes);
                        })
                        .start();
                TlsClient client =
                        client().certificate(own.chainFile(), own.keyFile()).build();
                TlsChannel channel = client.open(LOCALHOST, server.address().getPort())) {
            assertThat(exchange(channel, "mutual")).isEqualTo("mutual");
            assertThat(presented.get()).isEqualTo(List.of(own.certificate()));
        }
    }

    @Test
    void connectsToAddressesWithoutAName() throws Exception {
        try (TlsServer server = server(AUTHORITY.server()).start();
                TlsClient client = client().build();
                TlsChannel channel = client.open("127.0.0.1", server.address().getPort())) {
            assertThat(exchange(channel, "address")).isEqualTo("address");
            assertThat(channel.facts().serverName()).isEmpty();
        }
    }

    // --- several addresses ------------------------------------------------------------------------------------------

    @Test
    void triesTheNextAddressWhenOneRefuses() throws Exception {
        InetAddress other = InetAddress.getByName("127.0.0.9");
        try (TlsServer server = server(AUTHORITY.server()).start();
                TlsClient client = client().resolver(host -> List.of(other, InetAddress.getLoopbackAddress()))
                        .build();
                TlsChannel channel = client.open(LOCALHOST, server.address().getPort())) {
            assertThat(exchange(channel, "second")).isEqualTo("second");
        }
    }

    @Test
    void doesNotWaitForAnAddressThatIsSilent() throws Exception {
        InetAddress silent = InetAddress.getByName("127.0.0.9");
        try (TlsServer server = server(AUTHORITY.server()).start();
                FullBacklog full = new FullBacklog(
                        new InetSocketAddress(silent, server.address().getPort()));
                TlsClient client = client().resolver(host -> List.of(silent, InetAddress.getLoopbackAddress()))
                        .build();
                TlsChannel channel = client.open(LOCALHOST, server.address().getPort())) {
            assertThat(exchange(channel, "first to answer")).isEqualTo("first to answer");
            assertThat(full.address()).isNotNull();
        }
    }

    @Test
    void reportsEachAddressWhenAllRefuse() throws Exception {
        int port = FreePort.onLoopback();
        try (TlsClient client = client().resolver(
                        host -> List.of(InetAddress.getByName("127.0.0.9"), InetAddress.getByName("127.0.0.8")))
                .build()) {
            ConnectRefusedException failure = failure(client, LOCALHOST, port, ConnectRefusedException.class);

            assertThat(failure.reason()).isEqualTo(EndReason.CONNECTION_REFUSED);
            assertThat(failure.stage()).isEqualTo(Stage.CONNECT);
            assertThat(failure.isPeersFault()).isFalse();
            assertThat(failure).hasMessageContainingAll("127.0.0.9", "127.0.0.8", "check that a server listens there");
        }
    }

    @Test
    void reportsANameWithoutAddress() {
        try (TlsClient client = client().resolver(host -> {
                    throw new UnknownHostException(host);
                })
                .build()) {
            ConnectRefusedException failure = failure(client, "absent.example", 443, ConnectRefusedException.class);

            assertThat(failure.reason()).isEqualTo(EndReason.UNRESOLVED);
            assertThat(failure).hasMessageContainingAll("absent.example", "DNS");
        }
    }

    // --- verification -----------------------------------------------------------------------------------------------

    @Test
    void rejectsAnotherHostsCertificate() throws Exception {
        CertificateRejectedException failure = rejection(AUTHORITY.wrongHostServer());

        assertThat(failure.reason()).isEqualTo(EndReason.WRONG_HOST);
        assertThat(failure.fault()).isEqualTo(Fault.PEER_INCOMPATIBLE);
        assertThat(failure.stage()).isEqualTo(Stage.HANDSHAKE);
        assertThat(failure).hasMessageContaining("for other names");
    }

    @Test
    void rejectsAnotherAddressesCertificate() throws Exception {
        try (TlsServer server = server(AUTHORITY.wrongHostServer()).start();
                TlsClient client = client().build()) {
            CertificateRejectedException failure =
                    failure(client, "127.0.0.1", server.address().getPort(), CertificateRejectedException.class);

            assertThat(failure.isPeersFault()).isTrue();
        }
    }

    @Test
    void rejectsACertificateOfAnUnknownAuthority() throws Exception {
        assertThat(rejection(new TestCertificates().server()).reason())
                .isEqualTo(EndReason.CERTIFICATE_UNKNOWN_AUTHORITY);
    }

    private CertificateRejectedException rejection(Credential served) throws IOException {
        try (TlsServer server = server(served).start();
                TlsClient client = client().build()) {
            return failure(client, LOCALHOST, server.address().getPort(), CertificateRejectedException.class);
        }
    }

    @Test
    void rejectsAnExpiredCertificate() throws Exception {
        Credential expired = AUTHORITY.expiredServer();
        try (TlsServer server = server(expired)
                        .tls(context -> context.dangerouslyAllowExpiredCertificate())
                        .start();
                TlsClient client = client().build()) {
            CertificateRejectedException failure =
                    failure(client, LOCALHOST, server.address().getPort(), CertificateRejectedException.class);

            assertThat(failure.reason()).isEqualTo(EndReason.CERTIFICATE_EXPIRED);
        }
    }

    @Test
    void trustsTheAuthoritiesOfTheJdkByDefault() throws Exception {
        try (TlsServer server = server(AUTHORITY.server()).start();
                TlsClient client = TlsClient.builder().backend(backend).build()) {
            CertificateRejectedException failure =
                    failure(client, LOCALHOST, server.address().getPort(), CertificateRejectedException.class);

            assertThat(failure.reason()).isEqualTo(EndReason.CERTIFICATE_UNKNOWN_AUTHORITY);
        }
    }

    @Test
    void reportsTheServersAlert() throws Exception {
        try (TlsServer server = server(AUTHORITY.server()).alpn("h2").start();
                TlsClient client = client().alpn("mqtt").build()) {
            HandshakeFailedException failure =
                    failure(client, LOCALHOST, server.address().getPort(), HandshakeFailedException.class);

            assertThat(failure.reason()).isEqualTo(EndReason.ALERT_RECEIVED_NO_APPLICATION_PROTOCOL);
            assertThat(failure.isPeersFault()).isTrue();
        }
    }

    @Test
    void reportsAnAlertAfterItsHandshake() throws Exception {
        try (TlsServer server = server(AUTHORITY.server())
                        .tls(context ->
                                context.clientAuthentication(ClientAuthentication.REQUIRED, AUTHORITY.rootFile()))
                        .start();
                TlsClient client = client().build();
                TlsChannel channel = client.open(LOCALHOST, server.address().getPort())) {
            ConnectionFailedException failure =
                    catchThrowableOfType(ConnectionFailedException.class, () -> channel.read(ByteBuffer.allocate(1)));

            assertThat(failure.reason()).isEqualTo(EndReason.ALERT_RECEIVED_CERTIFICATE_REQUIRED);
            assertThat(failure.stage()).isEqualTo(Stage.ESTABLISHED);
        }
    }

    // --- hostile servers --------------------------------------------------------------------------------------------

    @Test
    void reportsGarbageAsThePeersFault() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TlsClient client = client().build()) {
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> answer(listening, "220 mail ready\r\n"));
            HandshakeFailedException failure =
                    failure(client, LOCALHOST, listening.getLocalPort(), HandshakeFailedException.class);

            assertThat(failure.reason()).isEqualTo(EndReason.NOT_TLS);
            assertThat(failure.isPeersFault()).isTrue();
            served.get(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static void answer(ServerSocket listening, String text) {
        try (Socket socket = listening.accept()) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            awaitEnd(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void givesUpASilentServerAtTheDeadline() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TlsClient client =
                        client().connectDeadline(Duration.ofMillis(100)).build()) {
            DeadlineExceededException failure =
                    failure(client, LOCALHOST, listening.getLocalPort(), DeadlineExceededException.class);

            assertThat(failure.reason()).isEqualTo(EndReason.HANDSHAKE_TIMEOUT);
        }
    }

    @Test
    void givesUpASlowLookupAtTheDeadline() {
        CompletableFuture<List<InetAddress>> never = new CompletableFuture<>();
        try (TlsClient client = client().connectDeadline(Duration.ofMillis(50))
                .resolver(host -> never.join())
                .build()) {
            DeadlineExceededException failure = failure(client, "slow.example", 443, DeadlineExceededException.class);

            assertThat(failure.reason()).isEqualTo(EndReason.CONNECT_TIMEOUT);
            assertThat(failure).hasMessageContaining("the lookup of the name");
        } finally {
            never.complete(List.of());
        }
    }

    // --- giving up --------------------------------------------------------------------------------------------------

    @Test
    void givesUpWhenItsFutureIsCancelled() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TlsClient client = client().build()) {
            CompletableFuture<TlsPeer> connecting =
                    client.connect(LOCALHOST, listening.getLocalPort(), (peer, bytes) -> {});
            try (Socket accepted = listening.accept()) {
                connecting.cancel(false);

                awaitEnd(accepted);
            }
        }
    }

    /** Reads until the other side has gone, in order or not. */
    private static void awaitEnd(Socket socket) throws IOException {
        socket.setSoTimeout((int) Waiting.LIMIT.toMillis());
        try {
            socket.getInputStream().readAllBytes();
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
    }

    @Test
    void givesUpWhenItsThreadIsInterrupted() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TlsClient client = client().build()) {
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            Thread opening = Thread.ofVirtual().start(() -> {
                try {
                    client.open(LOCALHOST, listening.getLocalPort()).close();
                } catch (IOException e) {
                    thrown.complete(e);
                }
            });
            try (Socket accepted = listening.accept()) {
                opening.interrupt();

                assertThat(thrown.get(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS))
                        .isInstanceOf(ClosedByInterruptException.class);
                awaitEnd(accepted);
            }
        }
    }

    @Test
    void reportsAConnectThatItsCloseCutsOff() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            TlsClient client = client().build();
            CompletableFuture<TlsPeer> connecting =
                    client.connect(LOCALHOST, listening.getLocalPort(), (peer, bytes) -> {});
            try (Socket accepted = listening.accept()) {
                client.close();

                assertThat(connecting)
                        .failsWithin(Waiting.LIMIT)
                        .withThrowableThat()
                        .withCauseInstanceOf(ConnectionFailedException.class);
                assertThat(accepted.isConnected()).isTrue();
            }
            assertThat(client.connect(LOCALHOST, 1, (peer, bytes) -> {}))
                    .failsWithin(Waiting.LIMIT)
                    .withThrowableThat()
                    .withMessageContaining("the client is closed");
        }
    }

    @Test
    void rejectsWrongArguments() {
        try (TlsClient client = client().build()) {
            assertThatThrownBy(() -> client.open("", 443)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> client.open(LOCALHOST, 65_536)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> client().connectDeadline(Duration.ZERO)).hasMessageContaining("connectDeadline=0 ns");
        assertThatThrownBy(() -> client().trust(Path.of("absent.pem")).build()).hasMessageContaining("absent.pem");
    }
}
