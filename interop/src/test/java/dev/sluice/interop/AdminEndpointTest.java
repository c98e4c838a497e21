package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.HttpBackend;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.interop.fixture.Transport;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The admin endpoint of a gateway in a process of its own, asked by curl and by {@code sluice top}. */
final class AdminEndpointTest {
    private static final Duration LIMIT = Waiting.LIMIT;
    private static final Pattern ENDPOINT = Pattern.compile("dashboard and metrics at (https?://\\S+)/");

    private final List<AutoCloseable> begun = new ArrayList<>();

    @TempDir
    private Path directory = Path.of("");

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable last : begun.reversed()) {
            last.close();
        }
    }

    @Test
    void countsTheHandshakesThatCurlMakesAndTopShowsThem() throws Exception {
        GatewayProcess gateway = start(setup().with("admin: {address: 127.0.0.1:0}"));
        String endpoint = endpoint(gateway);
        for (int i = 0; i < 3; i++) {
            curl("--cacert", TestCertificates.shared().rootFile().toString(), gateway.url() + "1")
                    .expectSuccess();
        }

        assertThat(curl(endpoint + "/metrics").expectSuccess().output())
                .containsPattern("sluice_tls_handshakes_total\\{.*kind=\"full\".*} 3");
        assertThat(curl("-H", "Accept: application/openmetrics-text", endpoint + "/metrics")
                        .expectSuccess()
                        .output())
                .endsWith("# EOF\n");
        assertThat(curl(endpoint + "/readyz").expectSuccess().output()).isEqualTo("ready\n");
        assertThat(curl(endpoint + "/healthz").expectSuccess().output()).isEqualTo("ok\n");

        String shown = awaitTop(endpoint, "TLSv1.3 100 %");
        assertThat(shown)
                .contains("serving", "Full handshakes", "Resumption", "Cryptography", "TLSv1.3 100 %", "loop-0")
                .containsPattern("Backends +state +connects")
                .containsPattern("none offered +\\d+ +3")
                .doesNotContain("\u001b");
    }

    /** A sample is taken each second. */
    private static String awaitTop(String endpoint, String wanted) {
        AtomicReference<String> shown = new AtomicReference<>("");
        Waiting.until(
                LIMIT,
                () -> {
                    shown.set(Sluice.command("top", "--once", "--admin", endpoint)
                            .run()
                            .expectSuccess()
                            .output());
                    return shown.get().contains(wanted);
                },
                shown::get);
        return shown.get();
    }

    @Test
    void theConfigurationInForceIsToldWithoutItsSecrets() throws Exception {
        Files.writeString(directory.resolve("fleet.key"), "0123456789abcdef0123456789abcdef");
        Files.setPosixFilePermissions(directory.resolve("fleet.key"), PosixFilePermissions.fromString("rw-------"));
        GatewayProcess gateway = start(setup().with("admin: {address: 127.0.0.1:0}")
                .with("tickets: {store: \"redis://user:sesame@127.0.0.1:1/0\", fleet-key: "
                        + directory.resolve("fleet.key") + "}"));
        String endpoint = endpoint(gateway);

        String told = curl(endpoint + "/config").expectSuccess().output();

        assertThat(told).contains("redis://", "drain: 30s", "fleet-key: " + directory.resolve("fleet.key"));
        assertThat(told).doesNotContain("sesame", "0123456789abcdef");
    }

    @Test
    void aReloadIsServedAndOneThatCannotBeIsRefused() throws Exception {
        GatewayProcess gateway = start(setup().with("admin: {address: 127.0.0.1:0}"));
        String endpoint = endpoint(gateway);
        String yaml = Files.readString(gateway.config());

        Files.writeString(gateway.config(), yaml + "drain: 7s\n");
        assertThat(curl("-X", "POST", endpoint + "/reload").expectSuccess().output())
                .startsWith("reloaded ");
        assertThat(curl(endpoint + "/config").expectSuccess().output()).contains("drain: 7s");

        Files.writeString(gateway.config(), yaml + "drain: soon\n");
        assertThat(curl("-X", "POST", "-w", "%{http_code}", endpoint + "/reload")
                        .output())
                .contains("not a duration")
                .endsWith("409");
        assertThat(curl(endpoint + "/config").expectSuccess().output()).contains("drain: 7s");
    }

    @Test
    void whileItDrainsItIsNotReady() throws Exception {
        GatewayProcess gateway =
                start(setup().with("admin: {address: 127.0.0.1:0}").with("drain: 60s"));
        String endpoint = endpoint(gateway);
        RunningProgram client = ForeignProgram.required("openssl", "openssl")
                .command("s_client", "-connect", "127.0.0.1:" + gateway.port(), "-quiet", "-no_ign_eof")
                .inputStaysOpen()
                .start();
        begun.add(client);
        Waiting.until(
                LIMIT,
                () -> curl(endpoint + "/metrics").output().contains("sluice_connections 1"),
                () -> "no connection: " + client);

        gateway.program().terminate();

        Waiting.until(
                LIMIT,
                () -> curl("-w", "%{http_code}", endpoint + "/readyz").output().equals("draining\n503"),
                () -> gateway.log());
        Waiting.until(
                LIMIT,
                () -> curl(endpoint + "/api/snapshot").output().contains("\"state\":\"draining\""),
                () -> gateway.log());
        client.close();
        assertThat(gateway.program().awaitExit(LIMIT).exitCode()).isZero();
    }

    @Test
    void aTokenLetsTopInAndNobodyElse() throws Exception {
        Path token = directory.resolve("token");
        Files.writeString(token, "a-token-that-nobody-guesses\n");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        GatewayProcess gateway = start(setup().with("admin: {address: 127.0.0.1:0, token-file: " + token + "}"));
        String endpoint = endpoint(gateway);

        assertThat(curl("-w", "%{http_code}", endpoint + "/metrics").output()).endsWith("401");
        assertThat(curl("-H", "Authorization: Bearer a-token-that-nobody-guesses", endpoint + "/metrics")
                        .expectSuccess()
                        .output())
                .contains("sluice_connections");
        assertThat(Sluice.command("top", "--once", "--admin", endpoint, "--token-file", token.toString())
                        .run()
                        .expectSuccess()
                        .output())
                .contains("serving");
        ForeignResult without =
                Sluice.command("top", "--once", "--admin", endpoint).run();
        assertThat(without.exitCode()).isEqualTo(2);
        assertThat(without.errors()).contains("wants a token", "--token-file").doesNotContain("\tat ");
    }

    @Test
    void anAddressThatOthersReachDoesNotStartUnguarded() throws Exception {
        Path config = Files.writeString(
                directory.resolve("sluice.yaml"),
                setup().with("admin: {address: 0.0.0.0:9900}").yaml());

        ForeignResult check = Sluice.command("check", config.toString()).run();
        ForeignResult run =
                Sluice.command("gateway", "--config", config.toString()).run();

        assertThat(check.exitCode()).isEqualTo(2);
        assertThat(check.errors()).contains(config + ":1:", "other machines can reach", "token-file");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errors()).contains("other machines can reach");
    }

    @Test
    void aPortThatIsTakenCostsTheDashboardAndNotTheGateway() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            GatewayProcess gateway = start(setup().with("admin: {address: 127.0.0.1:" + other.getLocalPort() + "}"));
            gateway.program().awaitOutput("no dashboard and no metrics for now", LIMIT);

            assertThat(gateway.log()).contains("127.0.0.1:" + other.getLocalPort(), "ss -ltnp");
            curl("--cacert", TestCertificates.shared().rootFile().toString(), gateway.url() + "1")
                    .expectSuccess();
        }
    }

    @Test
    void whereNothingListensTopSaysWhatToDo() throws IOException {
        int free;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = closed.getLocalPort();
        }

        ForeignResult top =
                Sluice.command("top", "--admin", "http://127.0.0.1:" + free).run();

        assertThat(top.exitCode()).isEqualTo(2);
        assertThat(top.errors())
                .contains("no gateway answers at http://127.0.0.1:" + free, "admin: {address: 127.0.0.1:" + free + "}")
                .doesNotContain("\tat ");
    }

    @Test
    void clientsThatSendNothingTakeNoPlaceFromOthers() throws Exception {
        GatewayProcess gateway = start(setup().with("admin: {address: 127.0.0.1:0}"));
        String endpoint = endpoint(gateway);
        int port = Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
        for (int i = 0; i < 50; i++) {
            Socket silent = new Socket(InetAddress.getLoopbackAddress(), port);
            begun.add(silent);
            silent.getOutputStream().write("GET /metrics HTTP/1.1\r\nHo".getBytes(StandardCharsets.US_ASCII));
        }

        assertThat(curl(endpoint + "/readyz").expectSuccess().output()).isEqualTo("ready\n");
    }

    private GatewaySetup setup() {
        Backend backend = HttpBackend.start();
        begun.add(backend);
        return GatewaySetup.before(backend, Transport.EPOLL);
    }

    private GatewayProcess start(GatewaySetup setup) {
        GatewayProcess gateway = GatewayProcess.start(setup);
        begun.add(gateway);
        return gateway;
    }

    private static String endpoint(GatewayProcess gateway) {
        gateway.program().awaitOutput("dashboard and metrics at", LIMIT);
        Matcher matcher = ENDPOINT.matcher(gateway.log());
        assertThat(matcher.find()).as(gateway.log()).isTrue();
        return matcher.group(1);
    }

    private static ForeignResult curl(String... arguments) {
        List<String> all = new ArrayList<>(List.of("-sS", "--max-time", "20"));
        all.addAll(List.of(arguments));
        return ForeignProgram.required("curl", "curl")
                .command(all.toArray(String[]::new))
                .run();
    }
}
