package dev.sluice.gateway.acme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.acme.AcmeAccount;
import dev.sluice.config.acme.AcmeChallenge;
import dev.sluice.config.acme.AcmeConfig;
import dev.sluice.config.acme.AcmeKeyType;
import dev.sluice.config.acme.AcmeStorage;
import dev.sluice.config.acme.DnsHook;
import dev.sluice.config.certificate.CertificateOcsp;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.gateway.challenge.ChallengeAnswer;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Configurations that change, and a gateway that ends, while an order is under way. */
class AcmeCertificatesTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final AcmeTimes TIMES =
            new AcmeTimes(Duration.ofHours(1), Duration.ofHours(6), Duration.ofMillis(100), Duration.ofMinutes(5));

    @TempDir
    Path directory = Path.of("");

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final AcmeCertificates certificates =
            new AcmeCertificates(new Board(), TIMES, InstantSource.system(), new Lines());

    @AfterEach
    void close() {
        certificates.close();
    }

    @Test
    void givesUpAnOrderThatTheConfigurationChanges() throws Exception {
        try (FaultyAcmeServer server = new FaultyAcmeServer(List.of("wrong.example"), der -> "")) {
            certificates.follow(List.of(ordered("wrong.example", server.directory(), hook("exec sleep 1000"))));
            Waiting.until(LONG, () -> Files.exists(directory.resolve("hook.present")), log::toString);

            certificates.follow(List.of(ordered("right.example", server.directory(), hook("exit 0"))));

            // The server wants the wrong name proved again, which tells that the right one was ordered.
            Waiting.until(LONG, () -> !log.isEmpty(), log::toString);
            assertThat(server.orders()).isEqualTo(2);
            assertThat(log).singleElement().asString().contains("[right.example] was ordered");
            assertThat(directory.resolve("hook.cleanup")).exists();
        }
    }

    /** The pause after failures is an hour here. */
    @Test
    void ordersAtOnceWhatAnOperatorHasCorrectedAfterAFailure() throws Exception {
        URI nobody = URI.create("http://127.0.0.1:1/directory");
        certificates.follow(List.of(ordered("shop.example", nobody, null)));
        Waiting.until(LONG, () -> certificates.counters().failed() == 1, log::toString);

        try (FaultyAcmeServer server = new FaultyAcmeServer(List.of(), der -> "")) {
            certificates.follow(List.of(ordered("shop.example", server.directory(), null)));

            Waiting.until(LONG, () -> server.orders() == 1, log::toString);
        }
    }

    /** A gateway that takes over must not wait because of it. */
    @Test
    void countsNoFailureWhenTheGatewayEnds() throws Exception {
        try (FaultyAcmeServer server = new FaultyAcmeServer(List.of("shop.example"), der -> "")) {
            certificates.follow(List.of(ordered("shop.example", server.directory(), hook("exec sleep 1000"))));
            Waiting.until(LONG, () -> Files.exists(directory.resolve("hook.present")), log::toString);

            certificates.close();

            assertThat(certificates.counters().failed()).isZero();
            assertThat(directory.resolve("shop.ecdsa.failed")).doesNotExist();
        }
    }

    // --- fixtures ---------------------------------------------------------------------------------------------------

    private CertificateConfig ordered(String name, URI server, @Nullable DnsHook hook) {
        AcmeConfig order = new AcmeConfig(
                List.of(name),
                hook == null ? AcmeChallenge.TLS_ALPN_01 : AcmeChallenge.DNS_01,
                List.of(AcmeKeyType.ECDSA),
                null,
                new AcmeAccount(server, null, null, null),
                hook,
                new AcmeStorage(directory, directory.resolve("seal.key")),
                20);
        return new CertificateConfig("shop", List.of(), List.of(), CertificateOcsp.OFF, order);
    }

    /** A program that notes what it is asked for, and then adds a record by a script. */
    private DnsHook hook(String adds) throws IOException {
        Path script = Files.writeString(directory.resolve("hook"), """
                #!/bin/sh
                : >"$0.$1"
                case $1 in present) %s ;; esac
                """.formatted(adds));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return new DnsHook(List.of(script.toString()), Duration.ofMinutes(2), Duration.ZERO);
    }

    private static final class Board implements ChallengeBoard {
        @Override
        public void show(ChallengeAnswer answer) {}

        @Override
        public void withdraw(ChallengeAnswer answer) {}
    }

    private final class Lines implements AcmeLog {
        @Override
        public void info(String line) {
            log.add(line);
        }

        @Override
        public void warn(String line) {
            log.add(line);
        }
    }
}
