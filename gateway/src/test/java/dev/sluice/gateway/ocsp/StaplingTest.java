package dev.sluice.gateway.ocsp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.certificate.CertificateOcsp;
import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.certificate.RevocationFacts;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.OcspConfig;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.certificate.StapleSlot;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetching, keeping and letting go, by a clock that the test sets, unless a test is about threads. */
class StaplingTest {
    private static final Duration LIMIT = Waiting.LIMIT;
    private static final Duration SOON = Duration.ofMillis(500);
    private static final Duration HALF = TestAnswers.LIFE.dividedBy(2);

    @TempDir
    Path directory = Path.of("");

    private final Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private volatile Instant now = start;
    private final Lines lines = new Lines();
    private final List<Stapling> made = new ArrayList<>();
    private final ResponderDouble responder = ResponderDouble.behaving(
            ResponderDouble.answering(request -> TestAnswers.good(now).to(request)));
    private final Credential certificate =
            TestCertificates.shared().issue(CertificateRequest.named("stapled").viaIntermediate());

    @AfterEach
    void close() throws IOException {
        made.forEach(Stapling::close);
        responder.close();
    }

    @Test
    void aResponseIsFetchedAndAgainAtHalfOfItsLife() throws Exception {
        Stapling stapling = driven();
        StapleSlot slot = serve(stapling);
        assertThat(responder.requests()).isZero();

        stapling.refreshDue();
        assertThat(slot.until()).isEqualTo(start.plus(TestAnswers.LIFE));
        assertThat(Duration.between(start, stapling.nextDue()))
                .isBetween(
                        HALF.multipliedBy(9).dividedBy(10),
                        HALF.multipliedBy(11).dividedBy(10));

        now = Objects.requireNonNull(stapling.nextDue());
        assertThat(stapling.oldest()).isEqualTo(Duration.between(start, now));
        stapling.refreshDue();
        assertThat(slot.until()).isEqualTo(now.truncatedTo(ChronoUnit.SECONDS).plus(TestAnswers.LIFE));
        assertThat(responder.requests()).isEqualTo(2);
        assertThat(stapling.fetched()).isEqualTo(2);
        assertThat(stapling.oldest()).isZero();
        assertThat(lines.infos).singleElement().asString().contains("certificate shop (EC)", "stapled, good until");
        assertThat(lines.warnings).isEmpty();
    }

    @Test
    void aResponderThatIsDownForDaysIsAskedLessAndLessAndTheStapleGoesWhenItsTimeIsOver() throws Exception {
        Stapling stapling = driven();
        StapleSlot slot = serve(stapling);
        stapling.refreshDue();
        responder.behave(ResponderDouble.refusing("503 Service Unavailable"));

        Instant end = start.plus(Duration.ofDays(5));
        Duration longest = Duration.ZERO;
        while (now.isBefore(end)) {
            Instant next = Objects.requireNonNull(stapling.nextDue());
            longest = now.equals(start) ? longest : max(longest, Duration.between(now, next));
            now = next;
            stapling.refreshDue();
            assertThat(slot.until() != null).isEqualTo(now.isBefore(start.plus(TestAnswers.LIFE)));
        }

        assertThat(longest)
                .isBetween(
                        RefreshTimes.RETRY_MAX,
                        RefreshTimes.RETRY_MAX.multipliedBy(11).dividedBy(10));
        assertThat(responder.requests()).isBetween(100, 150);
        assertThat(stapling.failed()).isEqualTo(responder.requests() - 1);
        assertThat(stapling.stapled()).isZero();
        assertThat(lines.warnings).hasSize(2);
        assertThat(lines.warnings.getFirst()).contains("HTTP status 503", "the response from before is stapled until");
        assertThat(lines.warnings.getLast()).contains("nothing is stapled");

        responder.behave(
                ResponderDouble.answering(request -> TestAnswers.good(now).to(request)));
        now = Objects.requireNonNull(stapling.nextDue());
        stapling.refreshDue();
        assertThat(slot.until()).isNotNull();
        assertThat(lines.infos).hasSize(2);
    }

