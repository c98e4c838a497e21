package dev.sluice.gateway.acme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.acme.AcmeAccount;
import dev.sluice.config.acme.AcmeChallenge;
import dev.sluice.config.acme.AcmeConfig;
import dev.sluice.config.acme.AcmeKeyType;
import dev.sluice.config.acme.AcmeStorage;
import dev.sluice.gateway.challenge.ChallengeAnswer;
import dev.sluice.gateway.log.ForeignText;
import dev.sluice.testkit.TestCertificates;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Orders at a server with faults. */
class ManagedCertificateTest {
    @TempDir
    Path directory = Path.of("");

    private final List<String> log = new ArrayList<>();
    private final List<ChallengeAnswer> shown = new ArrayList<>();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final AcmeCounters counters = new AcmeCounters();

    /** The chains that a faulty server issues, and what is said of them. */
    enum Lie {
        OTHER_NAME("it is for [other.example]", key -> TestChains.certified(key, "other.example")),
        MORE_NAMES("other.example", key -> TestChains.certified(key, "shop.example", "other.example")),
        OTHER_KEY("it is for another key", key -> TestChains.issued("shop.example")),
        EXPIRED(
                "it is valid from",
                key -> TestChains.pem(TestCertificates.shared()
                        .certify(TestChains.request("shop.example").valid(-20, -10), key))),
        OTHER_ISSUER(
                "has not issued",
                key -> TestChains.certified(key, "shop.example") + TestChains.issued("stranger.example")),
        NOT_A_CHAIN("", key -> "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
        NOTHING("", key -> "");

        private final String said;

        @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
        private final Function<PublicKey, String> chain;

        Lie(String said, Function<PublicKey, String> chain) {
            this.said = said;
            this.chain = chain;
        }
    }

    @ParameterizedTest
    @EnumSource(Lie.class)
    void refusesAChainThatWasNotOrdered(Lie lie) throws Exception {
        try (FaultyAcmeServer server = new FaultyAcmeServer(List.of(), der -> lie.chain.apply(TestChains.key(der)))) {
            ManagedCertificate certificate = certificate(server.directory(), 20);

            Duration pause = certificate.attempt();

            assertThat(pause).isPositive();
            assertThat(certificate.status().error()).contains(lie.said);
            assertThat(certificate.status().state()).isEqualTo(AcmeStatus.State.PENDING);
            assertThat(directory.resolve("shop.ecdsa.pem")).doesNotExist();
            assertThat(counters.failed()).isOne();
        }
    }

    @Test
    void keepsAnIssuedCertificateAndOrdersNoOther() throws Exception {
        try (FaultyAcmeServer server =
                new FaultyAcmeServer(List.of(), der -> TestChains.certified(TestChains.key(der), "shop.example"))) {
            certificate(server.directory(), 20).attempt();
            ManagedCertificate again = certificate(server.directory(), 20);
            again.attempt();

            assertThat(again.status().state()).isEqualTo(AcmeStatus.State.ISSUED);
            assertThat(again.status().next()).isAfter(now.get());
            assertThat(server.orders()).isOne();
            assertThat(counters.issued()).isOne();
            assertThat(log).singleElement().asString().startsWith("info certificate shop: issued by 127.0.0.1 for");
        }
    }

    @Test
    void ordersAnewWhenTheKeptFileIsUnusable() throws Exception {
        try (FaultyAcmeServer server =
                new FaultyAcmeServer(List.of(), der -> TestChains.certified(TestChains.key(der), "shop.example"))) {
            certificate(server.directory(), 20).attempt();
            Files.writeString(directory.resolve("seal.key"), "another passphrase\n");
            try (Stream<Path> files = Files.list(directory)) {
                Files.delete(files.filter(file -> file.getFileName().toString().matches("account.*\\.pem"))
                        .findFirst()
                        .orElseThrow());
            }
            certificate(server.directory(), 20).attempt();

            assertThat(server.orders()).isEqualTo(2);
            assertThat(log).anyMatch(line -> line.contains("is not used"));
        }
    }

