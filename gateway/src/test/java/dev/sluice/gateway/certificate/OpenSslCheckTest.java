package dev.sluice.gateway.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.certificate.CertificateFiles;
import dev.sluice.config.certificate.CertificateFindings;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenSslCheckTest {
    private final OpenSslCheck check = new OpenSslCheck();
    private final Credential server = TestCertificates.shared().server();

    @TempDir
    Path directory = Path.of("");

    @AfterEach
    void forget() {
        check.close();
    }

    @Test
    void takesWhatFits() {
        CertificateFindings found = check.certificate(pair(server.chainFile(), server.keyFile()));
        assertThat(found.problem()).isNull();
        assertThat(found.certificate()).isEqualTo(server.certificate());
        assertThat(check.ciphersProblem(List.of("TLS_AES_128_GCM_SHA256", "ECDHE-ECDSA-AES128-GCM-SHA256")))
                .isNull();
        assertThat(check.groupsProblem(List.of("X25519", "P-256"))).isNull();
        assertThat(check.clientCaProblem(TestCertificates.shared().rootFile())).isNull();
    }

    @Test
    void readsAgainOnlyWhatHasChanged() throws IOException {
        Path chain = Files.copy(server.chainFile(), directory.resolve("again.pem"));
        CertificateFiles files = pair(chain, server.keyFile());
        assertThat(check.certificate(files).problem()).isNull();
        Files.writeString(chain, "no certificate");

        try (OpenSslCheck trusting = OpenSslCheck.ofRenewal(check, file -> true);
                OpenSslCheck looking = OpenSslCheck.ofRenewal(check, file -> !file.equals(chain))) {
            assertThat(trusting.certificate(files).certificate()).isEqualTo(server.certificate());
            assertThat(looking.certificate(files).problem()).contains(chain.toString());
            check.close();
            assertThat(trusting.loaded().of(files).chainPem()).isNotEmpty();
        }
    }

    @Test
    void takesACertificateThatHasExpired() {
        Credential expired = TestCertificates.shared().expiredServer();

        assertThat(check.certificate(pair(expired.chainFile(), expired.keyFile()))
                        .problem())
                .isNull();
    }

    @Test
    void namesBothFilesOfAPairThatDoesNotFit() {
        Path otherKey = TestCertificates.shared().serverRsa().keyFile();

        assertThat(check.certificate(pair(server.chainFile(), otherKey)).problem())
                .contains("key does not fit certificate")
                .contains(server.chainFile().toString())
                .contains(otherKey.toString());
    }

    @Test
    void namesAKeyThatIsNone() throws IOException {
        Path rubbish = Files.writeString(directory.resolve("rubbish.key"), "rubbish");

        assertThat(check.certificate(pair(server.chainFile(), rubbish)).problem())
                .contains(rubbish.toString());
    }

    @Test
    void namesTheSuiteAndTheGroupThatAreUnknown() {
        assertThat(check.ciphersProblem(List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_512_GCM_SHA999")))
                .contains("\"TLS_AES_512_GCM_SHA999\" is unknown to OpenSSL ");
        assertThat(check.ciphersProblem(List.of("ECDHE-FOO"))).contains("\"ECDHE-FOO\" is unknown to OpenSSL ");
        assertThat(check.groupsProblem(List.of("X25519", "Y25519"))).contains("\"Y25519\" is unknown to OpenSSL ");
    }

    @Test
    void namesAFileOfAuthoritiesThatHoldsNone() throws IOException {
        Path rubbish = Files.writeString(directory.resolve("rubbish.pem"), "rubbish");

        assertThat(check.clientCaProblem(rubbish)).contains(rubbish.toString());
    }

    private static CertificateFiles pair(Path chain, Path key) {
        return CertificateFiles.pem(chain, key);
    }
}
