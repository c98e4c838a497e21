package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Curl;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers behind the gateway, and proxies before it, that we did not write. */
class BackendPeersTest extends GatewayTest {
    private static final Duration START_LIMIT = Waiting.LIMIT;

    @TempDir
    Path directory = Path.of("");

    /** nginx tells, in what it answers, how its connection with the gateway was made. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void tlsToNginxIsVerifiedAndResumed(String version) throws IOException {
        int port = FreePort.onLoopback();
        try (RunningProgram nginx = nginx(port, version)) {
            GatewayProcess gateway = gateway(GatewaySetup.before("127.0.0.1:" + port, transport)
                    .with("loops: 1")
                    .backendKey("tls: {ca: " + root() + ", server-name: localhost, certificate: main}")
                    .backendKey("health: {kind: http, path: /health, interval: 100ms}")
                    .backendKey("proxy-protocol: v1"));
            // A check may have been first, and its session be on its way yet.
            Waiting.until(LONG, () -> get(gateway).contains(" r=r"), () -> "never resumed: " + get(gateway));
            for (int i = 0; i < 3; i++) {
                assertThat(get(gateway)).isEqualTo(version + " r=r certificate=SUCCESS from=127.0.0.1");
            }
            assertThat(gateway.log()).doesNotContain("is down");
            // That of the test itself, which asked whether nginx listens, was empty.
            assertThat(nginx.errors().lines())
                    .filteredOn(line -> !line.contains("broken header: \"\""))
                    .noneMatch(line -> line.contains("[error]") || line.contains("[alert]"));
        }
    }

    @Test
    void tlsToOpensslsServerIsRefusedUnderAnotherName() throws IOException {
        int port = FreePort.onLoopback();
        Credential wrong = TestCertificates.shared().wrongHostServer();
        try (RunningProgram server = ForeignProgram.required("openssl", "openssl")
                .command(
                        "s_server",
                        "-accept",
                        "127.0.0.1:" + port,
                        "-cert",
                        wrong.chainFile().toString(),
                        "-key",
                        wrong.keyFile().toString(),
                        "-www")
                .start()) {
            awaitListening(server, port);
            GatewayProcess gateway = gateway(GatewaySetup.before("127.0.0.1:" + port, transport)
                    .backendKey("tls: {ca: " + root() + ", server-name: localhost}"));
            assertThat(Curl.command(gateway.url()).run().exitCode()).isNotZero();
            Waiting.until(
                    LONG,
                    () -> gateway.log().contains("backend_handshake_wrong_host"),
                    () -> "no word: " + gateway.log());
        }
    }

    /** It takes the PROXY header before the handshake, and tells what it was told in both. */
    @ParameterizedTest
    @ValueSource(strings = {"v1", "v2"})
    void haproxyBehindTheGatewayIsToldBeforeTheHandshake(String version) throws IOException {
        int port = FreePort.onLoopback();
        Credential own = TestCertificates.shared().server();
        Path pem = Files.writeString(
                directory.resolve("both.pem"), Files.readString(own.chainFile()) + Files.readString(own.keyFile()));
        String answer = "http-request return status 200 content-type text/plain lf-string"
                + " \"src=%[src] sni=%[ssl_fc_sni] resumed=%[ssl_fc_is_resumed] authority=%[fc_pp_authority]\"";
        String bind = "mode http\n  bind 127.0.0.1:" + port + " accept-proxy ssl crt " + pem;
        try (RunningProgram haproxy = haproxy(bind, answer)) {
            awaitListening(haproxy, port);
            GatewayProcess gateway = gateway(GatewaySetup.before("127.0.0.1:" + port, transport)
                    .with("loops: 1")
                    .backendKey("tls: {ca: " + root() + ", server-name: localhost}")
                    .backendKey("health: {kind: tls, interval: 100ms}")
                    .backendKey("proxy-protocol: " + version));
            Waiting.until(LONG, () -> get(gateway).contains("resumed=1"), () -> "never resumed: " + get(gateway));
            String authority = version.equals("v1") ? "" : "localhost";
            assertThat(get(gateway)).isEqualTo("src=127.0.0.1 sni=localhost resumed=1 authority=" + authority);
            assertThat(gateway.log()).doesNotContain("is down");
        }
    }

