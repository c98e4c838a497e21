package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;
import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.route;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.BackendConfig.ConnectMode;
import dev.sluice.config.model.EarlyDataMode;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.gateway.earlydata.StrikeRegister;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.proxyprotocol.ProxyHeader;
import dev.sluice.testkit.EarlyDataClient;
import dev.sluice.testkit.FlightRecorder;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Early data through the gateway, sent by {@code openssl s_client}, and what somebody who recorded it can do with it.
 */
class EarlyDataTest extends GatewayConformance {
    private static final String TICKET = "GET /ticket HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String GET = "GET /early HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String GET_MARKED = "GET /early HTTP/1.1\r\nEarly-Data: 1\r\nHost: localhost\r\n\r\n";
    private static final String POST = "POST /early HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody";
    private static final String ANSWER = "HTTP/1.1 200 OK";

    @TempDir
    Path directory = Path.of("");

    /** The bytes that the backend received on each connection, until it had answered. */
    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();

    private final BlockingQueue<ProxyHeader> headers = new LinkedBlockingQueue<>();
    private final AtomicLong clockAhead = new AtomicLong();
    private int answerBytes;

    /** The backend answers when these have come. */
    private volatile String lastBytes = "\r\n\r\n";

    private ConnectMode connect = ConnectMode.AT_ONCE;

    // --- the parts --------------------------------------------------------------------------------------------------

    /** Answers each request line, and closes behind the last request that has come. */
    private void serveHttp(Socket socket) throws IOException {
        InputStream input = socket.getInputStream();
        OutputStream output = socket.getOutputStream();
        StringBuilder all = new StringBuilder();
        byte[] buffer = new byte[16_384];
        while (!all.toString().endsWith(lastBytes)) {
            int count = input.read(buffer);
            if (count < 0) {
                requests.add("cut off: " + all);
                return;
            }
            all.append(new String(buffer, 0, count, ISO_8859_1));
        }
        requests.add(all.toString());
        output.write((ANSWER + "\r\nConnection: close\r\n\r\n" + "x".repeat(answerBytes)).getBytes(ISO_8859_1));
        socket.shutdownOutput();
        input.transferTo(OutputStream.nullOutputStream());
    }

    private void serveHttpBehindHeader(Socket socket) throws IOException {
        headers.add(ProxyHeader.read(socket.getInputStream()));
        serveHttp(socket);
    }

    private Gateway gateway(EarlyDataMode mode, List<String> alpn, ProxyProtocol header) {
        TestBackend backend = fixture.closing(
                TestBackend.serving(header == ProxyProtocol.NONE ? this::serveHttp : this::serveHttpBehindHeader));
        TlsOptions options = Copies.of(TlsOptions.DEFAULT).earlyData(mode).build();
        BackendConfig config = Copies.of(backend("backend", header, backend.address()))
                .connect(connect)
                .build();
        return fixture.start(
                fixture.config(GatewayFixture.listener(alpn, options, route(config))),
                () -> Instant.now().plusMillis(clockAhead.get()));
    }

    private Gateway gateway(EarlyDataMode mode) {
        return gateway(mode, List.of("http/1.1"), ProxyProtocol.NONE);
    }

    /** Past the time in which nothing is forwarded after a start. */
    private Gateway forwarding() {
        Gateway gateway = gateway(EarlyDataMode.FORWARD);
        clockAhead.addAndGet(StrikeRegister.WINDOW.toMillis());
        return gateway;
    }

    private EarlyDataClient client() {
        return new EarlyDataClient(directory, "-alpn", "http/1.1");
    }

    private static int port(Gateway gateway) {
        return gateway.addresses().getFirst().getPort();
    }

    /** Gets a session, by a request that the test is not about. */
    private Path session(EarlyDataClient client, Gateway gateway) throws InterruptedException {
        Path session = client.session(port(gateway), TICKET);
        assertThat(nextRequest()).isEqualTo(TICKET);
        headers.clear();
        return session;
    }

