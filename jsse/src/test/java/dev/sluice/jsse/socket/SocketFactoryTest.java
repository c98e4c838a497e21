package dev.sluice.jsse.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The ways to make sockets, their options and addresses, and listening sockets. */
@ParameterizedClass
@EnumSource(SocketKind.class)
final class SocketFactoryTest {
    private static final String HOST = "localhost";
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final TestCertificates AUTHORITY = TestCertificates.shared();

    private final SSLSocketFactory clients;
    private final SSLServerSocketFactory servers;
    private final SSLSocketFactory peers;
    private final SSLServerSocketFactory peerServers;
    private final SSLSocketFactory layers;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<AutoCloseable> opened = new ArrayList<>();

    SocketFactoryTest(SocketKind kind) {
        SSLContext client = SocketContexts.with(kind, null);
        SSLContext server = SocketContexts.with(kind, AUTHORITY.server());
        clients = kind.clients(client);
        servers = kind.servers(server);
        layers = kind.clients(server);
        peers = SocketKind.SUN_JSSE.clients(SocketContexts.with(SocketKind.SUN_JSSE, null));
        peerServers = SocketKind.SUN_JSSE.servers(SocketContexts.with(SocketKind.SUN_JSSE, AUTHORITY.server()));
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
        threads.shutdownNow();
        assertThat(threads.awaitTermination(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    private <T extends AutoCloseable> T track(T closeable) {
        opened.add(closeable);
        return closeable;
    }

    private <T> Future<T> async(Callable<T> action) {
        return threads.submit(action);
    }

    private static <T> T await(Future<T> result) throws Exception {
        return result.get(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private SSLServerSocket listener(SSLServerSocketFactory factory) throws IOException {
        return (SSLServerSocket) track(factory.createServerSocket(0, 5, LOOPBACK));
    }

    /** Accepts one connection, and echoes what arrives until its end. */
    private Future<SSLSocket> echo(ServerSocket listener) {
        return async(() -> {
            SSLSocket accepted = (SSLSocket) track(listener.accept());
            InputStream in = accepted.getInputStream();
            byte[] buffer = new byte[1000];
            for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
                accepted.getOutputStream().write(buffer, 0, n);
            }
            return accepted;
        });
    }

    private void assertEchoes(Socket socket) throws IOException {
        track(socket);
        socket.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
        assertThat(socket.getInputStream().readNBytes(5)).isEqualTo("hello".getBytes(StandardCharsets.US_ASCII));
    }

    // ---- clients

    @Test
    void connectsByNameAndAddress() throws Exception {
        SSLServerSocket listener = listener(peerServers);
        int port = listener.getLocalPort();
        List<Callable<Socket>> ways = List.of(
                () -> clients.createSocket(HOST, port),
                () -> clients.createSocket(HOST, port, LOOPBACK, 0),
                () -> clients.createSocket(LOOPBACK, port),
                () -> clients.createSocket(LOOPBACK, port, LOOPBACK, 0),
                () -> clients.createSocket(new Socket(LOOPBACK, port), HOST, port, true));
        for (Callable<Socket> way : ways) {
            Future<SSLSocket> echo = echo(listener);
            SSLSocket socket = (SSLSocket) way.call();
            assertThat(socket.getUseClientMode()).isTrue();
            assertEchoes(socket);
            assertThat(socket.getSession().getPeerHost()).isEqualTo(HOST);
            assertThat(socket.getSession().getPeerPort()).isEqualTo(port);
            assertThat(socket.getPort()).isEqualTo(port);
            assertThat(socket.toString()).startsWith("SSLSocket[hostname=" + HOST + ", port=" + port + ", ");
            socket.close();
            await(echo);
        }
    }

    @Test
    void keepsTheSettingsOfAnUnconnectedSocket() throws Exception {
        SSLServerSocket listener = listener(peerServers);
        Future<SSLSocket> echo = echo(listener);
        SSLSocket socket = (SSLSocket) track(clients.createSocket());
        assertThat(socket.isConnected()).isFalse();
        assertThat(socket.isBound()).isFalse();
        assertThat(socket.getUseClientMode()).isTrue();
        assertThatThrownBy(socket::getInputStream).isInstanceOf(SocketException.class);
        assertThatThrownBy(socket::getOutputStream).isInstanceOf(SocketException.class);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setProtocols(new String[] {"TLSv1.2"});
        parameters.setCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"});
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.setSoTimeout(60_000);
        socket.setTcpNoDelay(true);
        socket.bind(new InetSocketAddress(LOOPBACK, 0));
        assertThat(socket.isBound()).isTrue();
        socket.connect(new InetSocketAddress(HOST, listener.getLocalPort()));
        assertThat(socket.isConnected()).isTrue();
        assertThat(socket.getSoTimeout()).isEqualTo(60_000);
        assertThat(socket.getTcpNoDelay()).isTrue();
        assertEchoes(socket);
        assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.2");
        assertThat(socket.getSession().getCipherSuite()).isEqualTo("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384");
        socket.close();
        await(echo);
    }

    @Test
    void failsToConnectLikeAPlainSocket() throws Exception {
        int closed = FreePort.onLoopback();
        assertThatThrownBy(() -> clients.createSocket(LOOPBACK, closed)).isInstanceOf(ConnectException.class);
        assertThatThrownBy(() -> clients.createSocket("host.invalid", 443)).isInstanceOf(UnknownHostException.class);
        try (Socket socket = clients.createSocket()) {
            assertThatThrownBy(() -> socket.connect(null)).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void closesAnUnconnectedSocket() throws Exception {
        Socket socket = clients.createSocket();
        assertThat(socket.isClosed()).isFalse();
        socket.close();
        assertThat(socket.isClosed()).isTrue();
        assertThatThrownBy(() -> socket.connect(new InetSocketAddress(LOOPBACK, 1)))
                .isInstanceOf(SocketException.class);
    }

    @Test
    void connectsOnlyOnce() throws Exception {
        SSLServerSocket listener = listener(peerServers);
        InetSocketAddress address = new InetSocketAddress(LOOPBACK, listener.getLocalPort());
        Socket connected = track(clients.createSocket(LOOPBACK, listener.getLocalPort()));
        assertThatThrownBy(() -> connected.connect(address)).isInstanceOf(SocketException.class);
        Socket layered = track(clients.createSocket(new Socket(LOOPBACK, address.getPort()), HOST, 1, true));
        assertThatThrownBy(() -> layered.connect(address)).isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> layered.bind(null)).isInstanceOf(IOException.class);
    }

    @Test
    void offersTheSuitesOfTheContext() {
        assertThat(clients.getDefaultCipherSuites()).contains("TLS_AES_256_GCM_SHA384");
        assertThat(clients.getSupportedCipherSuites()).contains(clients.getDefaultCipherSuites());
        assertThat(servers.getSupportedCipherSuites()).contains(servers.getDefaultCipherSuites());
    }

    // ---- layers

    @Test
    void layersOnlyOverConnectedSockets() throws Exception {
        try (Socket unconnected = new Socket()) {
            assertThatThrownBy(() -> clients.createSocket(unconnected, HOST, 1, true))
                    .isInstanceOf(SocketException.class);
            assertThatThrownBy(() -> layers.createSocket(unconnected, (InputStream) null, true))
                    .isInstanceOf(SocketException.class);
        }
        assertThatThrownBy(() -> clients.createSocket(null, HOST, 1, true)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> layers.createSocket(null, (InputStream) null, true))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void readsWhatWasConsumedBefore() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, LOOPBACK)) {
            SSLSocket client = (SSLSocket) track(peers.createSocket(LOOPBACK, listener.getLocalPort()));
            Future<Boolean> echoed = async(() -> {
                assertEchoes(client);
                return true;
            });
            Socket transport = track(listener.accept());
            byte[] consumed = transport.getInputStream().readNBytes(100);
            SSLSocket server =
                    (SSLSocket) track(layers.createSocket(transport, new ByteArrayInputStream(consumed), true));
            assertThat(server.getUseClientMode()).isFalse();
            server.getOutputStream().write(server.getInputStream().readNBytes(5));
            assertThat(await(echoed)).isTrue();
        }
    }

    @Test
    void layersOverTls() throws Exception {
        SSLServerSocket listener = listener(peerServers);
        Future<Socket> accepted = async(() -> {
            Socket outer = track(listener.accept());
            Socket inner = track(layers.createSocket(outer, (InputStream) null, true));
            inner.getOutputStream().write(inner.getInputStream().readNBytes(5));
            return inner;
        });
        Socket outer = track(clients.createSocket(HOST, listener.getLocalPort()));
        Socket inner = track(clients.createSocket(outer, HOST, listener.getLocalPort(), true));
        assertEchoes(inner);
        inner.close();
        assertThat(outer.isClosed()).isTrue();
        assertThat(await(accepted).getInputStream().read()).isEqualTo(-1);
    }

    // ---- options and addresses

    @Test
    void hasTheAddressesOfItsTransport() throws Exception {
        SSLServerSocket listener = listener(peerServers);
        Socket transport = track(new Socket(LOOPBACK, listener.getLocalPort()));
        Socket socket = track(clients.createSocket(transport, HOST, listener.getLocalPort(), true));
        assertThat(socket.getInetAddress()).isEqualTo(transport.getInetAddress());
        assertThat(socket.getPort()).isEqualTo(transport.getPort());
        assertThat(socket.getLocalAddress()).isEqualTo(transport.getLocalAddress());
        assertThat(socket.getLocalPort()).isEqualTo(transport.getLocalPort());
        assertThat(socket.getRemoteSocketAddress()).isEqualTo(transport.getRemoteSocketAddress());
        assertThat(socket.getLocalSocketAddress()).isEqualTo(transport.getLocalSocketAddress());
        assertThat(socket.getChannel()).isNull();
        assertThat(socket.isConnected()).isTrue();
        assertThat(socket.isBound()).isTrue();
    }

    @Test
    void passesOptionsToItsTransport() throws Exception {
        SSLServerSocket listener = listener(peerServers);
        Socket transport = track(new Socket(LOOPBACK, listener.getLocalPort()));
        Socket socket = track(clients.createSocket(transport, HOST, listener.getLocalPort(), true));
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        socket.setSoLinger(true, 5);
        socket.setSoTimeout(1234);
        assertThat(transport.getTcpNoDelay()).isTrue();
        assertThat(transport.getKeepAlive()).isTrue();
        assertThat(transport.getSoLinger()).isEqualTo(5);
        assertThat(transport.getSoTimeout()).isEqualTo(1234);
        socket.setSendBufferSize(50_000);
        socket.setReceiveBufferSize(50_000);
        assertThat(socket.getSendBufferSize()).isEqualTo(transport.getSendBufferSize());
        assertThat(socket.getReceiveBufferSize()).isEqualTo(transport.getReceiveBufferSize());
        socket.setSoLinger(false, 0);
        assertThat(transport.getSoLinger()).isEqualTo(-1);
    }

    @Test
    void setsOptionsOfItsOwnConnection() throws Exception {
        SSLServerSocket listener = listener(peerServers);
        Socket socket = track(clients.createSocket(LOOPBACK, listener.getLocalPort()));
        assertThat(socket.supportedOptions()).contains(StandardSocketOptions.SO_KEEPALIVE);
        assertThat(socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true)).isSameAs(socket);
        assertThat(socket.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
        socket.setReuseAddress(true);
        assertThat(socket.getReuseAddress()).isTrue();
        socket.setTrafficClass(8);
        assertThat(socket.getTrafficClass()).isEqualTo(8);
    }

    @Test
    void hasNoUrgentData() throws Exception {
        SSLServerSocket listener = listener(peerServers);
        Socket socket = track(clients.createSocket(LOOPBACK, listener.getLocalPort()));
        assertThatThrownBy(() -> socket.sendUrgentData(1)).isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> socket.setOOBInline(true)).isInstanceOf(SocketException.class);
        assertThatThrownBy(socket::getOOBInline).isInstanceOf(SocketException.class);
    }

    @Test
    void establishesNoSessionWhenToldSo() throws Exception {
        SSLServerSocket listener = listener(peerServers);
        Future<SSLSocket> echo = echo(listener);
        SSLSocket socket = (SSLSocket) track(clients.createSocket(HOST, listener.getLocalPort()));
        assertThat(socket.getEnableSessionCreation()).isTrue();
        socket.setEnableSessionCreation(false);
        assertThat(socket.getEnableSessionCreation()).isFalse();
        assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLException.class);
        assertThatThrownBy(() -> await(echo)).hasCauseInstanceOf(IOException.class);
    }

    // ---- servers

    @Test
    void listensInEveryWay() throws Exception {
        List<Callable<ServerSocket>> ways = List.of(
                () -> servers.createServerSocket(0),
                () -> servers.createServerSocket(0, 5),
                () -> servers.createServerSocket(0, 5, LOOPBACK),
                servers::createServerSocket);
        for (Callable<ServerSocket> way : ways) {
            ServerSocket listener = track(way.call());
            if (!listener.isBound()) {
                listener.bind(new InetSocketAddress(LOOPBACK, 0));
            }
            Future<SSLSocket> echo = echo(listener);
            Socket client = peers.createSocket(HOST, listener.getLocalPort());
            assertEchoes(client);
            client.close();
            SSLSocket accepted = await(echo);
            assertThat(accepted.getUseClientMode()).isFalse();
            assertThat(accepted.getLocalPort()).isEqualTo(listener.getLocalPort());
            assertThat(listener.toString()).startsWith("[SSL: ServerSocket[addr=");
        }
    }

    @Test
    void passesItsSettingsToAcceptedSockets() throws Exception {
        SSLServerSocket listener = listener(servers);
        assertThat(listener.getUseClientMode()).isFalse();
        listener.setEnabledProtocols(new String[] {"TLSv1.2"});
        listener.setEnabledCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"});
        SSLParameters parameters = listener.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"http/1.1"});
        listener.setSSLParameters(parameters);
        listener.setWantClientAuth(true);
        assertThat(listener.getWantClientAuth()).isTrue();
        assertThat(listener.getNeedClientAuth()).isFalse();
        assertThat(listener.getEnabledProtocols()).containsExactly("TLSv1.2");
        assertThat(listener.getSupportedProtocols()).contains("TLSv1.2", "TLSv1.3");
        Future<SSLSocket> echo = echo(listener);
        SSLSocket client = (SSLSocket) peers.createSocket(HOST, listener.getLocalPort());
        SSLParameters offered = client.getSSLParameters();
        offered.setApplicationProtocols(new String[] {"h2", "http/1.1"});
        client.setSSLParameters(offered);
        assertEchoes(client);
        client.close();
        SSLSocket accepted = await(echo);
        assertThat(accepted.getWantClientAuth()).isTrue();
        assertThat(accepted.getEnabledProtocols()).containsExactly("TLSv1.2");
        assertThat(accepted.getSession().getCipherSuite()).isEqualTo("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
        assertThat(accepted.getApplicationProtocol()).isEqualTo("http/1.1");
    }

