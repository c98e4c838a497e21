package dev.sluice.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.proxyprotocol.ProxyHeader;
import dev.sluice.gateway.proxyprotocol.TlsFacts;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoBackendTest {
    private static final int TIMEOUT_MILLIS = 60_000;

    private static final TlsFacts FACTS = new TlsFacts(
            "TLSv1.3", "TLS_AES_128_GCM_SHA256", "X25519", "<b>\"x\"</b>", "http/1.1", "anna", true, true, 77);

    private DemoBackend backend;

    @BeforeEach
    void start() throws IOException {
        backend = DemoBackend.start();
    }

    @AfterEach
    void close() throws IOException {
        backend.close();
    }

    @Test
    void showsWhatTheHeaderSaysToPrograms() throws IOException {
        String answer = ask("GET /json HTTP/1.1\r\nConnection: close\r\n\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 200 OK\r\n")
                .contains("Content-Type: application/json\r\n")
                .endsWith("""
                {
                  "version": "TLSv1.3",
                  "cipher": "TLS_AES_128_GCM_SHA256",
                  "group": "X25519",
                  "resumed": true,
                  "handshakeMicros": 77,
                  "sni": "<b>\\"x\\"</b>",
                  "alpn": "http/1.1",
                  "clientCertificate": true,
                  "commonName": "anna",
                  "clientAddress": "192.0.2.7:56324",
                  "gatewayAddress": "[2001:db8::1]:443"
                }
                """);
    }

    @Test
    void showsAPageToPeopleWithWhatTheClientSentEscaped() throws IOException {
        String answer = ask("GET /?query HTTP/1.1\r\nConnection: close\r\n\r\n");

        assertThat(answer)
                .contains("Content-Type: text/html; charset=utf-8\r\n")
                .contains("<th scope=\"row\">TLS version</th><td>TLSv1.3</td>")
                .contains("<td>&lt;b&gt;&quot;x&quot;&lt;/b&gt;</td>")
                .contains("<td>resumed</td>")
                .doesNotContain("<b>");
    }

    @Test
    void pageEndsItsConnectionSoThatAReloadMakesANewOne() throws IOException {
        String answer = ask("GET / HTTP/1.1\r\n\r\nGET /json HTTP/1.1\r\n\r\n");

        assertThat(answer).contains("Connection: close\r\n").doesNotContain("application/json");
    }

    @Test
    void answersHeadWithoutTheBodyAndGoesOn() throws IOException {
        String answer = ask("HEAD /bytes/5 HTTP/1.1\r\n\r\nGET /bytes/0 HTTP/1.1\r\nConnection: close\r\n\r\n");

        assertThat(answer.split("HTTP/1.1 200 OK\r\n", -1)).hasSize(3);
        assertThat(answer).contains("Content-Length: 5\r\n").endsWith("Connection: close\r\n\r\n");
    }

    @Test
    void sendsTheSameBytesAsItTellsTheDigestOf() throws Exception {
        byte[] answer = askBytes("GET /bytes/200000 HTTP/1.1\r\nConnection: close\r\n\r\n");
        byte[] body = Arrays.copyOfRange(answer, answer.length - 200_000, answer.length);

        assertThat(ask("GET /bytes/200000/sha256 HTTP/1.1\r\nConnection: close\r\n\r\n"))
                .endsWith("\r\n\r\n" + sha256(body) + "\n");
    }

    @Test
    void tellsTheDigestOfABody() throws Exception {
        assertThat(ask("POST /sha256 HTTP/1.1\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc"))
                .endsWith("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n");
    }

    @Test
    void tellsTheDigestOfABodyInChunksThatWasHeldBack() throws Exception {
        String head = "POST /sha256 HTTP/1.1\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n";
        String chunks = "2;x=y\r\nab\r\n1\r\nc\r\n0\r\nTrailer: t\r\n\r\n";

        String answer = ask(head + "Connection: close\r\n\r\n" + chunks);

        assertThat(answer)
                .startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n")
                .endsWith("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n");
    }

    @Test
    void leavesTheConnectionInStepAfterABodyThatNobodyWanted() throws IOException {
        String unwanted = "POST /nowhere HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc";

        String answer = ask(unwanted + "GET /json HTTP/1.1\r\nConnection: close\r\n\r\n");

        assertThat(answer).contains("HTTP/1.1 404 Not Found").contains("HTTP/1.1 200 OK");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /nowhere HTTP/1.1",
                "GET /bytes/x HTTP/1.1",
                "GET /bytes/-1 HTTP/1.1",
                "GET /bytes/99999999999999 HTTP/1.1",
                "BREW / HTTP/1.1"
            })
    void refusesWhatItDoesNotKnow(String line) throws IOException {
        assertThat(ask(line + "\r\nConnection: close\r\n\r\n")).startsWith("HTTP/1.1 4");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"rubbish\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/1.1\r\nrubbish\r\n\r\n", "GET / HTTP/1.1\r\nHo"})
    void closesOnWhatIsNoRequest(String rubbish) throws IOException {
        assertThat(ask(rubbish)).isEmpty();
    }

    @Test
    void closesOnAConnectionWithoutHeader() throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            assertThat(socket.getInputStream().readAllBytes()).isEmpty();
        }
    }

    private String ask(String request) throws IOException {
        return new String(askBytes(request), StandardCharsets.UTF_8);
    }

    private byte[] askBytes(String request) throws IOException {
        try (Socket socket = connect()) {
            OutputStream output = socket.getOutputStream();
            output.write(new ProxyHeader(
                            new InetSocketAddress(InetAddress.ofLiteral("192.0.2.7"), 56324),
                            new InetSocketAddress(InetAddress.ofLiteral("2001:db8::1"), 443),
                            FACTS)
                    .toVersionTwo());
            output.write(request.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            return socket.getInputStream().readAllBytes();
        }
    }

    private Socket connect() throws IOException {
        Socket socket =
                new Socket(backend.address().getAddress(), backend.address().getPort());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
