package dev.sluice.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.load.Scenario.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the scenarios directly against the backend, without TLS and without a server between, on any dialer. */
abstract class ScenarioSuite {
    private static final long STEP_MILLIS = 20_000;

    private Backend backend;
    private Dialer dialer;

    abstract Dialer newDialer();

    @BeforeEach
    void start() throws IOException {
        backend = Backend.start();
        dialer = newDialer();
    }

    @AfterEach
    void stop() {
        dialer.close();
        backend.close();
    }

    @ParameterizedTest
    @CsvSource({
        "DOWNLOAD, 4, 20000000",
        "DOWNLOAD, 1, 1",
        "UPLOAD, 4, 20000000",
        "UPLOAD, 1, 1",
        "ECHO, 16, 2000",
        "ECHO, 16, 3",
        "HANDSHAKE, 8, 200",
        "IDLE, 5, 50"
    })
    void everyScenarioEndsWithItsWorkDone(Kind kind, int connections, long units) {
        Scenario scenario = Scenario.of(dialer, request(kind, backend.port(), connections, units));
        play(scenario, scenario::prepare);
        play(scenario, scenario::go);
        play(scenario, scenario::finish);
    }

    @Test
    void pacedScenarioReportsLatencies() {
        LoadRequest request = new LoadRequest(Kind.PACED, backend.port(), false, 3, 100, 1_000);
        Scenario scenario = Scenario.of(dialer, request);
        play(scenario, scenario::prepare);
        long before = System.nanoTime();
        play(scenario, scenario::go);
        long elapsed = System.nanoTime() - before;
        Latencies latencies = Latencies.parse(LoadRequest.words(scenario.figures()));
        play(scenario, scenario::finish);
        // 0.2 s that do not count, and 99 more intervals of 1 ms.
        assertThat(elapsed).isGreaterThan(299_000_000);
        assertThat(latencies.p50()).isPositive();
        assertThat(latencies.p999()).isGreaterThanOrEqualTo(latencies.p50()).isLessThan(elapsed);
    }

    /** Checks that a pause of the server delays all messages scheduled meanwhile, not only the one in flight. */
    @Test
    void aPauseOfTheServerDelaysAllScheduledMessages() throws IOException {
        try (PausingEcho pausing = new PausingEcho(600, 100)) {
            Scenario scenario =
                    Scenario.of(dialer, new LoadRequest(Kind.PACED, pausing.port(), false, 1, 1_000, 2_000));
            play(scenario, scenario::prepare);
            play(scenario, scenario::go);
            Latencies latencies = Latencies.parse(LoadRequest.words(scenario.figures()));
            // 200 were scheduled meanwhile. The first of the pause waited for 100 ms, the tenth for 95.
            assertThat(latencies.p99()).isGreaterThan(90_000_000);
        }
    }

    @Test
    void failsIfTheServerHangsUp() throws IOException {
        try (ServerSocket rude = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    hangUp(rude.accept());
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            Scenario scenario = Scenario.of(dialer, request(Kind.ECHO, rude.getLocalPort(), 1, 1));
            assertThatThrownBy(() -> play(scenario, scenario::prepare))
                    .isInstanceOf(BenchException.class)
                    .hasMessageStartingWith("ECHO: the server ended a connection");
        }
    }

    /** Ends by FIN: closed with bytes unread, the kernel would reset the connection. */
    private static void hangUp(Socket socket) throws IOException {
        try (socket) {
            socket.shutdownOutput();
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        }
    }

    @Test
    void failsWithoutAListener() throws IOException {
        int port;
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = gone.getLocalPort();
        }
        Scenario scenario = Scenario.of(dialer, request(Kind.IDLE, port, 1, 0));
        assertThatThrownBy(() -> play(scenario, scenario::prepare)).hasMessageContaining("refused");
    }

    @Test
    void plainFloorRunsTheResumedScenarioToo() {
        LoadRequest request = new LoadRequest(Kind.RESUMED, backend.port(), false, 2, 4);
        Scenario scenario = Scenario.of(dialer, request);
        play(scenario, scenario::prepare);
        play(scenario, scenario::go); // The floor row has no sessions, so none are expected.
        assertThat(scenario.over()).isTrue();
    }

    @Test
    void requestsParseTheirOwnLine() {
        LoadRequest request = new LoadRequest(Kind.RESUMED, 1234, true, 16, 2000, 12.5);
        assertThat(LoadRequest.parse("prepare " + request.toLine())).isEqualTo(request);
        assertThatThrownBy(() -> LoadRequest.parse("prepare scenario=echo")).hasMessageContaining("key=port");
    }

    private static LoadRequest request(Kind kind, int port, int connections, long units) {
        return new LoadRequest(kind, port, false, connections, units);
    }

    private void play(Scenario scenario, Runnable step) {
        boolean inTime = dialer.drive(step, scenario::done, STEP_MILLIS);
        scenario.requireIntact();
        assertThat(inTime).as(scenario.progress()).isTrue();
    }
}