    @Test
    void provesNoNameThatWasNotOrdered() throws Exception {
        try (FaultyAcmeServer server = new FaultyAcmeServer(List.of("bank.example"), der -> "")) {
            ManagedCertificate certificate = certificate(server.directory(), 20);
            certificate.attempt();

            assertThat(certificate.status().error()).contains("asks for a proof of bank.example");
            assertThat(shown).isEmpty();
        }
    }

    @Test
    void waitsAsLongAsAServerDemandsAndRemembersThatAcrossRestarts() throws Exception {
        try (FaultyAcmeServer server = new FaultyAcmeServer(List.of(), der -> "")) {
            server.refuse("{\"type\":\"urn:ietf:params:acme:error:rateLimited\",\"detail\":\"too\\nmany\"}");
            ManagedCertificate certificate = certificate(server.directory(), 20);
            certificate.attempt();

            assertThat(certificate.status().error()).contains("limits the rate (too many)");
            assertThat(certificate.status().next()).isAfter(now.get().plus(Duration.ofMinutes(115)));

            ManagedCertificate restarted = certificate(server.directory(), 20);
            restarted.attempt();
            assertThat(server.orders()).isOne();
            assertThat(restarted.status().failures()).isOne();

            restarted.hurry();
            restarted.attempt();
            assertThat(server.orders()).isEqualTo(2);
            assertThat(restarted.status().failures()).isEqualTo(2);
        }
    }

    @Test
    void placesNoMoreOrdersInAnHourThanTheLimit() throws Exception {
        try (FaultyAcmeServer server = new FaultyAcmeServer(List.of(), der -> "")) {
            for (int i = 0; i < 5; i++) {
                ManagedCertificate certificate = certificate(server.directory(), 2);
                certificate.hurry();
                certificate.attempt();
            }
            assertThat(server.orders()).isEqualTo(2);

            now.set(now.get().plus(Duration.ofMinutes(61)));
            ManagedCertificate later = certificate(server.directory(), 2);
            later.hurry();
            later.attempt();
            assertThat(server.orders()).isEqualTo(3);
        }
    }

    @Test
    void leavesTheOrderToWhoeverHasTheLease() throws Exception {
        try (FaultyAcmeServer server = new FaultyAcmeServer(
                        List.of(), der -> TestChains.certified(TestChains.key(der), "shop.example"));
                Lease other = files().lease("shop", "")) {
            assertThat(other).isNotNull();
            certificate(server.directory(), 20).attempt();

            assertThat(server.orders()).isZero();
        }
    }

    @Test
    void givesUpAnOrderThatTheServerDoesNotFinish() throws Exception {
        try (FaultyAcmeServer server = new FaultyAcmeServer(List.of(), der -> "")) {
            server.getStuck();
            ManagedCertificate certificate = certificate(server.directory(), 20);
            certificate.attempt();

            assertThat(certificate.status().error())
                    .startsWith("the server did not get on with the order for 1 s (its status is PROCESSING);");
        }
    }

    @Test
    void makesTheAccountAgainWhereTheServerHasForgottenIt() throws Exception {
        try (FaultyAcmeServer server =
                new FaultyAcmeServer(List.of(), der -> TestChains.certified(TestChains.key(der), "shop.example"))) {
            certificate(server.directory(), 20).attempt();
            Files.delete(directory.resolve("shop.ecdsa.pem"));
            server.forgetAccounts();
            ManagedCertificate again = certificate(server.directory(), 20);
            again.attempt();

            assertThat(again.status().state()).isEqualTo(AcmeStatus.State.ISSUED);
            assertThat(log)
                    .anyMatch(line -> line.startsWith("warn 127.0.0.1 does not know its account")
                            && line.endsWith("another one is made with the same key"));
        }
    }

    @Test
    void saysWhatAServerThatSpeaksNoAcmeAnswers() throws Exception {
        try (FaultyAcmeServer server = new FaultyAcmeServer(List.of(), der -> "")) {
            ManagedCertificate certificate = certificate(server.directory().resolve("/no-such-directory"), 20);
            certificate.attempt();

            assertThat(certificate.status().error())
                    .startsWith("127.0.0.1: it does not answer as an ACME server (")
                    .contains("; see whether directory http://127.0.0.1:")
                    .doesNotContain("Exception");
        }
    }

