package dev.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.config.KeyPairFiles;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenSslCheckTest {
    private final OpenSslCheck check = new OpenSslCheck();
    private final Credential server = TestCertificates.shared().server();

    @TempDir
    Path directory = Path.of("");

    @Test
    void takesWhatFits() {
        assertThat(check.keyPairProblem(pair(server.chainFile(), server.keyFile())))
                .isNull();
        assertThat(check.ciphersProblem(List.of("TLS_AES_128_GCM_SHA256", "ECDHE-ECDSA-AES128-GCM-SHA256")))
                .isNull();
        assertThat(check.groupsProblem(List.of("X25519", "P-256"))).isNull();
        assertThat(check.clientCaProblem(TestCertificates.shared().rootFile())).isNull();
    }

    @Test
    void takesACertificateThatHasExpired() {
        Credential expired = TestCertificates.shared().expiredServer();

        assertThat(check.keyPairProblem(pair(expired.chainFile(), expired.keyFile())))
                .isNull();
    }

    @Test
    void namesBothFilesOfAPairThatDoesNotFit() {
        Path otherKey = TestCertificates.shared().serverRsa().keyFile();

        assertThat(check.keyPairProblem(pair(server.chainFile(), otherKey)))
                .contains("key does not fit certificate")
                .contains(server.chainFile().toString())
                .contains(otherKey.toString());
    }

    @Test
    void namesAKeyThatIsNone() throws IOException {
        Path rubbish = Files.writeString(directory.resolve("rubbish.key"), "rubbish");

        assertThat(check.keyPairProblem(pair(server.chainFile(), rubbish))).contains(rubbish.toString());
    }

    @Test
    void namesTheSuiteAndTheGroupThatAreUnknown() {
        assertThat(check.ciphersProblem(List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_512_GCM_SHA999")))
                .contains("\"TLS_AES_512_GCM_SHA999\" is unknown to OpenSSL 3");
        assertThat(check.ciphersProblem(List.of("ECDHE-FOO"))).contains("\"ECDHE-FOO\" is unknown to OpenSSL 3");
        assertThat(check.groupsProblem(List.of("X25519", "Y25519"))).contains("\"Y25519\" is unknown to OpenSSL 3");
    }

    @Test
    void namesAFileOfAuthoritiesThatHoldsNone() throws IOException {
        Path rubbish = Files.writeString(directory.resolve("rubbish.pem"), "rubbish");

        assertThat(check.clientCaProblem(rubbish)).contains(rubbish.toString());
    }

    private static KeyPairFiles pair(Path chain, Path key) {
        return new KeyPairFiles(chain, key, "EC", Instant.MIN, Instant.MAX);
    }
}