    private static Duration max(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    @Test
    void noLieIsStapled() throws Exception {
        TestAnswers good = TestAnswers.good(start);
        List<TestAnswers> lies = List.of(
                good.aboutAnother(),
                good.unknown(),
                good.until(start),
                good.signedBy(TestCertificates.shared().ocspSigner(false)));
        Stapling stapling = driven();
        StapleSlot slot = serve(stapling);
        for (TestAnswers lie : lies) {
            responder.behave(ResponderDouble.answering(lie::to));
            stapling.refreshDue();
            now = Objects.requireNonNull(stapling.nextDue());
        }
        responder.behave(ResponderDouble.answering(request -> TestAnswers.refusal(OCSPResp.TRY_LATER)));
        stapling.refreshDue();

        assertThat(slot.until()).isNull();
        assertThat(stapling.failed()).isEqualTo(lies.size() + 1);
        assertThat(lines.warnings).hasSize(lies.size() + 1);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void aLieOrAnOlderTruthDoesNotDisplaceWhatIsStapled() throws Exception {
        Stapling stapling = driven();
        StapleSlot slot = serve(stapling);
        stapling.refreshDue();
        Instant until = slot.until();
        now = Objects.requireNonNull(stapling.nextDue());

        responder.behave(ResponderDouble.answering(TestAnswers.good(now).unknown()::to));
        stapling.refreshDue();
        assertThat(slot.until()).isEqualTo(until);
        assertThat(stapling.failed()).isEqualTo(1);

        now = Objects.requireNonNull(stapling.nextDue());
        responder.behave(ResponderDouble.answering(TestAnswers.good(start.minusSeconds(60))::to));
        stapling.refreshDue();
        assertThat(slot.until()).isEqualTo(until);
        assertThat(stapling.failed()).isEqualTo(1);
    }

    @Test
    void aRevocationTakesTheStapleAwayAtOnceAndCannotBeTakenBackByAnOlderAnswer() throws Exception {
        Stapling stapling = driven();
        StapleSlot slot = serve(stapling);
        stapling.refreshDue();
        now = Objects.requireNonNull(stapling.nextDue());
        responder.behave(ResponderDouble.answering(TestAnswers.good(now).revoked()::to));

        stapling.refreshDue();
        assertThat(slot.until()).isNull();
        assertThat(kept()).doesNotExist();
        assertThat(lines.warnings).singleElement().asString().contains("IS REVOKED (since", "keyCompromise");

        now = Objects.requireNonNull(stapling.nextDue());
        responder.behave(ResponderDouble.answering(TestAnswers.good(start)::to));
        stapling.refreshDue();
        assertThat(slot.until()).isNull();
        assertThat(lines.warnings.getLast()).contains("older than the one");

        now = Objects.requireNonNull(stapling.nextDue());
        responder.behave(ResponderDouble.answering(TestAnswers.good(now)::to));
        stapling.refreshDue();
        assertThat(slot.until()).isNotNull();
    }

    @Test
    void aCertificateThatDemandsAStapleIsWarnedAboutAsLongAsItHasNone() throws Exception {
        Credential strict = TestCertificates.shared()
                .issue(CertificateRequest.named("strict").viaIntermediate().mustStaple());
        responder.behave(ResponderDouble.refusing("404 Not Found"));
        Stapling stapling = driven();
        serve(stapling, strict, config());
        stapling.refreshDue();

        assertThat(lines.warnings).singleElement().asString().contains("RFC 7633", "clients refuse it");
    }

    /** Alerts advise by what is known of the last attempt. */
    @Test
    void whyTheLastAttemptFailedIsTold() throws Exception {
        TestAnswers good = TestAnswers.good(start);
        Map<OcspFailure, ResponderDouble.Behaviour> behaviours = new EnumMap<>(OcspFailure.class);
        behaviours.put(OcspFailure.NO_ANSWER, (request, connection) -> connection.close());
        behaviours.put(OcspFailure.HTTP_STATUS, ResponderDouble.refusing("403 Forbidden"));
        behaviours.put(OcspFailure.MALFORMED, ResponderDouble.answering(request -> "<html>".getBytes(UTF_8)));
        behaviours.put(
                OcspFailure.REFUSED, ResponderDouble.answering(request -> TestAnswers.refusal(OCSPResp.TRY_LATER)));
        behaviours.put(OcspFailure.OTHER_CERTIFICATE, ResponderDouble.answering(good.aboutAnother()::to));
        behaviours.put(
                OcspFailure.SIGNATURE,
                ResponderDouble.answering(
                        good.signedBy(TestCertificates.shared().ocspSigner(false))::to));
        behaviours.put(OcspFailure.CERTIFICATE_UNKNOWN, ResponderDouble.answering(good.unknown()::to));
        behaviours.put(OcspFailure.OUTDATED, ResponderDouble.answering(good.until(start)::to));
        behaviours.put(
                OcspFailure.NOT_YET_VALID,
                ResponderDouble.answering(request ->
                        TestAnswers.good(now.plus(Duration.ofHours(1))).to(request)));
        behaviours.put(
                OcspFailure.REVOKED,
                ResponderDouble.answering(
                        request -> TestAnswers.good(now).revoked().to(request)));
        Stapling stapling = driven();
        serve(stapling);

        for (Map.Entry<OcspFailure, ResponderDouble.Behaviour> each : behaviours.entrySet()) {
            responder.behave(each.getValue());
            stapling.refreshDue();
            assertThat(failure(stapling)).isEqualTo(each.getKey());
            now = Objects.requireNonNull(stapling.nextDue());
        }
        responder.close();
        stapling.refreshDue();
        assertThat(failure(stapling)).isEqualTo(OcspFailure.NO_CONNECTION);
    }

    private static @Nullable OcspFailure failure(Stapling stapling) {
        return stapling.standings().getFirst().failure();
    }

    @Test
    void aGoodAnswerEndsATrouble() throws Exception {
        responder.behave(ResponderDouble.refusing("503 Service Unavailable"));
        Stapling stapling = driven();
        serve(stapling);
        stapling.refreshDue();
        assertThat(failure(stapling)).isEqualTo(OcspFailure.HTTP_STATUS);

        responder.behave(
                ResponderDouble.answering(request -> TestAnswers.good(now).to(request)));
        now = Objects.requireNonNull(stapling.nextDue());
        stapling.refreshDue();
        assertThat(failure(stapling)).isNull();
        assertThat(stapling.standings().getFirst().lifetime()).isEqualTo(TestAnswers.LIFE);
    }

    /** A responder whose signer has stopped gives out what it has, until that has ended. */
    @Test
    void anAnswerThatStaysTheSameNearItsEndIsToldOf() throws Exception {
        responder.behave(ResponderDouble.answering(TestAnswers.good(start)::to));
        Stapling stapling = driven();
        serve(stapling);
        Instant nearEnd = start.plus(TestAnswers.LIFE.multipliedBy(3).dividedBy(4));
        stapling.refreshDue();
        while (now.isBefore(nearEnd)) {
            assertThat(failure(stapling)).isNull();
            now = Objects.requireNonNull(stapling.nextDue());
            stapling.refreshDue();
        }
        assertThat(failure(stapling)).isEqualTo(OcspFailure.NOT_RENEWED);
        assertThat(stapling.failed()).isZero();

        responder.behave(
                ResponderDouble.answering(request -> TestAnswers.good(now).to(request)));
        now = Objects.requireNonNull(stapling.nextDue());
        stapling.refreshDue();
        assertThat(failure(stapling)).isNull();
    }

    @Test
    void anIssuerThatIsNotInTheChainCanBeNamed() throws Exception {
        Credential issuer = TestCertificates.shared().intermediateAuthority();
        Credential alone = new Credential(
                certificate.chainFile(), certificate.keyFile(), List.of(certificate.certificate()), certificate.key());
        Stapling without = driven();
        serve(without, alone, config());
        without.refreshDue();
        assertThat(lines.warnings)
                .singleElement()
                .asString()
                .contains("its issuer is not known", "ocsp: {issuer: FILE}");
        assertThat(failure(without)).isEqualTo(OcspFailure.ISSUER_UNKNOWN);

        Stapling with = driven();
        CertificateOcsp naming = new CertificateOcsp(true, responder.uri(), issuer.chainFile());
        StapleSlot slot = serve(with, alone, config(), naming);
        with.refreshDue();
        assertThat(slot.until()).isNotNull();
    }

    // --- on disk ----------------------------------------------------------------------------------------------------

    @Test
    void aRestartTakesUpWhatIsOnDiskAndNeedsNoResponder() throws Exception {
        Stapling before = driven();
        serve(before);
        before.refreshDue();
        assertThat(Files.getPosixFilePermissions(kept())).isEqualTo(PosixFilePermissions.fromString("rw-------"));

        now = start.plus(Duration.ofHours(1));
        Stapling after = driven();
        StapleSlot slot = serve(after);
        after.refreshDue();

        assertThat(responder.requests()).isEqualTo(1);
        assertThat(slot.until()).isEqualTo(start.plus(TestAnswers.LIFE));
        assertThat(after.oldest()).isEqualTo(Duration.ofHours(1));
        assertThat(after.nextDue()).isAfter(now).isBefore(start.plus(HALF.multipliedBy(2)));
    }

    @Test
    void aRestartBehindTheHalfStaplesWhatIsThereAndAsksAtOnce() throws Exception {
        Stapling before = driven();
        serve(before);
        before.refreshDue();
        responder.behave(ResponderDouble.refusing("503 Service Unavailable"));

        now = start.plus(Duration.ofHours(20));
        Stapling after = driven();
        StapleSlot slot = serve(after);
        after.refreshDue();

        assertThat(responder.requests()).isEqualTo(2);
        assertThat(slot.until()).isEqualTo(start.plus(TestAnswers.LIFE));
    }

    @Test
    void whatWasKeptForTooLongIsNotUsedAndRemoved() throws Exception {
        responder.behave(ResponderDouble.answering(TestAnswers.good(start).until(start.plus(Duration.ofDays(30)))::to));
        Stapling before = driven();
        serve(before);
        before.refreshDue();
        Path stranger = Files.writeString(directory.resolve("note.txt"), "mine");
        responder.behave(ResponderDouble.refusing("503 Service Unavailable"));

        now = start.plus(Duration.ofHours(73));
        Stapling after = driven();
        StapleSlot slot = serve(after);
        after.refreshDue();

        assertThat(slot.until()).isNull();
        assertThat(kept()).doesNotExist();
        assertThat(stranger).exists();
    }

    @Test
    void whatLiesOnDiskIsVerifiedAgain() throws Exception {
        Stapling before = driven();
        serve(before);
        before.refreshDue();
        Files.write(
                kept(),
                TestAnswers.good(start)
                        .signedBy(TestCertificates.shared().ocspSigner(false))
                        .about(certificate));
        responder.behave(ResponderDouble.refusing("503 Service Unavailable"));
        Stapling stapling = driven();
        StapleSlot slot = serve(stapling);
        stapling.refreshDue();

        assertThat(slot.until()).isNull();
        assertThat(lines.infos).last().asString().contains("is not used", "id-kp-OCSPSigning");
    }

    @Test
    void aDirectoryThatCannotBeWrittenToCostsNothingButALine() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "no directory");
        Stapling stapling = driven();
        StapleSlot slot = serve(stapling, certificate, new OcspConfig(Duration.ofDays(3), file));
        stapling.refreshDue();

        assertThat(slot.until()).isNotNull();
        assertThat(lines.warnings).singleElement().asString().contains("cannot be kept in " + file);
    }

