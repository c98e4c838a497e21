package dev.sluice.gateway.acme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.TestCertificates;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RenewalTimesTest {
    private final X509Certificate certificate = TestCertificates.shared()
            .issue(CertificateRequest.named("renewed").valid(-1, 89))
            .certificate();
    private final Instant begin = certificate.getNotBefore().toInstant();
    private final Instant end = certificate.getNotAfter().toInstant();

    @Test
    void renewsAroundTwoThirdsOfTheLifeWithoutASuggestion() {
        Duration life = Duration.between(begin, end);

        assertThat(RenewalTimes.renewal(certificate, null))
                .isBetween(
                        begin.plus(life.multipliedBy(62).dividedBy(100)),
                        begin.plus(life.multipliedBy(2).dividedBy(3)))
                .isEqualTo(RenewalTimes.renewal(certificate, null));
    }

    @Test
    void renewsWithinTheSuggestedWindow() {
        Instant start = begin.plus(Duration.ofDays(10));
        Instant last = begin.plus(Duration.ofDays(11));

        assertThat(RenewalTimes.renewal(certificate, new RenewalTimes.Window(start, last, end)))
                .isBetween(start, last);
    }

    @Test
    void renewsBeforeTheEndWhateverAServerSuggests() {
        Instant start = end.plus(Duration.ofDays(100));
        RenewalTimes.Window late = new RenewalTimes.Window(start, start.plus(Duration.ofDays(1)), end);
        RenewalTimes.Window reversed = new RenewalTimes.Window(start, begin, end);

        assertThat(RenewalTimes.renewal(certificate, late)).isBefore(end.minus(Duration.ofDays(8)));
        assertThat(RenewalTimes.renewal(certificate, reversed)).isEqualTo(RenewalTimes.renewal(certificate, null));
    }

    @Test
    void doublesThePauseUpToSixHours() {
        Duration first = Duration.ofMinutes(1);
        Random random = new Random(1);

        assertThat(RenewalTimes.retry(1, first, random)).isBetween(Duration.ofSeconds(48), Duration.ofSeconds(72));
        assertThat(RenewalTimes.retry(3, first, random)).isBetween(Duration.ofSeconds(192), Duration.ofSeconds(288));
        assertThat(RenewalTimes.retry(1_000, first, random))
                .isBetween(Duration.ofMinutes(288), Duration.ofMinutes(432));
    }
}