    /** HAProxy connects for a client that it sees, and checks by connections that are nobody's. */
    @ParameterizedTest
    @ValueSource(strings = {"send-proxy", "send-proxy-v2"})
    void haproxyBeforeTheGatewaySaysForWhomItConnects(String how) throws IOException {
        int port = FreePort.onLoopback();
        int behind = FreePort.onLoopback();
        try (RunningProgram nginx = nginx(behind, "TLSv1.3")) {
            assertThat(nginx.isRunning()).isTrue();
            GatewayProcess gateway = gateway(GatewaySetup.before("127.0.0.1:" + behind, transport)
                    .listener("proxy-protocol: {from: [127.0.0.1]}")
                    .backendKey("tls: {ca: " + root() + ", server-name: localhost}")
                    .backendKey("proxy-protocol: v1"));
            String server = "server gateway 127.0.0.1:" + gateway.port() + " check check-send-proxy inter 100ms " + how;
            try (RunningProgram haproxy = haproxy("mode tcp\n  bind 127.0.0.1:" + port, server)) {
                awaitListening(haproxy, port);
                // Another address of the loopback network, so that client and proxy can be told apart.
                String answer = Curl.command("-4", "--interface", "127.0.0.9", "https://localhost:" + port + "/")
                        .run()
                        .expectSuccess()
                        .output();
                assertThat(answer).contains("from=127.0.0.9");
            }
            Matcher malformed = Pattern.compile("proxy_header_\\w+").matcher(gateway.log());
            assertThat(malformed.find()).as(gateway.log()).isFalse();
        }
    }

    private static String get(GatewayProcess gateway) {
        return Curl.command(gateway.url()).run().expectSuccess().output();
    }

    private static Path root() {
        return TestCertificates.shared().rootFile();
    }

    private RunningProgram nginx(int port, String version) throws IOException {
        Credential own = TestCertificates.shared().server();
        String text = """
                daemon off;
                master_process off;
                pid nginx-%1$d.pid;
                error_log stderr warn;
                events { worker_connections 256; }
                http {
                    access_log off;
                    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
                    uwsgi_temp_path uwsgi; scgi_temp_path scgi;
                    server {
                        listen 127.0.0.1:%1$d ssl proxy_protocol;
                        ssl_certificate %2$s;
                        ssl_certificate_key %3$s;
                        ssl_protocols %4$s;
                        ssl_verify_client optional;
                        ssl_client_certificate %5$s;
                        location = /health { return 204; }
                        set $facts "$ssl_protocol r=$ssl_session_reused certificate=$ssl_client_verify";
                        location / {
                            return 200 "$facts from=$proxy_protocol_addr";
                        }
                    }
                }
                """.formatted(port, own.chainFile(), own.keyFile(), version, root());
        Files.writeString(directory.resolve("nginx-" + port + ".conf"), text);
        RunningProgram program = ForeignProgram.required("nginx", "nginx-light")
                .command("-p", directory.toString(), "-c", "nginx-" + port + ".conf", "-e", "stderr")
                .start();
        awaitListening(program, port);
        return program;
    }

    private RunningProgram haproxy(String bind, String server) throws IOException {
        Path config = Files.writeString(directory.resolve("haproxy.cfg"), """
                defaults
                  timeout connect 5s
                  timeout client 20s
                  timeout server 20s
                listen test
                  %s
                  %s
                """.formatted(bind, server));
        return ForeignProgram.required("haproxy", "haproxy")
                .command("-db", "-f", config.toString())
                .start();
    }

    private static void awaitListening(RunningProgram program, int port) {
        Waiting.until(START_LIMIT, () -> !program.isRunning() || accepts(port), program::toString);
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }
}
