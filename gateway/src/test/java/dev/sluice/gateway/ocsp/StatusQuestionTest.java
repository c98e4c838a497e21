package dev.sluice.gateway.ocsp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gateway.ocsp.StatusAnswer.Status;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.CertificateRequest.KeyAlgorithm;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of which responses are accepted. */
@SuppressWarnings("TimeInStaticInitializer") // certificates are of today
class StatusQuestionTest {
    private static final TestCertificates CERTIFICATES = TestCertificates.shared();
    private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private static final TestAnswers GOOD = TestAnswers.good(NOW);

    private final Credential asked = CERTIFICATES.serverWithIntermediate();

    @Test
    void theIssuersAnswerIsBelieved() throws Exception {
        StatusAnswer answer = check(GOOD.about(asked), NOW);

        assertThat(answer).isEqualTo(new StatusAnswer(Status.GOOD, NOW, NOW.plus(TestAnswers.LIFE), ""));
        assertThat(check(GOOD.namingTheKey().about(asked), NOW)).isEqualTo(answer);
        assertThat(check(GOOD.to(question().request()), NOW)).isEqualTo(answer);
    }

    @Test
    void soIsWhomTheIssuerLetsSign() throws Exception {
        TestAnswers delegated = GOOD.signedBy(CERTIFICATES.ocspSigner(true));

        assertThat(check(delegated.about(asked), NOW).status()).isEqualTo(Status.GOOD);
        assertThat(check(delegated.namingTheKey().about(asked), NOW).status()).isEqualTo(Status.GOOD);
    }

    @Test
    void otherAnswersAreTold() throws Exception {
        assertThat(check(GOOD.revoked().about(asked), NOW))
                .isEqualTo(new StatusAnswer(
                        Status.REVOKED, NOW, NOW.plus(TestAnswers.LIFE), "since " + NOW + ", keyCompromise"));
        assertThat(check(GOOD.unknown().about(asked), NOW).status()).isEqualTo(Status.UNKNOWN);
        assertThat(check(GOOD.until(null).about(asked), NOW).end()).isEqualTo(NOW.plus(StatusQuestion.UNSAID_LIFE));
    }

    static Stream<Arguments> lies() {
        Credential strangers = new TestCertificates().intermediateAuthority();
        return Stream.of(
                Arguments.of(GOOD.aboutAnother(), "is about another certificate"),
                // Their authority has the same name as ours.
                Arguments.of(GOOD.signedBy(strangers), "does not verify"),
                Arguments.of(GOOD.signedBy(strangers).namingTheKey(), "does not know"),
                Arguments.of(GOOD.signedBy(CERTIFICATES.ocspSigner(false)), "id-kp-OCSPSigning"),
                Arguments.of(GOOD.signedBy(CERTIFICATES.ocspSigner(true)).withoutSigner(), "is not known"),
                Arguments.of(GOOD.signedBy(CERTIFICATES.server()), "does not know"),
                Arguments.of(GOOD.until(NOW), "out of date"),
                Arguments.of(TestAnswers.good(NOW.minus(Duration.ofDays(2))), "out of date"),
                Arguments.of(
                        TestAnswers.good(
                                NOW.plus(StatusQuestion.CLOCK_TOLERANCE).plusSeconds(1)),
                        "is yet to come"));
    }

    @ParameterizedTest
    @MethodSource("lies")
    void aLieIsNot(TestAnswers lie, String reason) throws Exception {
        byte[] response = lie.about(asked);

        assertThatThrownBy(() -> check(response, NOW))
                .isInstanceOf(OcspException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void aClockThatIsALittleAheadIsNoLie() throws Exception {
        TestAnswers ahead = TestAnswers.good(NOW.plus(StatusQuestion.CLOCK_TOLERANCE));

        assertThat(check(ahead.about(asked), NOW).status()).isEqualTo(Status.GOOD);
    }

    @Test
    void aSignersRightEndsWithItsCertificate() throws Exception {
        Instant later = NOW.plus(Duration.ofDays(40));
        byte[] response =
                TestAnswers.good(later).signedBy(CERTIFICATES.ocspSigner(true)).about(asked);

        assertThatThrownBy(() -> check(response, later)).hasMessageContaining("is not valid now");
    }

    @ParameterizedTest
    @CsvSource({
        OCSPResp.TRY_LATER + ", to try later",
        OCSPResp.UNAUTHORIZED + ", unauthorized",
        OCSPResp.MALFORMED_REQUEST + ", malformed",
        OCSPResp.INTERNAL_ERROR + ", internal error",
        OCSPResp.SIG_REQUIRED + ", signed"
    })
    void whoDoesNotAnswerSaysWhy(int status, String told) throws Exception {
        byte[] response = TestAnswers.refusal(status);

        assertThatThrownBy(() -> check(response, NOW))
                .isInstanceOf(OcspException.class)
                .hasMessageContaining(told);
    }

    /**
     * Whatever comes: an answer that is believed says what was signed, and nothing else is thrown than that it is not.
     */
    @Test
    void noByteCanBeChanged() throws Exception {
        byte[] response = GOOD.signedBy(CERTIFICATES.ocspSigner(true)).about(asked);
        StatusAnswer truth = check(response, NOW);
        Random random = new Random(4);
        for (int i = 0; i < response.length; i++) {
            byte[] changed = response.clone();
            changed[i] ^= (byte) (1 + random.nextInt(255));
            assertRefusedOrTrue(changed, truth);
            assertRefusedOrTrue(Arrays.copyOf(response, i), truth);
        }
        assertRefusedOrTrue("<html>not here</html>".getBytes(StandardCharsets.US_ASCII), truth);
    }

    private void assertRefusedOrTrue(byte[] response, StatusAnswer truth) throws OcspException {
        try {
            assertThat(check(response, NOW)).isEqualTo(truth);
        } catch (OcspException refused) {
            assertThat(refused).hasMessageMatching("(?s).*(answer).*");
        }
    }

    @ParameterizedTest
    @EnumSource(KeyAlgorithm.class)
    void everyKindOfCertificateCanBeAskedAbout(KeyAlgorithm algorithm) throws Exception {
        Credential other = CERTIFICATES.issue(
                CertificateRequest.named("ocsp-" + algorithm).with(algorithm).viaIntermediate());
        StatusQuestion question =
                new StatusQuestion(other.certificate(), other.chain().get(1));

        assertThat(question.check(GOOD.to(question.request()), NOW).status()).isEqualTo(Status.GOOD);
    }

    private StatusAnswer check(byte[] response, Instant at) throws OcspException {
        return question().check(response, at);
    }

    private StatusQuestion question() throws OcspException {
        return new StatusQuestion(asked.certificate(), asked.chain().get(1));
    }
}