    // --- reloads ----------------------------------------------------------------------------------------------------

    @Test
    void aReloadKeepsWhatIsStapledToCertificatesThatStay() throws Exception {
        Stapling stapling = driven();
        StapleSlot slot = serve(stapling);
        stapling.refreshDue();

        assertThat(serve(stapling)).isSameAs(slot);
        stapling.refreshDue();
        assertThat(responder.requests()).isEqualTo(1);

        Credential renewed = TestCertificates.shared()
                .issue(CertificateRequest.named("renewed").viaIntermediate());
        StapleSlot other = serve(stapling, renewed, config());
        stapling.refreshDue();
        assertThat(other.until()).as("%s", lines.warnings).isNotNull();
        assertThat(stapling.certificates()).isEqualTo(1);
        now = start.plus(Duration.ofDays(2));
        stapling.refreshDue();
        assertThat(responder.requests()).as("nobody asks about the old one").isEqualTo(3);
    }

    @Test
    void aRoundThatIsNotServedLeavesNoTrace() throws Exception {
        Stapling stapling = driven();
        slot(stapling.round(config()), certificate, asking());

        assertThat(stapling.nextDue()).isNull();
        assertThat(stapling.certificates()).isZero();
    }

    @Test
    void aReloadTriesAgainAtOnceWhatFailed() throws Exception {
        responder.behave(ResponderDouble.refusing("503 Service Unavailable"));
        Stapling stapling = driven();
        StapleSlot slot = serve(stapling);
        stapling.refreshDue();
        responder.behave(ResponderDouble.answering(TestAnswers.good(now)::to));

        serve(stapling);
        stapling.refreshDue();
        assertThat(slot.until()).isNotNull();
    }

