package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.AcmeGateway;
import dev.sluice.interop.fixture.Pebble;
import dev.sluice.interop.fixture.PresentedCertificate;
import dev.sluice.interop.fixture.SmallDisk;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A gateway that orders certificates is killed, or has no room for what it is to keep. */
class AcmeFaultTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String CERTIFICATE = "names: [" + AcmeGateway.NAME + "]";

    private final AcmeGateway site;

    AcmeFaultTest(@TempDir Path directory) {
        this.site = new AcmeGateway(directory);
    }

    /** A step of the server's, and the line that it logs then. */
    enum Step {
        ACCOUNT_MADE("There are now 1 accounts"),
        ORDER_PLACED("Added order "),
        NAME_PROVED("set VALID by "),
        CERTIFICATE_ISSUED("Issued certificate serial ");

        private final String line;

        Step(String line) {
            this.line = line;
        }

        long times(Pebble pebble) {
            return pebble.log().lines().filter(each -> each.contains(line)).count();
        }

        void await(Pebble pebble, long times) {
            Waiting.until(LONG, () -> times(pebble) >= times, pebble::log);
        }
    }

    /** The next process has the account, places one order more at most, and is not held up by the killed one. */
    @ParameterizedTest
    @EnumSource(Step.class)
    void aGatewayThatIsKilledInTheMidstOfAnOrderHasItsCertificateByTheNextStart(Step step) throws Exception {
        try (Pebble pebble = site.pebble("")) {
            try (RunningProgram killed = site.start(CERTIFICATE)) {
                step.await(pebble, 1);
                assertThat(killed.isRunning()).isTrue();
            }
            try (RunningProgram next = site.start(CERTIFICATE)) {
                site.awaitIssuedBy(pebble, next);
                assertThat(next.output() + next.errors()).doesNotContain("order failed");
                AcmeGateway.stop(next);
            }
            assertThat(pebble.orders()).isBetween(1L, 2L);
            assertThat(pebble.log()).doesNotContain("There are now 2 accounts");
        }
    }

    /** The certificate from before is served until the next process has renewed it. */
    @ParameterizedTest
    @EnumSource(
            value = Step.class,
            names = {"ORDER_PLACED", "CERTIFICATE_ISSUED"})
    void aGatewayThatIsKilledInTheMidstOfARenewalServesOnAndRenews(Step step) throws Exception {
        try (Pebble pebble = site.pebble("")) {
            X509Certificate first;
            try (RunningProgram killed = site.start(CERTIFICATE)) {
                first = site.awaitIssuedBy(pebble, killed);
                long before = step.times(pebble);
                pebble.suggest(PresentedCertificate.pem(first), "2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z");
                step.await(pebble, before + 1);
            }
            try (RunningProgram next = site.start(CERTIFICATE)) {
                site.awaitOther(first, next);
                site.awaitIssuedBy(pebble, next);
                assertThat(next.output() + next.errors()).doesNotContain("order failed", "placeholder");
                AcmeGateway.stop(next);
            }
            assertThat(pebble.orders()).isBetween(2L, 3L);
        }
    }

    /** No order is placed whose certificate could not be kept; there is one as soon as there is room. */
    @Test
    void aFullDiskIsReportedAndNothingIsOrderedMeanwhile() throws Exception {
        ForeignProgram mounting = SmallDisk.mounting();
        Path state = Files.createDirectory(site.state());
        try (RunningProgram gateway = site.startBy(mounting, CERTIFICATE, SmallDisk.at(state))) {
            Path filler = SmallDisk.of(gateway.pid(), state).resolve("filler");
            SmallDisk.fill(filler);
            try (Pebble pebble = site.pebble("")) {
                gateway.awaitOutput("No space left on device", LONG);
                X509Certificate served = site.presented();
                assertThat(served.getIssuerX500Principal()).isEqualTo(served.getSubjectX500Principal());
                assertThat(pebble.orders()).isZero();

                Files.delete(filler);
                site.awaitIssuedBy(pebble, gateway);
                assertThat(pebble.orders()).isOne();
                AcmeGateway.stop(gateway);
            }
        }
    }
}