    @Test
    void replacesWantedByNeededAuthentication() throws Exception {
        SSLServerSocket listener = listener(servers);
        listener.setWantClientAuth(true);
        listener.setNeedClientAuth(true);
        assertThat(listener.getNeedClientAuth()).isTrue();
        assertThat(listener.getWantClientAuth()).isFalse();
        listener.setNeedClientAuth(false);
        assertThat(listener.getNeedClientAuth()).isFalse();
        assertThatThrownBy(() -> listener.setEnabledProtocols(new String[] {"TLSv9"}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> listener.setEnabledCipherSuites(new String[] {"TLS_NONE"}))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void acceptsAsAClientWhenToldSo() throws Exception {
        SSLServerSocket listener = listener(servers);
        listener.setUseClientMode(true);
        assertThat(listener.getUseClientMode()).isTrue();
        Future<SSLSocket> echo = echo(listener);
        Socket transport = track(new Socket(LOOPBACK, listener.getLocalPort()));
        SSLSocketFactory peer =
                SocketKind.SUN_JSSE.clients(SocketContexts.with(SocketKind.SUN_JSSE, AUTHORITY.server()));
        Socket server = peer.createSocket(transport, (InputStream) null, true);
        assertEchoes(server);
        server.close();
        assertThat(await(echo).getUseClientMode()).isTrue();
    }

    @Test
    void stopsToAcceptWhenClosed() throws Exception {
        SSLServerSocket listener = listener(servers);
        listener.setSoTimeout(SocketConformance.TIMEOUT_MILLIS);
        assertThatThrownBy(listener::accept).isInstanceOf(SocketTimeoutException.class);
        listener.setSoTimeout(0);
        Future<Socket> accepted = async(listener::accept);
        listener.close();
        assertThatThrownBy(() -> await(accepted)).hasCauseInstanceOf(SocketException.class);
        assertThat(listener.isClosed()).isTrue();
    }

    @Test
    void acceptsPeersThatNeverHandshake() throws Exception {
        SSLServerSocket listener = listener(servers);
        Future<Socket> silent = async(listener::accept);
        track(new Socket(LOOPBACK, listener.getLocalPort()));
        track(await(silent));
        Future<SSLSocket> echo = echo(listener);
        Socket client = peers.createSocket(HOST, listener.getLocalPort());
        assertEchoes(client);
        client.close();
        await(echo);
    }

    // ---- with the JDK's own client

    @Test
    void servesAndConnectsHttps() throws Exception {
        SSLServerSocket listener = listener(servers);
        Future<String> request = async(() -> {
            try (Socket accepted = listener.accept()) {
                byte[] first = accepted.getInputStream().readNBytes(4);
                accepted.getOutputStream()
                        .write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
                                .getBytes(StandardCharsets.US_ASCII));
                return new String(first, StandardCharsets.US_ASCII);
            }
        });
        URI address = URI.create("https://" + HOST + ":" + listener.getLocalPort() + "/");
        HttpsURLConnection connection = (HttpsURLConnection) address.toURL().openConnection();
        connection.setSSLSocketFactory(clients);
        assertThat(connection.getInputStream().readAllBytes()).isEqualTo("hello".getBytes(StandardCharsets.US_ASCII));
        assertThat(connection.getServerCertificates())
                .contains(AUTHORITY.server().certificate());
        assertThat(await(request)).isEqualTo("GET ");
    }
}