    @Test
    void whatIsTurnedOffIsNotAskedAbout() {
        Stapling stapling = driven();
        assertThat(stapling.round(null).source(config(certificate, asking()))).isNull();
        assertThat(stapling.round(config()).source(config(certificate, CertificateOcsp.OFF)))
                .isNull();
        assertThat(stapling.round(config()).source(config(certificate, CertificateOcsp.DEFAULT)))
                .as("it names no responder")
                .isNull();
    }

    // --- threads ----------------------------------------------------------------------------------------------------

    @Test
    void aResponderThatHangsHoldsUpNobodyElse() throws Exception {
        try (ResponderDouble hanging = ResponderDouble.behaving(ResponderDouble.hanging())) {
            Stapling stapling = threaded(2, LIMIT.multipliedBy(10));
            StapleRound round = stapling.round(config());
            slot(round, certificate, new CertificateOcsp(true, hanging.uri(), null));
            Credential second = TestCertificates.shared()
                    .issue(CertificateRequest.named("stapled-too").viaIntermediate());
            StapleSlot other = slot(round, second, asking());
            round.commit();

            Waiting.until(
                    LIMIT,
                    () -> other.until() != null && hanging.requests() == 1,
                    () -> lines.warnings + ", requests=" + hanging.requests());
            assertThat(stapling.failed()).isZero();
        }
    }

