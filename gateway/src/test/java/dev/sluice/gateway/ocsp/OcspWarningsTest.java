package dev.sluice.gateway.ocsp;

import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.listener;
import static dev.sluice.gateway.GatewayFixture.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.certificate.CertificateFiles;
import dev.sluice.config.certificate.CertificateOcsp;
import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.certificate.RevocationFacts;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.gateway.GatewayFixture;
import dev.sluice.gateway.certificate.OpenSslCheck;
import dev.sluice.net.EventLoop;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OcspWarningsTest {
    private static final CertificateRequest PLAIN = CertificateRequest.named("warned-plain");
    private static final CertificateRequest ASKING =
            CertificateRequest.named("warned-asking").askingAt("http://127.0.0.1:9/");
    private static final CertificateRequest STRICT = CertificateRequest.named("warned-strict")
            .askingAt("http://127.0.0.1:9/")
            .mustStaple()
            .viaIntermediate();
    private static final CertificateRequest HOPELESS =
            CertificateRequest.named("warned-hopeless").mustStaple();

    @TempDir
    Path directory = Path.of("");

    @Test
    void whoDemandsAResponseAndGetsNoneIsNamed() {
        assertThat(OcspWarnings.of(config(PLAIN, CertificateOcsp.DEFAULT))).isEmpty();
        assertThat(OcspWarnings.of(config(STRICT, CertificateOcsp.DEFAULT))).isEmpty();
        assertThat(OcspWarnings.of(config(STRICT, CertificateOcsp.OFF)))
                .singleElement()
                .asString()
                .contains("certificate shop", "its ocsp is off; turn it on", "clients refuse it");
        assertThat(OcspWarnings.of(config(STRICT, CertificateOcsp.DEFAULT).withOcsp(null)))
                .singleElement()
                .asString()
                .contains("ocsp is off; turn it on");
        assertThat(OcspWarnings.of(config(HOPELESS, CertificateOcsp.DEFAULT)))
                .singleElement()
                .asString()
                .contains("it names no responder");
    }

    @Test
    void whoseIssuerIsNotKnownIsNamed() {
        assertThat(OcspWarnings.ofIssuers(config(PLAIN, CertificateOcsp.DEFAULT)))
                .isEmpty();
        assertThat(OcspWarnings.ofIssuers(config(STRICT, CertificateOcsp.DEFAULT)))
                .as("the issuer stands in the chain")
                .isEmpty();
        assertThat(OcspWarnings.ofIssuers(config(ASKING, CertificateOcsp.DEFAULT)))
                .singleElement()
                .asString()
                .contains("names the OCSP responder http://127.0.0.1:9/", "ocsp: {issuer: FILE}");
        assertThat(OcspWarnings.ofIssuers(config(
                        ASKING,
                        new CertificateOcsp(
                                true, null, TestCertificates.shared().rootFile()))))
                .isEmpty();
    }

    /**
     * The root has issued it itself: in the chain it is what a responder knows the certificate by, and nobody wants
     * it out.
     */
    @Test
    void aRootThatIsTheIssuerBelongsIntoTheChain() throws IOException {
        Credential issued = TestCertificates.shared().issue(ASKING);
        Path chain = Files.writeString(
                directory.resolve("chain.pem"),
                Files.readString(TestCertificates.shared().rootFile()) + Files.readString(issued.chainFile()));
        GatewayConfig config = config(issued, chain, CertificateOcsp.DEFAULT);

        assertThat(OcspWarnings.ofIssuers(config)).isEmpty();
        try (OpenSslCheck check = new OpenSslCheck()) {
            assertThat(check.certificate(CertificateFiles.pem(chain, issued.keyFile()))
                            .warnings())
                    .isEmpty();
        }
    }

    private static GatewayConfig config(CertificateRequest request, CertificateOcsp ocsp) {
        Credential issued = TestCertificates.shared().issue(request);
        return config(issued, issued.chainFile(), ocsp);
    }

    private static GatewayConfig config(Credential issued, Path chain, CertificateOcsp ocsp) {
        KeyPairFiles pair = new KeyPairFiles(
                CertificateFiles.pem(chain, issued.keyFile()),
                "EC",
                Instant.MIN,
                Instant.MAX,
                KeyPairFiles.fingerprint(issued.certificate()),
                List.of(),
                RevocationFacts.of(issued.certificate()));
        CertificateConfig certificate = new CertificateConfig("shop", List.of(pair), List.of(), ocsp);
        return new GatewayFixture(EventLoop.Backend.EPOLL)
                .config(listener(
                        List.of(certificate),
                        List.of(),
                        TlsOptions.DEFAULT,
                        route(backend(
                                "none",
                                ProxyProtocol.NONE,
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 9)))));
    }
}
