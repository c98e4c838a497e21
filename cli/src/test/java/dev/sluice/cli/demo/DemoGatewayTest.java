package dev.sluice.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.certificate.KeyPairFiles;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoGatewayTest {
    @TempDir
    Path directory = Path.of("");

    /** The dashboard shows how long the certificate is valid. */
    @Test
    void configuresTheCertificateWithItsValidity() throws IOException {
        try (DemoGateway demo = DemoGateway.prepare("127.0.0.1:0", directory)) {
            DevelopmentCertificate made = DevelopmentCertificate.in(directory);

            KeyPairFiles served =
                    demo.config().certificates().getFirst().keyPairs().getFirst();

            assertThat(served.notBefore()).isEqualTo(made.notBefore());
            assertThat(served.notAfter()).isEqualTo(made.notAfter());
        }
    }
}
