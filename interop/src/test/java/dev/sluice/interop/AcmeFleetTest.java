package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.AcmeGateway;
import dev.sluice.interop.fixture.Pebble;
import dev.sluice.interop.fixture.PresentedCertificate;
import dev.sluice.interop.fixture.RoundRobinProxy;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.RedisServer;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two gateways behind a balancer share a certificate through Redis; Pebble's requests reach them in turn. */
class AcmeFleetTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final int acme = FreePort.onLoopback();
    private final RunningNode one = new RunningNode("one");
    private final RunningNode two = new RunningNode("two");

    @TempDir
    Path directory = Path.of("");

    /** A gateway with a directory and ports of its own. */
    private record RunningNode(String name, int tls, int http, int admin) {
        RunningNode(String name) {
            this(name, FreePort.onLoopback(), FreePort.onLoopback(), FreePort.onLoopback());
        }

        X509Certificate presented() {
            return PresentedCertificate.of(tls, AcmeGateway.NAME);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls-alpn-01", "http-01"})
    void ordersOnOneNodeAndServesAndAnswersOnAll(String challenge) throws Exception {
        try (RedisServer redis = RedisServer.start();
                RoundRobinProxy tls = RoundRobinProxy.start(List.of(one.tls(), two.tls()), Duration.ZERO);
                RoundRobinProxy http = RoundRobinProxy.start(List.of(one.http(), two.http()), Duration.ZERO);
                RunningProgram first = start(one, redis, challenge);
                RunningProgram second = start(two, redis, challenge)) {
            first.awaitOutput("certificate main: order failed", LONG); // the server is down
            try (Pebble pebble = new Pebble(directory, acme, tls.port(), http.port(), "")) {
                X509Certificate issued = awaitOther(one.presented(), pebble, first, second);
                long orders = pebble.orders();

                pebble.suggest(PresentedCertificate.pem(issued), "2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z");
                awaitOther(issued, pebble, first, second);

                assertThat(pebble.orders()).isEqualTo(orders + 1);
                assertThat(answered(one)).as("by one").isPositive();
                assertThat(answered(two)).as("by two").isPositive();
                assertThat(pebble.log()).doesNotContain("accountDoesNotExist");
            }
            AcmeGateway.stop(first);
            AcmeGateway.stop(second);
        }
    }

    @Test
    void servesOnWithoutTheStoreAndSaysSo() throws Exception {
        try (RedisServer redis = RedisServer.start();
                RoundRobinProxy tls = RoundRobinProxy.start(List.of(one.tls(), two.tls()), Duration.ZERO);
                RunningProgram first = start(one, redis, "tls-alpn-01")) {
            X509Certificate issued;
            try (RunningProgram second = start(two, redis, "tls-alpn-01");
                    Pebble pebble = new Pebble(directory, acme, tls.port(), FreePort.onLoopback(), "")) {
                issued = awaitOther(one.presented(), pebble, first, second);
                AcmeGateway.stop(second);
            }
            redis.suspend();
            first.awaitOutput("ACME: ACME state of redis://127.0.0.1:" + redis.port(), LONG);
            try (RunningProgram again = start(two, redis, "tls-alpn-01")) {
                assertThat(two.presented()).isEqualTo(issued);
                again.awaitOutput("none is ordered meanwhile", LONG);
                assertThat(metrics(two)).contains("sluice_acme_store_failures_total");

                redis.resume();
                again.awaitOutput("can be used again", LONG);
                assertThat(one.presented()).isEqualTo(issued);
                AcmeGateway.stop(again);
            }
            AcmeGateway.stop(first);
        }
    }

    // --- fixtures ---------------------------------------------------------------------------------------------------

    private RunningProgram start(RunningNode node, RedisServer redis, String challenge) throws IOException {
        Path own = Files.createDirectories(directory.resolve(node.name()));
        Files.write(directory.resolve("fleet.key"), new byte[32]);
        Path file = Files.writeString(own.resolve("sluice.yaml"), """
                acme: {state: state, store: tickets, agree-terms: on, directory: "https://localhost:%d/dir",
                       server-ca: "%s"}
                tickets: {store: "%s", fleet-key: ../fleet.key, poll: 200ms}
                admin: {address: "127.0.0.1:%d"}
                warm-up: off
                loops: 2
                listeners:
                  - {address: "127.0.0.1:%d", certificates: [main], backend: main, alpn: [http/1.1]}
                  - {address: "127.0.0.1:%d", redirect: 443}
                certificates:
                  main: {acme: {names: [%s], challenge: %s}}
                backends:
                  main: {servers: ["127.0.0.1:1"]}
                """.formatted(
                        acme,
                        TestCertificates.shared().rootFile(),
                        redis.url(),
                        node.admin(),
                        node.tls(),
                        node.http(),
                        AcmeGateway.NAME,
                        challenge));
        return AcmeGateway.started(Sluice.command("gateway", "--config", file.toString()), node.http());
    }

    private static String metrics(RunningNode node) throws IOException {
        URI page = URI.create("http://127.0.0.1:" + node.admin() + "/metrics");
        try (InputStream text = page.toURL().openStream()) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Returns how many challenges a node has answered. */
    private static double answered(RunningNode node) throws IOException {
        return metrics(node)
                .lines()
                .filter(line -> !line.startsWith("#") && line.contains("\"challenge_answered\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** Waits until both nodes present another certificate, the same, of Pebble's. */
    private X509Certificate awaitOther(
            X509Certificate before, Pebble pebble, RunningProgram first, RunningProgram second) throws Exception {
        X509Certificate issuer = pebble.intermediate();
        Waiting.until(
                LONG,
                () -> {
                    X509Certificate presented = one.presented();
                    return !presented.equals(before)
                            && presented.getIssuerX500Principal().equals(issuer.getSubjectX500Principal())
                            && presented.equals(two.presented());
                },
                () -> first + "\n" + second + "\n" + pebble.log());
        X509Certificate issued = one.presented();
        issued.verify(issuer.getPublicKey());
        return issued;
    }
}