    @Test
    void aResponderThatHangsIsGivenUp() {
        responder.behave(ResponderDouble.hanging());
        Stapling stapling = threaded(1, SOON);
        serve(stapling);

        await(() -> stapling.failed() == 1);
        assertThat(lines.warnings).singleElement().asString().contains("no answer within 500 ms");
    }

    @Test
    void anAnswerThatNeverEndsIsGivenUpToo() {
        responder.behave((request, connection) -> {
            OutputStream to = connection.getOutputStream();
            to.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            while (true) {
                to.write('x');
                to.flush();
                Thread.sleep(50);
            }
        });
        Stapling stapling = threaded(1, SOON);
        serve(stapling);

        await(() -> stapling.failed() == 1);
        assertThat(lines.warnings).singleElement().asString().contains("no answer within 500 ms");
    }

    @Test
    void anAnswerThatIsTooLongIsNotTaken() {
        responder.behave(ResponderDouble.answering(request -> new byte[StapleSlot.MAX_BYTES + 1]));
        Stapling stapling = threaded(1, LIMIT.multipliedBy(10));
        serve(stapling);

        await(() -> stapling.failed() == 1);
        assertThat(lines.warnings).singleElement().asString().contains("no answer (");
        assertThat(failure(stapling)).isEqualTo(OcspFailure.MALFORMED);
    }

