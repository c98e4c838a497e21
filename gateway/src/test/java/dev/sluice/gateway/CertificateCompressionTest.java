package dev.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.SelfSignedCertificate;
import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.TestCertificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of compressed certificates by OpenSSL's own client, where it and the library have zlib. */
class CertificateCompressionTest extends GatewayConformance {
    private static final String COMPRESSED = ", CompressedCertificate";

    @TempDir
    Path directory;

    private final Path client = Path.of(OpenSsl.require().libraryFile()).resolveSibling("openssl");

    @BeforeEach
    void requireSupport() {
        Assumptions.assumeTrue(Files.isExecutable(client), client + " is absent; see tools/fetch-openssl");
        Assumptions.assumeTrue(
                compresses(), OpenSsl.require().version() + " is built without zlib, or libz.so is absent");
    }

    private static boolean compresses() {
        try (EvpPkey key = EvpPkey.generateElliptic("P-256");
                X509 certificate = SelfSignedCertificate.timeless(key, "test");
                SslCtx context = SslCtx.server()) {
            context.useCertificate(certificate, key, List.of());
            return context.compressCertificates(SslCtx.Compression.ZLIB);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'handshake: libssl', one.example.com, true",
        "'handshake: libssl', two.example.com, true",
        "'handshake: libssl, certificate-compression: off', one.example.com, false",
        "'handshake: lean', one.example.com, false"
    })
    void compressesWhereLibsslShakesHands(String keys, String host, boolean compressed) {
        String yaml = """
                tickets: off
                listeners:
                  - certificates: [one, two]
                    %s
                certificates:
                %s%s""".formatted(keys.replace(", ", "\n    "), certificate("one"), certificate("two"));
        ConfiguredGateway gateway = ConfiguredGateway.start(fixture, transport, directory, yaml);

        String told = gateway.askBy(ForeignProgram.at(client), host, "-msg", "-verify_return_error");

        assertThat(told).contains(ConfiguredGateway.GREETING, "Verify return code: 0", "subject=CN=" + host);
        assertThat(told.contains(COMPRESSED)).isEqualTo(compressed);
    }

    private static String certificate(String name) {
        String host = name + ".example.com";
        Credential credential = TestCertificates.shared()
                .issue(CertificateRequest.named(host).forHosts(host).viaIntermediate());
        return "  " + name + ": {chain: " + credential.chainFile() + ", key: " + credential.keyFile() + "}\n";
    }
}
