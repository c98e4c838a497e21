package dev.sluice.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevelopmentCertificateTest {
    @TempDir
    Path directory;

    @Test
    void createsASelfSignedServerCertificateThatTheJdkReads() throws Exception {
        DevelopmentCertificate made = DevelopmentCertificate.in(directory.resolve("state"));

        X509Certificate certificate = read(made.chainFile());
        certificate.verify(certificate.getPublicKey());
        certificate.checkValidity();
        assertThat(certificate.getPublicKey()).isInstanceOf(ECPublicKey.class);
        assertThat(certificate.getSigAlgName()).isEqualTo("SHA256withECDSA");
        assertThat(certificate.getVersion()).isEqualTo(3);
        assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
        assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(certificate.getSubjectAlternativeNames())
                .extracting(name -> String.valueOf(name.get(1)))
                .containsExactly("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");
        assertThat(certificate.getNotAfter().toInstant())
                .isBetween(
                        Instant.now().plus(Duration.ofDays(396)), Instant.now().plus(Duration.ofDays(398)));
        assertThat(made.notBefore()).isEqualTo(certificate.getNotBefore().toInstant());
        assertThat(made.notAfter()).isEqualTo(certificate.getNotAfter().toInstant());
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
        assertThat(made.sha256())
                .isEqualTo(HexFormat.ofDelimiter(":").withUpperCase().formatHex(digest));
        assertThat(made.created()).isTrue();
    }

    @Test
    void hidesItsKeyFromOtherUsers() throws Exception {
        DevelopmentCertificate made = DevelopmentCertificate.in(directory.resolve("state"));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made.keyFile())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("state"))))
                .isEqualTo("rwx------");
    }

    @Test
    void reusesItAndReplacesADamagedOne() throws Exception {
        DevelopmentCertificate first = DevelopmentCertificate.in(directory);
        DevelopmentCertificate second = DevelopmentCertificate.in(directory);
        Files.writeString(first.keyFile(), "nonsense");
        DevelopmentCertificate third = DevelopmentCertificate.in(directory);

        assertThat(second.created()).isFalse();
        assertThat(second.sha256()).isEqualTo(first.sha256());
        assertThat(third.created()).isTrue();
        assertThat(third.sha256()).isNotEqualTo(first.sha256());
    }

    @Test
    void replacesItNearItsExpiry() throws Exception {
        DevelopmentCertificate first = DevelopmentCertificate.in(directory);
        Credential ending = TestCertificates.shared()
                .issue(CertificateRequest.named("development-ending").valid(-60, 29));
        Credential lasting = TestCertificates.shared()
                .issue(CertificateRequest.named("development-lasting").valid(-60, 31));

        Files.copy(lasting.chainFile(), first.chainFile(), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(lasting.keyFile(), first.keyFile(), StandardCopyOption.REPLACE_EXISTING);
        assertThat(DevelopmentCertificate.in(directory).created()).isFalse();

        Files.copy(ending.chainFile(), first.chainFile(), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(ending.keyFile(), first.keyFile(), StandardCopyOption.REPLACE_EXISTING);
        assertThat(DevelopmentCertificate.in(directory).created()).isTrue();
    }

    @Test
    void rejectsValiditiesThatBrowsersReject() {
        assertThatThrownBy(() -> DevelopmentCertificate.in(directory, List.of("localhost"), 398))
                .isInstanceOf(TlsConfigurationException.class)
                .hasMessageContaining("days=398");
    }

    @Test
    void namesADirectoryThatCannotBeWritten() throws Exception {
        Path file = Files.createFile(directory.resolve("occupied"));

        assertThatThrownBy(() -> DevelopmentCertificate.in(file.resolve("state")))
                .isInstanceOf(TlsConfigurationException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("state directory");
    }

    private static X509Certificate read(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }
}
