package dev.sluice.config.certificate;

import dev.sluice.config.read.TlsCheck;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A TLS library that accepts everything, for tests of the reading of files. */
public class AgreeingTlsCheck implements TlsCheck {
    @Override
    public CertificateFindings certificate(CertificateFiles files) {
        try (InputStream input = Files.newInputStream(files.chain())) {
            return CertificateFindings.of(
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(input), List.of());
        } catch (CertificateException | IOException e) {
            return CertificateFindings.problem(files.chain() + " contains no certificates");
        }
    }

    @Override
    public CertificateFindings placeholder(CertificateFiles files, List<String> names) {
        Credential server = TestCertificates.shared().server();
        return certificate(CertificateFiles.pem(server.chainFile(), server.keyFile()));
    }

    @Override
    public @Nullable String ciphersProblem(List<String> ciphers) {
        return null;
    }

    @Override
    public @Nullable String groupsProblem(List<String> groups) {
        return null;
    }

    @Override
    public @Nullable String clientCaProblem(Path authorities) {
        return null;
    }
}