    private @Nullable String nextRequest() throws InterruptedException {
        return requests.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Handshakes that resumed a session, with early data or without. */
    private static long resumed(Gateway gateway) {
        return gateway.metrics().count(Metric.TLS_HANDSHAKES, "kind", "resumed")
                + gateway.metrics().count(Metric.TLS_HANDSHAKES, "kind", "early");
    }

    private static Map<String, Long> refused(Gateway gateway) {
        Map<String, Long> counts = gateway.metrics().countBy(Metric.TLS_EARLY_DATA, "result");
        counts.keySet().removeIf(result -> !result.startsWith("refused_"));
        return counts;
    }

    private static void awaitCount(Gateway gateway, long value, Metric metric, String... labels) {
        Waiting.until(
                LIMIT,
                () -> gateway.metrics().count(metric, labels) >= value,
                () -> metric + " is " + gateway.metrics().count(metric, labels));
    }

    /** Sends what was recorded, and waits until the gateway has done with it. */
    private static void replay(Gateway gateway, byte[] recorded) throws IOException {
        long ended = gateway.metrics().count(Metric.CONNECTION_ENDS);
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port(gateway)));
            socket.setSoTimeout((int) LIMIT.toMillis());
            socket.getOutputStream().write(recorded);
            socket.shutdownOutput();
            try {
                socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            } catch (IOException reset) {
                // as good as an end
            }
        }
        awaitCount(gateway, ended + 1, Metric.CONNECTION_ENDS);
    }

    // --- off, hold, forward -----------------------------------------------------------------------------------------

    @Test
    void isOffByDefaultAndNotAdvertised() throws Exception {
        Gateway gateway = gateway(TlsOptions.DEFAULT.earlyData());
        EarlyDataClient client = client();

        assertThat(client.send(port(gateway), session(client, gateway), GET, GET)
                        .output())
                .contains("Early data was not sent", ANSWER);
        assertThat(nextRequest()).isEqualTo(GET);
        assertThat(gateway.metrics().count(Metric.TLS_EARLY_DATA, "result", "accepted"))
                .isZero();
        assertThat(refused(gateway)).isEmpty();
    }

    @Test
    void holdsEarlyDataUntilTheClientsFinished() throws Exception {
        Gateway gateway = gateway(EarlyDataMode.HOLD);
        EarlyDataClient client = client();
        Path session = session(client, gateway);
        long connects = gateway.metrics().count(Metric.BACKEND_CONNECTS);
        FlightRecorder recorder =
                fixture.closing(FlightRecorder.holdingAfter(EarlyDataClient.FIRST_FLIGHT_RECORDS, port(gateway)));
        try (RunningProgram running = client.start(recorder.port(), session, GET)) {
            running.awaitOutput(EarlyDataClient.ACCEPTED, LIMIT);
            assertThat(gateway.metrics().count(Metric.TLS_EARLY_DATA, "result", "accepted"))
                    .isEqualTo(1);
            assertThat(gateway.metrics().count(Metric.BACKEND_CONNECTS)).isEqualTo(connects);

            recorder.release();
            running.awaitOutput(ANSWER, LIMIT);
            assertThat(nextRequest()).isEqualTo(GET);
        }
        assertThat(gateway.metrics().count(Metric.TLS_EARLY_DATA, "result", "forwarded"))
                .isZero();
        assertDirect(gateway, 2);
    }

    @Test
    void switchesWithAReload() throws Exception {
        Gateway gateway = gateway(EarlyDataMode.OFF);
        EarlyDataClient client = client();

        assertThat(gateway.reload(with(EarlyDataMode.HOLD, gateway.config()))).isEmpty();
        Path session = session(client, gateway);
        try (RunningProgram running = client.start(port(gateway), session, GET)) {
            running.awaitOutput(EarlyDataClient.ACCEPTED, LIMIT);
            running.awaitOutput(ANSWER, LIMIT);
        }
        assertThat(nextRequest()).isEqualTo(GET);

        session = session(client, gateway);
        gateway.reload(with(EarlyDataMode.OFF, gateway.config()));
        assertThat(client.send(port(gateway), session, GET, GET).output()).contains(EarlyDataClient.REJECTED, ANSWER);
        assertThat(nextRequest()).isEqualTo(GET);
        assertThat(gateway.metrics().count(Metric.TLS_EARLY_DATA, "result", "accepted"))
                .isEqualTo(1);
    }

    private static GatewayConfig with(EarlyDataMode mode, GatewayConfig config) {
        ListenerConfig listener = config.listeners().getFirst();
        ListenerConfig changed = new ListenerConfig(
                listener.address(),
                listener.certificates(),
                listener.alpn(),
                Copies.of(listener.tls()).earlyData(mode).build(),
                listener.routes(),
                listener.origin());
        return Copies.of(config).listeners(List.of(changed)).build();
    }

    @Test
    void forwardsASafeRequestMarkedAndAnswersBeforeTheClientsFinished() throws Exception {
        Gateway gateway = forwarding();
        EarlyDataClient client = client();
        Path session = session(client, gateway);
        FlightRecorder recorder =
                fixture.closing(FlightRecorder.holdingAfter(EarlyDataClient.FIRST_FLIGHT_RECORDS, port(gateway)));
        try (RunningProgram running = client.start(recorder.port(), session, GET)) {
            assertThat(nextRequest()).isEqualTo(GET_MARKED);
            running.awaitOutput(ANSWER, LIMIT);
            assertThat(resumed(gateway)).isZero();

            recorder.release();
            awaitCount(gateway, 1, Metric.TLS_HANDSHAKES, "kind", "early");
        }
        assertThat(gateway.metrics().count(Metric.TLS_EARLY_DATA, "result", "forwarded"))
                .isEqualTo(1);
        assertDirect(gateway, 2);
    }

    /** The connection detaches from libssl when the client's Finished comes, though an answer may be under way. */
    private static void assertDirect(Gateway gateway, long connections) {
        Waiting.until(
                LIMIT,
                () -> gateway.metrics().count(Metric.TLS_ENGINE, "engine", "direct") == connections,
                () -> "records: " + gateway.metrics().countBy(Metric.TLS_ENGINE, "engine"));
        assertThat(gateway.metrics().countBy(Metric.TLS_ENGINE, "engine")).isEqualTo(Map.of("direct", connections));
    }

    @Test
    void continuesALongAnswerAfterTheClientsFinished() throws Exception {
        answerBytes = 4_000_000;
        Gateway gateway = forwarding();
        EarlyDataClient client = client();
        Path session = session(client, gateway);
        for (int i = 0; i < 3; i++) {
            String output = client.send(port(gateway), session, GET, "").output();

            assertThat(output).contains(EarlyDataClient.ACCEPTED, ANSWER);
            assertThat(output.chars().filter(c -> c == 'x').count()).isGreaterThanOrEqualTo(answerBytes);
            assertThat(nextRequest()).isIn(GET_MARKED, GET); // early, if the backend was connected by then
        }
        FlightRecorder recorder =
                fixture.closing(FlightRecorder.holdingAfter(EarlyDataClient.FIRST_FLIGHT_RECORDS, port(gateway)));
        try (RunningProgram running = client.start(recorder.port(), session, GET)) {
            Waiting.until(
                    LIMIT,
                    () -> running.output().chars().filter(c -> c == 'x').count() >= answerBytes,
                    () -> "the answer does not come without the Finished: " + running);
            recorder.release();
            assertDirect(gateway, 5);
        }
    }

    @Test
    void holdsUnsafeRequestsAndWhatFollowsThem() throws Exception {
        Gateway gateway = forwarding();
        EarlyDataClient client = client();
        Path session = session(client, gateway);
        FlightRecorder recorder =
                fixture.closing(FlightRecorder.holdingAfter(EarlyDataClient.FIRST_FLIGHT_RECORDS, port(gateway)));
        lastBytes = "body";
        try (RunningProgram running = client.start(recorder.port(), session, POST)) {
            running.awaitOutput(EarlyDataClient.ACCEPTED, LIMIT);
            assertThat(gateway.metrics().count(Metric.BACKEND_CONNECTS)).isEqualTo(1);
            recorder.release();
            assertThat(nextRequest()).isEqualTo(POST);
        }
        assertThat(gateway.metrics().count(Metric.TLS_EARLY_DATA, "result", "forwarded"))
                .isZero();

        lastBytes = "body" + GET;
        assertThat(client.send(port(gateway), session, GET + GET + POST + GET, "")
                        .output())
                .contains(EarlyDataClient.ACCEPTED);
        // Nothing is early where the backend was connected only when the handshake was complete.
        assertThat(nextRequest()).isIn(GET_MARKED + GET_MARKED + POST + GET, GET + GET + POST + GET);
    }

    @Test
    void holdsEarlyDataWithoutAlpn() throws Exception {
        Gateway gateway = gateway(EarlyDataMode.FORWARD, List.of("http/1.1"), ProxyProtocol.V2);
        clockAhead.addAndGet(StrikeRegister.WINDOW.toMillis());
        EarlyDataClient client = new EarlyDataClient(directory);

        assertThat(client.send(port(gateway), session(client, gateway), GET, "").output())
                .contains(EarlyDataClient.ACCEPTED, ANSWER);
        assertThat(nextRequest()).isEqualTo(GET);
        assertThat(headers.take().tls().earlyData()).isFalse();
    }

    /** It is the first data of the client. */
    @Test
    void connectsOnEarlyData() throws Exception {
        connect = ConnectMode.ON_DATA;
        Gateway gateway = gateway(EarlyDataMode.HOLD);
        EarlyDataClient client = client();

        assertThat(client.send(port(gateway), session(client, gateway), GET, "").output())
                .contains(EarlyDataClient.ACCEPTED, ANSWER);
        assertThat(nextRequest()).isEqualTo(GET);
    }

    @Test
    void marksEarlyDataOtherThanHttpByTheProxyHeader() throws Exception {
        Gateway gateway = gateway(EarlyDataMode.FORWARD, List.of(), ProxyProtocol.V2);
        clockAhead.addAndGet(StrikeRegister.WINDOW.toMillis());
        EarlyDataClient client = new EarlyDataClient(directory);
        Path session = session(client, gateway);
        FlightRecorder recorder =
                fixture.closing(FlightRecorder.holdingAfter(EarlyDataClient.FIRST_FLIGHT_RECORDS, port(gateway)));
        lastBytes = "body";
        try (RunningProgram running = client.start(recorder.port(), session, POST)) {
            assertThat(nextRequest()).isEqualTo(POST);
            ProxyHeader header = headers.take();
            assertThat(header.tls().earlyData()).isTrue();
            assertThat(header.tls().resumed()).isTrue();
            assertThat(header.tls().version()).isEqualTo("TLSv1.3");
            recorder.release();
            running.awaitOutput(ANSWER, LIMIT);
        }
        assertThat(gateway.metrics().count(Metric.TLS_EARLY_DATA, "result", "forwarded"))
                .isEqualTo(1);
    }

    @Test
    void refusesEarlyDataForAWhileAfterAStart() throws Exception {
        Gateway gateway = gateway(EarlyDataMode.FORWARD);
        EarlyDataClient client = client();
        Path session = session(client, gateway);

        assertThat(client.send(port(gateway), session, GET, GET).output()).contains(EarlyDataClient.REJECTED, ANSWER);
        assertThat(nextRequest()).isEqualTo(GET);
        assertThat(refused(gateway)).isEqualTo(Map.of("refused_starting", 1L));
        assertDirect(gateway, 2);
    }

    // --- replays ----------------------------------------------------------------------------------------------------

    /** All of what the client sent, and only the flight before it heard of the server. */
    @ParameterizedTest
    @EnumSource(
            value = EarlyDataMode.class,
            names = {"HOLD", "FORWARD"})
    void whatIsSentAgainNeverReachesTheBackendAgain(EarlyDataMode mode) throws Exception {
        Gateway gateway = gateway(mode);
        clockAhead.addAndGet(StrikeRegister.WINDOW.toMillis());
        EarlyDataClient client = client();
        Path session = session(client, gateway);
        FlightRecorder recorder =
                fixture.closing(FlightRecorder.holdingAfter(EarlyDataClient.FIRST_FLIGHT_RECORDS, port(gateway)));
        byte[] firstFlight;
        try (RunningProgram running = client.start(recorder.port(), session, GET)) {
            running.awaitOutput(EarlyDataClient.ACCEPTED, LIMIT);
            firstFlight = recorder.recorded();
            recorder.release();
            assertThat(nextRequest()).contains("/early");
            running.awaitOutput(ANSWER, LIMIT);
        }
        // Where it was forwarded, the answer came before the client's Finished.
        awaitCount(gateway, 1, Metric.TLS_HANDSHAKES, "kind", "early");
        for (int i = 0; i < 3; i++) {
            replay(gateway, recorder.recorded());
            replay(gateway, firstFlight);
        }

        assertThat(gateway.metrics().count(Metric.BACKEND_CONNECTS)).isEqualTo(2);
        assertThat(requests).isEmpty();
        assertThat(resumed(gateway)).isEqualTo(1);
        assertThat(refused(gateway)).isEqualTo(mode == EarlyDataMode.HOLD ? Map.of() : Map.of("refused_replayed", 6L));
    }

    @Test
    void keepsTheHandshakeWhenACopyOfTheEarlyDataCameFirst() throws Exception {
        Gateway gateway = forwarding();
        EarlyDataClient client = client();
        Path session = session(client, gateway);
        FlightRecorder recorder = fixture.closing(FlightRecorder.holdingAfter(0, port(gateway)));
        try (RunningProgram running = client.start(recorder.port(), session, GET)) {
            Waiting.until(LIMIT, () -> recorder.recorded().length > 0, () -> "no ClientHello from " + running);
            replay(gateway, recorder.recorded());
            assertThat(gateway.metrics().count(Metric.TLS_EARLY_DATA, "result", "accepted"))
                    .isEqualTo(1);

            recorder.release();
            running.awaitOutput(EarlyDataClient.REJECTED, LIMIT);
            running.type(GET);
            running.awaitOutput(ANSWER, LIMIT);
        }
        assertThat(nextRequest()).isEqualTo(GET);
        assertThat(refused(gateway)).isEqualTo(Map.of("refused_replayed", 1L));
    }

    /** Its request is with the backend, whose answer nobody wants any more. */
    @Test
    void endsTheBackendsSideWhenTheClientNeverFinishes() throws Exception {
        answerBytes = 1_000_000;
        Gateway gateway = forwarding();
        EarlyDataClient client = client();
        Path session = session(client, gateway);
        FlightRecorder recorder =
                fixture.closing(FlightRecorder.holdingAfter(EarlyDataClient.FIRST_FLIGHT_RECORDS, port(gateway)));
        try (RunningProgram running = client.start(recorder.port(), session, GET)) {
            assertThat(nextRequest()).isEqualTo(GET_MARKED);
            running.awaitOutput(ANSWER, LIMIT);
        }
        recorder.close();
        Waiting.until(
                LIMIT,
                () -> gateway.metrics().count(Metric.CONNECTIONS) == 0,
                () -> "still open: " + gateway.metrics().countBy(Metric.CONNECTION_ENDS, "reason"));
        assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKE_FAILURES)).isEqualTo(1);
    }

    @Test
    void reportsAnUnreachableBackendWhenTheHandshakeIsComplete() throws Exception {
        TestBackend away = TestBackend.serving(this::serveHttp);
        Gateway gateway = fixture.start(
                fixture.config(GatewayFixture.listener(
                        List.of("http/1.1"),
                        Copies.of(TlsOptions.DEFAULT)
                                .earlyData(EarlyDataMode.FORWARD)
                                .build(),
                        route(backend("backend", ProxyProtocol.NONE, away.address())))),
                () -> Instant.now().plusMillis(clockAhead.get()));
        clockAhead.addAndGet(StrikeRegister.WINDOW.toMillis());
        EarlyDataClient client = client();
        Path session = session(client, gateway);
        away.close();

        assertThat(client.send(port(gateway), session, GET, "").output()).contains(EarlyDataClient.ACCEPTED);
        GatewayFixture.awaitEnds(gateway, "backend_connection_refused", 1);
        assertThat(resumed(gateway)).isEqualTo(1);
        assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKE_FAILURES)).isZero();
    }

    @Test
    void reportsABackendWithoutAddressWhenTheHandshakeIsComplete() throws Exception {
        Gateway gateway = forwarding();
        EarlyDataClient client = client();
        Path session = session(client, gateway);
        gateway.reload(fixture.config(GatewayFixture.listener(
                List.of("http/1.1"),
                Copies.of(TlsOptions.DEFAULT).earlyData(EarlyDataMode.FORWARD).build(),
                route(backend(
                        "backend", ProxyProtocol.NONE, InetSocketAddress.createUnresolved("nowhere.invalid", 1))))));

        assertThat(client.send(port(gateway), session, GET, "").output()).contains(EarlyDataClient.ACCEPTED);
        GatewayFixture.awaitEnds(gateway, "backend_unresolved", 1);
        assertThat(resumed(gateway)).isEqualTo(1);
        assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKE_FAILURES)).isZero();
    }
}