    @Test
    void goesOnWhenTheServerIsDown() throws Exception {
        ManagedCertificate certificate = certificate(URI.create("http://127.0.0.1:1/directory"), 20);
        certificate.attempt();
        certificate.attempt(); // before its time: nothing happens

        assertThat(certificate.status().failures()).isOne();
        assertThat(log)
                .singleElement()
                .asString()
                .startsWith(
                        "warn certificate shop: order failed (127.0.0.1: nothing accepts connections at 127.0.0.1:1;")
                .doesNotContain("Exception");
    }

    @Test
    void logsAnErrorOfAnyLanguageOnce() throws Exception {
        try (FaultyAcmeServer server = new FaultyAcmeServer(List.of(), der -> "")) {
            server.refuse(
                    "{\"type\":\"urn:ietf:params:acme:error:rateLimited\",\"detail\":\"zu häufig\\u2028 \\ud83d\"}");
            ManagedCertificate certificate = certificate(server.directory(), 20);
            for (int i = 0; i < 3; i++) {
                certificate.hurry();
                certificate.attempt();
            }

            assertThat(server.orders()).isEqualTo(3);
            assertThat(certificate.status().error()).contains("(zu häufig)");
            assertThat(log).singleElement().asString().contains("(zu häufig)");
        }
    }

    @Test
    void saysWhatToDoHoweverMuchAServerSays() throws Exception {
        try (FaultyAcmeServer server = new FaultyAcmeServer(List.of(), der -> "")) {
            server.refuse(
                    "{\"type\":\"urn:ietf:params:acme:error:rateLimited\",\"detail\":\"" + "x".repeat(5000) + "\"}");
            ManagedCertificate certificate = certificate(server.directory(), 20);
            certificate.attempt();

            assertThat(certificate.status().error())
                    .isEqualTo("127.0.0.1: it limits the rate (" + "x".repeat(ForeignText.CHARS_MAX)
                            + "…); wait, or order fewer certificates");
        }
    }

    /** A configuration that changes interrupts what is under way. */
    @Test
    void countsNoFailureWhenItIsInterruptedOverAFile() throws Exception {
        try (FaultyAcmeServer server = new FaultyAcmeServer(List.of(), der -> "")) {
            ManagedCertificate certificate = certificate(server.directory(), 20);
            Thread.currentThread().interrupt();

            assertThatThrownBy(certificate::attempt).isInstanceOf(InterruptedException.class);
            Thread.interrupted(); // for what follows
            assertThat(counters.failed()).isZero();
            assertThat(directory.resolve("shop.ecdsa.failed")).doesNotExist();
        }
    }

    // --- fixtures ---------------------------------------------------------------------------------------------------

    private StateFiles files() {
        return new StateFiles(new AcmeStorage(directory, directory.resolve("seal.key")));
    }

    private ManagedCertificate certificate(URI server, int ordersPerHour) {
        AcmeConfig config = new AcmeConfig(
                List.of("shop.example"),
                AcmeChallenge.TLS_ALPN_01,
                List.of(AcmeKeyType.ECDSA),
                null,
                new AcmeAccount(server, null, null, null),
                null,
                new AcmeStorage(directory, directory.resolve("seal.key")),
                ordersPerHour);
        ChallengeBoard board = new ChallengeBoard() {
            @Override
            public void show(ChallengeAnswer answer) {
                shown.add(answer);
            }

            @Override
            public void withdraw(ChallengeAnswer answer) {}
        };
        AcmeLog lines = new AcmeLog() {
            @Override
            public void info(String line) {
                log.add("info " + line);
            }

            @Override
            public void warn(String line) {
                log.add("warn " + line);
            }
        };
        AcmeTimes times = new AcmeTimes(
                Duration.ofMinutes(1), Duration.ofHours(6), Duration.ofSeconds(10), Duration.ofSeconds(1));
        return new ManagedCertificate(
                new ManagedCertificate.Order("shop", AcmeKeyType.ECDSA, config),
                files(),
                new ManagedCertificate.Surroundings(board, new OrderLimit(files()), counters, times, now::get, lines));
    }
}