    @Test
    void theEndDoesNotWaitForAResponder() {
        responder.behave(ResponderDouble.hanging());
        Stapling stapling = threaded(1, LIMIT.multipliedBy(10));
        serve(stapling);
        await(() -> responder.requests() == 1);

        stapling.close();

        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("HttpClient"));
        assertThat(lines.warnings).isEmpty();
    }

    // --- helpers ----------------------------------------------------------------------------------------------------

    private Stapling driven() {
        return threaded(0, LIMIT);
    }

    private Stapling threaded(int workers, Duration answerLimit) {
        Stapling stapling = new Stapling(() -> now, lines, answerLimit, workers);
        made.add(stapling);
        return stapling;
    }

    private OcspConfig config() {
        return new OcspConfig(Duration.ofDays(3), directory);
    }

    private CertificateOcsp asking() {
        return new CertificateOcsp(true, responder.uri(), null);
    }

    /** The file of what is stapled to {@link #certificate}. */
    private Path kept() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".ocsp"))
                    .findFirst()
                    .orElse(directory.resolve("none"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private StapleSlot serve(Stapling stapling) {
        return serve(stapling, certificate, config());
    }

    private StapleSlot serve(Stapling stapling, Credential served, OcspConfig config) {
        return serve(stapling, served, config, asking());
    }

    private StapleSlot serve(Stapling stapling, Credential served, OcspConfig config, CertificateOcsp ocsp) {
        StapleRound round = stapling.round(config);
        StapleSlot slot = slot(round, served, ocsp);
        round.commit();
        return slot;
    }

    private static StapleSlot slot(StapleRound round, Credential served, CertificateOcsp ocsp) {
        CertificateConfig config = config(served, ocsp);
        KeyPairFiles pair = config.keyPairs().getFirst();
        try {
            StapleSlot slot =
                    round.add(config, pair, Objects.requireNonNull(round.responder(config, pair)), pem(served));
            String sha256 = HexFormat.ofDelimiter(":")
                    .withUpperCase()
                    .formatHex(MessageDigest.getInstance("SHA-256")
                            .digest(served.certificate().getEncoded()));
            assertThat(Objects.requireNonNull(round.source(config)).slot(sha256))
                    .isSameAs(slot);
            return slot;
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static CertificateConfig config(Credential served, CertificateOcsp ocsp) {
        KeyPairFiles pair = new KeyPairFiles(
                served.chainFile(),
                served.keyFile(),
                "EC",
                Instant.MIN,
                Instant.MAX,
                RevocationFacts.of(served.certificate()));
        return new CertificateConfig("shop", List.of(pair), List.of(), ocsp);
    }

    /** The chain as it stands in memory, whatever the file says. */
    private static byte[] pem(Credential served) {
        StringBuilder text = new StringBuilder();
        try {
            for (X509Certificate each : served.chain()) {
                text.append("-----BEGIN CERTIFICATE-----\n")
                        .append(Base64.getMimeEncoder().encodeToString(each.getEncoded()))
                        .append("\n-----END CERTIFICATE-----\n");
            }
        } catch (CertificateEncodingException e) {
            throw new AssertionError(e);
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static void await(BooleanSupplier condition) {
        Waiting.until(LIMIT, condition, () -> "it did not come to that");
    }
}
