package dev.sluice.jsse.socket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/**
 * The frame of the tests: a subject, which is the implementation under test in the role of the case, and a peer of
 * SunJSSE, each layered over one end of a TCP connection that the tests can also use directly.
 */
abstract class SocketConformance {
    static final String HOST = "localhost";
    static final int TIMEOUT_MILLIS = 50;
    static final TestCertificates AUTHORITY = TestCertificates.shared();

    final SocketCase testCase;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<AutoCloseable> opened = new ArrayList<>();

    SSLContext subjectContext;
    SSLContext peerContext;

    /** The name by which the client knows the server. */
    String host = HOST;

    private @Nullable SSLSocket subjectSocket;
    private @Nullable SSLSocket peerSocket;
    private @Nullable Socket subjectTransport;
    private @Nullable TappedSocket peerTransport;

    SocketConformance(SocketCase testCase) {
        this.testCase = testCase;
        this.subjectContext = context(testCase.kind(), testCase.isClient());
        this.peerContext = context(SocketKind.SUN_JSSE, !testCase.isClient());
    }

    private static SSLContext context(SocketKind kind, boolean client) {
        return client ? SocketContexts.freshClient(kind, null) : SocketContexts.with(kind, AUTHORITY.server());
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

    // ---- sockets

    /** Gives the server another credential. */
    void serverHas(Credential credential) {
        if (testCase.isClient()) {
            peerContext = SocketContexts.with(SocketKind.SUN_JSSE, credential);
        } else {
            subjectContext = SocketContexts.with(testCase.kind(), credential);
        }
    }

    /** Gives the client a credential. */
    void clientHas(Credential credential) {
        if (testCase.isClient()) {
            subjectContext = SocketContexts.freshClient(testCase.kind(), credential);
        } else {
            peerContext = SocketContexts.freshClient(SocketKind.SUN_JSSE, credential);
        }
    }

    /** Connects the transports, and layers both sockets over them. No handshake has begun. */
    void connect() throws IOException {
        connect(true);
    }

    /** Connects the transports, and layers both sockets over them, which close them or not. */
    void connect(boolean autoClose) throws IOException {
        connectTransports();
        subjectSocket =
                track(layer(testCase.kind(), subjectContext, subjectTransport(), testCase.isClient(), autoClose));
        peerSocket = track(layer(SocketKind.SUN_JSSE, peerContext, peerTransport(), !testCase.isClient(), autoClose));
    }

    /** Connects the transports, and layers the subject alone. */
    void connectToPlainPeer() throws IOException {
        connectTransports();
        subjectSocket = track(layer(testCase.kind(), subjectContext, subjectTransport(), testCase.isClient(), true));
    }

    private void connectTransports() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            subjectTransport = track(new Socket(listener.getInetAddress(), listener.getLocalPort()));
            peerTransport = track(new TappedSocket(listener.accept()));
        }
    }

    private SSLSocket layer(SocketKind kind, SSLContext context, Socket transport, boolean client, boolean autoClose)
            throws IOException {
        SSLSocket socket = client
                ? (SSLSocket) kind.clients(context).createSocket(transport, host, transport.getPort(), autoClose)
                : (SSLSocket) kind.clients(context).createSocket(transport, (InputStream) null, autoClose);
        socket.setEnabledProtocols(new String[] {testCase.version()});
        return socket;
    }

    /** Connects, and completes the handshake. */
    void establish() throws Exception {
        connect();
        handshake();
    }

    /** Completes the handshake on both sides. */
    void handshake() throws Exception {
        Future<?> atPeer = async(() -> peer().startHandshake());
        subject().startHandshake();
        await(atPeer);
    }

    SSLSocket subject() {
        return present(subjectSocket);
    }

    SSLSocket peer() {
        return present(peerSocket);
    }

    Socket subjectTransport() {
        return present(subjectTransport);
    }

    TappedSocket peerTransport() {
        return present(peerTransport);
    }

    SSLSocket client() {
        return testCase.isClient() ? subject() : peer();
    }

    SSLSocket server() {
        return testCase.isClient() ? peer() : subject();
    }

    private static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new AssertionError("connect() first");
        }
        return value;
    }

    <T extends AutoCloseable> T track(T closeable) {
        opened.add(closeable);
        return closeable;
    }

    static void change(SSLSocket socket, Consumer<SSLParameters> changes) {
        SSLParameters parameters = socket.getSSLParameters();
        changes.accept(parameters);
        socket.setSSLParameters(parameters);
    }

    /** A listening socket of the subject's implementation, on the loopback address. */
    ServerSocket listen(SocketKind kind, SSLContext context) throws IOException {
        ServerSocket listener = track(kind.servers(context).createServerSocket());
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return listener;
    }

    // ---- data

    static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    static void write(Socket socket, String text) throws IOException {
        write(socket, text.getBytes(StandardCharsets.UTF_8));
    }

    static void write(Socket socket, byte[] data) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(data);
        out.flush();
    }

    static String read(Socket socket, int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
    }

    /** Returns the records of data that the peer seals, without sending them. */
    byte[] sealedByPeer(String text) throws Exception {
        return peerTransport().heldBack(() -> write(peer(), text));
    }

    /** Sends bytes to the subject past the peer. */
    void inject(byte... bytes) throws IOException {
        peerTransport().getOutputStream().write(bytes, 0, bytes.length);
    }

    /** Asserts that data passes in both directions. */
    void assertUsable() throws Exception {
        assertPasses(subject(), peer());
        assertPasses(peer(), subject());
    }

    void assertPasses(Socket from, Socket to) throws Exception {
        Future<String> received = async(() -> read(to, 5));
        write(from, "hello");
        assertThat(await(received)).isEqualTo("hello");
    }

    /** Reads one byte; a close by another thread ends the read by an exception or by the end. */
    static int readOrEnd(InputStream in) throws IOException {
        try {
            return in.read();
        } catch (SocketException e) {
            return -1;
        }
    }

    // ---- threads

    /** An action that may fail. */
    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }

    Future<@Nullable Void> async(Action action) {
        return threads.submit(() -> {
            action.run();
            return null;
        });
    }

    <T> Future<T> async(Callable<T> action) {
        return threads.submit(action);
    }

    static <T extends @Nullable Object> T await(Future<T> result) throws Exception {
        try {
            return result.get(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        } catch (TimeoutException e) {
            throw new AssertionError("blocked for " + Waiting.LIMIT, e);
        }
    }

    /** Returns the exception that an action throws; fails when it throws none. */
    static Throwable failure(Action action) {
        try {
            action.run();
        } catch (Exception e) {
            return e;
        }
        throw new AssertionError("no exception");
    }
}
