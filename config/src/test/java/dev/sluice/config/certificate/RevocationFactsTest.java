package dev.sluice.config.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.net.URI;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A certificate's statements on its revocation. */
class RevocationFactsTest {
    private static final TestCertificates CERTIFICATES = TestCertificates.shared();

    @Test
    void readsExtensionsOfBouncyCastle() {
        Credential all = CERTIFICATES.issue(CertificateRequest.named("facts-all")
                .askingAt("http://ocsp.example/")
                .mustStaple());
        Credential strict =
                CERTIFICATES.issue(CertificateRequest.named("facts-strict").mustStaple());

        assertThat(RevocationFacts.of(all.certificate()))
                .isEqualTo(new RevocationFacts(URI.create("http://ocsp.example/"), true));
        assertThat(RevocationFacts.of(strict.certificate())).isEqualTo(new RevocationFacts(null, true));
        assertThat(RevocationFacts.of(CERTIFICATES.server().certificate())).isEqualTo(RevocationFacts.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://ocsp.example/", "ldap://ocsp.example/", "http://a b/", "no URL"})
    void ignoresAResponderWithoutHttp(String responder) {
        Credential credential = CERTIFICATES.issue(
                CertificateRequest.named("facts-" + responder.hashCode()).askingAt(responder));

        assertThat(RevocationFacts.of(credential.certificate()).responder()).isNull();
    }

    /** A long URL has a length of two bytes. */
    @Test
    void readsLongLengths() {
        String responder = "http://ocsp.example/" + "a".repeat(300);
        Credential credential =
                CERTIFICATES.issue(CertificateRequest.named("facts-long").askingAt(responder));

        assertThat(RevocationFacts.of(credential.certificate()).responder()).isEqualTo(URI.create(responder));
    }

    @Test
    void rejectsNoiseByAnIllegalArgument() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            byte[] noise = new byte[random.nextInt(12)];
            random.nextBytes(noise);
            try {
                DerReader reader = new DerReader(noise);
                while (reader.hasMore()) {
                    reader.enter(reader.tag()).contents();
                }
            } catch (IllegalArgumentException expected) {
                assertThat(expected).hasMessageContaining("DER");
            }
        }
    }
}
