package dev.sluice.interop;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.DripSocket;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.HttpBackend;
import dev.sluice.interop.fixture.TlsClient;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that break rules lose their connection; the others notice nothing, and nothing stays behind. */
class HostileClientTest extends GatewayTest {
    private static final int TLS_ALERT = 21;
    private static final int REPETITIONS = 20;
    private static final byte[] HELLO = "hello".getBytes(US_ASCII);

    private final Backend backend = Backend.echoing();

    @AfterEach
    void closeBackend() {
        backend.close();
    }

    @Test
    void plainHttpIsAnsweredByTheHttpsAddress() throws IOException {
        GatewayProcess gateway = gateway(backend);

        try (Socket raw = TlsClient.raw(gateway.port())) {
            raw.getOutputStream().write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
            assertThat(new String(readToTheEnd(raw), US_ASCII))
                    .startsWith("HTTP/1.1 400 Bad Request\r\n")
                    .endsWith("use https://localhost/\n");
        }
        assertThat(backend.accepted()).isZero();

        assertServes(gateway);
        assertEnds(gateway, Map.of("handshake_http_request", 1L, "completed", 1L));
    }

    @Test
    void randomBytesAreRefused() throws IOException {
        GatewayProcess gateway = gateway(backend);
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < REPETITIONS; i++) {
            byte[] garbage = new byte[random.nextInt(5, 20_000)];
            random.nextBytes(garbage);
            garbage[0] = 0; // no record type: else a random length may make it an unfinished record
            assertRefused(gateway, garbage);
        }
        assertServes(gateway);
    }

    @Test
    void aRecordLongerThanAllowedIsRefused() throws IOException {
        GatewayProcess gateway = gateway(backend);

        assertRefused(gateway, new byte[] {0x16, 0x03, 0x01, (byte) 0xFF, (byte) 0xFF, 0x01});

        assertServes(gateway);
        assertEnds(gateway, Map.of("handshake_record_overflow", 1L, "completed", 1L));
    }

    @Test
    void aHandshakeThatStopsHalfWayIsEndedByTheTimeout() throws IOException {
        GatewayProcess gateway =
                gateway(GatewaySetup.before(backend, transport).with("limits: {handshake-timeout: 500ms}"));
        byte[] hello = TlsClient.clientHello();
        try (Socket silent = TlsClient.raw(gateway.port());
                Socket half = TlsClient.raw(gateway.port());
                Socket whole = TlsClient.raw(gateway.port())) {
            half.getOutputStream().write(hello, 0, hello.length / 2);
            whole.getOutputStream().write(hello);

            assertServes(gateway);
            assertIsEnded(silent);
            assertIsEnded(half);
            assertIsEnded(whole);
        }
        assertServes(gateway);
        assertEnds(gateway, Map.of("handshake_timeout", 3L, "completed", 2L));
    }

    @Test
    void everyByteMayComeInASegmentOfItsOwn() throws IOException {
        GatewayProcess gateway = gateway(backend);
        try (SSLSocket client = TlsClient.over(DripSocket.connect(gateway.port()))) {
            assertEchoes(client);
        }
        assertEnds(gateway, Map.of("completed", 1L));
    }

    @Test
    void garbageAfterTheHandshakeEndsTheConnectionAndNoOther() throws IOException {
        GatewayProcess gateway = gateway(backend);
        try (SSLSocket bystander = TlsClient.connect(gateway.port());
                Socket raw = TlsClient.raw(gateway.port());
                SSLSocket client = TlsClient.over(raw)) {
            assertEchoes(client);
            raw.getOutputStream().write(new byte[100]);

            assertIsEnded(raw);
            assertEchoes(bystander);
        }
        assertEnds(gateway, Map.of("client_unprotected_record", 1L, "completed", 1L));
    }

    @Test
    void aResetAtAnyByteOfTheHandshakeLeavesNothingBehind() throws IOException {
        GatewayProcess gateway = gateway(backend);
        byte[] hello = TlsClient.clientHello();
        for (int length = 0; length <= hello.length; length += 1 + hello.length / REPETITIONS) {
            Socket raw = TlsClient.raw(gateway.port());
            raw.getOutputStream().write(hello, 0, length);
            TlsClient.reset(raw);
        }
        for (int i = 0; i < REPETITIONS; i++) {
            Socket raw = TlsClient.raw(gateway.port());
            raw.getOutputStream().write(hello);
            assertThat(raw.getInputStream().read())
                    .as("the answer's first byte")
                    .isNotNegative();
            TlsClient.reset(raw);
        }
        assertServes(gateway);
    }

    @Test
    void aResetWhileDataFlowsLeavesNothingBehind() throws IOException {
        GatewayProcess gateway = gateway(HttpBackend.start());
        byte[] megabyte = new byte[1 << 20];
        for (int i = 0; i < REPETITIONS; i++) {
            Socket downloading = TlsClient.raw(gateway.port());
            SSLSocket client = TlsClient.over(downloading);
            client.getOutputStream().write("GET /100000000 HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
            assertThat(client.getInputStream().readNBytes(megabyte, 0, i * 10_000))
                    .isEqualTo(i * 10_000);
            TlsClient.reset(downloading);

            Socket uploading = TlsClient.raw(gateway.port());
            OutputStream up = TlsClient.over(uploading).getOutputStream();
            up.write("PUT / HTTP/1.1\r\nContent-Length: 100000000\r\n\r\n".getBytes(US_ASCII));
            up.write(megabyte);
            TlsClient.reset(uploading);
        }
    }

    @Test
    void aConnectionThatEndsWithoutCloseNotifyEndsAtTheBackendToo() throws IOException {
        GatewayProcess gateway = gateway(backend);
        try (Socket raw = TlsClient.raw(gateway.port());
                SSLSocket client = TlsClient.over(raw)) {
            assertEchoes(client);
            raw.shutdownOutput();

            Waiting.until(LONG, () -> backend.open() == 0, () -> "open at the backend: " + backend.open());
        }
        assertEnds(gateway, Map.of("client_truncated", 1L));
    }

    @Test
    void aClientThatNeverReadsStopsItsSourceAndFillsNoMemory() throws IOException {
        GatewayProcess gateway = gateway(HttpBackend.start());
        long before = gateway.peakMebibytes();
        Socket[] raws = new Socket[REPETITIONS];
        for (int i = 0; i < raws.length; i++) {
            raws[i] = TlsClient.raw(gateway.port());
            TlsClient.over(raws[i]).getOutputStream().write("GET /100000000 HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
        }
        try (SSLSocket reader = TlsClient.connect(gateway.port())) {
            reader.getOutputStream().write("GET /50000000 HTTP/1.1\r\nConnection: close\r\n\r\n".getBytes(US_ASCII));
            assertThat(reader.getInputStream().transferTo(OutputStream.nullOutputStream()))
                    .isGreaterThan(50_000_000);
        }
        assertThat(gateway.peakMebibytes() - before).as("growth in MiB").isLessThan(64);
        for (Socket raw : raws) {
            TlsClient.reset(raw);
        }
    }

    /** The gateway answers with an alert or not at all, and ends the connection; the backend hears nothing of it. */
    private void assertRefused(GatewayProcess gateway, byte[] bytes) throws IOException {
        int accepted = backend.accepted();
        try (Socket raw = TlsClient.raw(gateway.port())) {
            raw.getOutputStream().write(bytes);
            byte[] answer = readToTheEnd(raw);
            assertThat(answer.length == 0 || answer[0] == TLS_ALERT)
                    .as(Arrays.toString(answer))
                    .isTrue();
        }
        assertThat(backend.accepted()).isEqualTo(accepted);
    }

    private static void assertIsEnded(Socket socket) {
        assertThat(readToTheEnd(socket).length).as("bytes before the end").isNotNegative();
    }

    /** Returns the remaining bytes; a reset is an end like any other, a timeout is not. */
    private static byte[] readToTheEnd(Socket socket) {
        try {
            InputStream input = socket.getInputStream();
            return input.readAllBytes();
        } catch (java.net.SocketTimeoutException e) {
            throw new AssertionError("the gateway keeps the connection open", e);
        } catch (IOException reset) {
            return new byte[0];
        }
    }

    private static void assertServes(GatewayProcess gateway) throws IOException {
        try (SSLSocket client = TlsClient.connect(gateway.port())) {
            assertEchoes(client);
        }
    }

    private static void assertEchoes(SSLSocket client) throws IOException {
        client.getOutputStream().write(HELLO);
        assertThat(client.getInputStream().readNBytes(HELLO.length)).isEqualTo(HELLO);
    }
}
