package dev.sluice.gateway.ocsp;

import static dev.sluice.testkit.FuzzProperty.check;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A fuzzer of a responder's bytes, which become the staple. They are refused by an {@link OcspException}, or say what
 * one of the genuine responses of the corpus says: nobody here has the key that they are signed with.
 *
 * <p>Input: the response. The corpus is from {@code openssl ocsp}, about a certificate that was made for it and whose
 * authority's key was not kept: good, revoked and unknown, signed by the authority and by whom it lets sign, which is
 * named by its subject or key, with SHA-1 and SHA-256 as the hash of the issuer.
 */
public final class OcspResponseFuzzer {
    /** A day on which the responses of the corpus hold. */
    private static final Instant NOW = Instant.parse("2026-11-28T00:00:00Z");

    private static final Path CORPUS = Path.of("src", "test", "fuzz", "ocsp_response");
    private static final StatusQuestion QUESTION = question();
    private static final Set<StatusAnswer> TRUTHS = truths();

    private OcspResponseFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        try {
            StatusAnswer answer = QUESTION.check(bytes, NOW);
            check(TRUTHS.contains(answer), "an answer that nobody has signed: " + answer);
        } catch (OcspException refused) {
            check(!String.valueOf(refused.getMessage()).isEmpty(), "no reason");
        }
    }

    private static StatusQuestion question() {
        try {
            return new StatusQuestion(certificate("fuzz-server.pem"), certificate("fuzz-issuer.pem"));
        } catch (OcspException e) {
            throw new IllegalStateException(e);
        }
    }

    private static X509Certificate certificate(String name) {
        try (InputStream input = Objects.requireNonNull(OcspResponseFuzzer.class.getResourceAsStream(name), name)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(input);
        } catch (IOException | CertificateException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Set<StatusAnswer> truths() {
        try (Stream<Path> files = Files.list(CORPUS)) {
            Set<StatusAnswer> truths = files.filter(
                            file -> file.getFileName().toString().startsWith("genuine-"))
                    .map(OcspResponseFuzzer::answer)
                    .collect(Collectors.toSet());
            check(
                    truths.stream()
                            .map(StatusAnswer::status)
                            .collect(Collectors.toSet())
                            .containsAll(List.of(StatusAnswer.Status.values())),
                    "genuine responses are refused");
            return truths;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static StatusAnswer answer(Path file) {
        try {
            return QUESTION.check(Files.readAllBytes(file), NOW);
        } catch (IOException | OcspException e) {
            throw new IllegalStateException("a genuine response is refused: " + file, e);
        }
    }
}
