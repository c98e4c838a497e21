package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GoProgram;
import dev.sluice.interop.fixture.HttpBackend;
import dev.sluice.interop.fixture.RoundRobinProxy;
import dev.sluice.interop.fixture.SessionClient;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.interop.fixture.Transport;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.RedisServer;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients of several makes resume at another node than the one that gave them their session, two keys later. */
class FleetPeersTest {
    /** Longer than a key seals. */
    private static final Duration TWO_KEYS = Duration.ofMillis(2_100);

    private static final Pattern RESUMED = Pattern.compile("resumed=[a-z]+");
    private static final String REQUEST = "GET /1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    private final Backend backend = HttpBackend.start();
    private final RedisServer redis = RedisServer.start();

    @TempDir
    private Path directory = Path.of("");

    private List<GatewayProcess> nodes = List.of();
    private List<Integer> ports = List.of();

    @BeforeEach
    void startNodes() throws IOException {
        Path fleetKey = Files.write(directory.resolve("fleet.key"), new byte[32]);
        nodes = List.of(startNode(fleetKey, "admin"), startNode(fleetKey, "another-admin"));
        ports = nodes.stream().map(GatewayProcess::port).toList();
    }

    private GatewayProcess startNode(Path fleetKey, String adminSocket) throws IOException {
        return GatewayProcess.start(GatewaySetup.before(backend, Transport.EPOLL)
                .with("tickets: {rotate: 1s, keep: 30s, poll: 200ms, store: \"" + redis.url() + "\", fleet-key: "
                        + fleetKey + "}")
                .with("admin: unix:" + directory.resolve(adminSocket)));
    }

    @AfterEach
    void stop() {
        nodes.forEach(GatewayProcess::close);
        redis.close();
        backend.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void opensslTakesASavedSessionElsewhere(String version) throws InterruptedException {
        String session = directory.resolve("session").toString();
        assertThat(SessionClient.get(ports.get(0), version, "-sess_out", session))
                .contains("New, TLSv1");
        Thread.sleep(TWO_KEYS);
        assertThat(SessionClient.get(ports.get(1), version, "-sess_in", session))
                .contains("Reused, TLSv1");
    }

    @Test
    void opensslReconnects() {
        try (RoundRobinProxy proxy = RoundRobinProxy.start(ports, Duration.ofMillis(600))) {
            String output = SessionClient.get(proxy.port(), "-tls1_2", "-reconnect");
            assertThat(output.split("Reused, TLSv1.2", -1)).as(output).hasSize(1 + 5);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2", "1.3"})
    void goResumes(String version) {
        Path client = GoProgram.compile("client.go", directory);
        try (RoundRobinProxy proxy = RoundRobinProxy.start(ports, TWO_KEYS)) {
            String output = ForeignProgram.at(client)
                    .command(
                            TestCertificates.shared().rootFile().toString(),
                            version,
                            "https://localhost:" + proxy.port() + "/1")
                    .run()
                    .expectSuccess()
                    .output();
            assertThat(RESUMED.matcher(output).results().map(MatchResult::group))
                    .containsExactly("resumed=false", "resumed=true");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2", "1.3"})
    void gnutlsResumes(String version) {
        try (RoundRobinProxy proxy = RoundRobinProxy.start(ports, TWO_KEYS)) {
            ForeignResult result = ForeignProgram.required("gnutls-cli", "gnutls-bin")
                    .command(
                            "--x509cafile=" + TestCertificates.shared().rootFile(),
                            "--priority=NORMAL:-VERS-ALL:+VERS-TLS" + version,
                            "--port=" + proxy.port(),
                            "--resume",
                            "--waitresumption",
                            "localhost")
                    .input(REQUEST)
                    .inputStaysOpen()
                    .run();
            assertThat(result.output() + result.errors()).contains("*** This is a resumed session", "HTTP/1.1 200 OK");
        }
    }

    /** The socket is that of the node that started last. */
    @Test
    void operatorsSeeTheKeysAndRotateThem() {
        assertThat(tickets("show"))
                .contains(redis.url(), "state       ok", "current", "next")
                .doesNotContain("ALARM");
        assertThat(tickets("rotate")).contains("a new key seals on all nodes");
        assertThat(tickets("show", "--json"))
                .startsWith("{\"store\":\"" + redis.url())
                .contains("\"alarm\":null");
    }

    private String tickets(String verb, String... more) {
        List<String> line = new ArrayList<>(
                List.of("tickets", verb, "--admin", directory.resolve("admin").toString()));
        line.addAll(List.of(more));
        return Sluice.command(line.toArray(String[]::new)).run().expectSuccess().output();
    }
}
