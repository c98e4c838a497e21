package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.GoProgram;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.CertificateRequest.KeyAlgorithm;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.TestCertificates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Go's crypto/tls gets the certificate that fits it, and shows its own, by the program in src/test/go. */
class GoCertificatesTest extends GatewayTest {
    @TempDir
    static Path directory = Path.of("");

    @BeforeAll
    static void compile() {
        var _ = GoProgram.compile("kinds.go", directory);
    }

    @ParameterizedTest
    @CsvSource({"1.2, RSA, RSA", "1.2, ECDSA, ECDSA", "1.3, any, ECDSA"})
    void getsTheKindThatFits(String version, String wanted, String kind) {
        Credential elliptic = TestCertificates.shared()
                .issue(CertificateRequest.named("go-ecdsa").viaIntermediate());
        Credential rsa = TestCertificates.shared()
                .issue(CertificateRequest.named("go-rsa")
                        .with(KeyAlgorithm.RSA_2048)
                        .viaIntermediate());
        GatewayProcess gateway = gateway(
                GatewaySetup.before(backend(Backend.echoing()), transport).presenting(elliptic, rsa));

        assertThat(client(gateway, "localhost", version, wanted).expectSuccess().output())
                .contains("key=" + kind, "sent=2");
    }

    @Test
    void showsItsCertificateWhereItsHostWantsOne() {
        String root = TestCertificates.shared().rootFile().toString();
        Credential own = TestCertificates.shared().client();
        Credential names = TestCertificates.shared()
                .issue(CertificateRequest.named("go-hosts").forHosts("localhost", "admin.example"));
        GatewayProcess gateway = gateway(GatewaySetup.before(backend(Backend.echoing()), transport)
                .presenting(names)
                .listener("hosts: [{sni: admin.example, client-auth: required, client-ca: " + root + "}]"));
        String[] shown = {own.chainFile().toString(), own.keyFile().toString()};

        assertThat(client(gateway, "localhost", "1.3", "any").exitCode()).isZero();
        assertThat(client(gateway, "admin.example", "1.3", "any", shown).exitCode())
                .isZero();
        assertThat(client(gateway, "admin.example", "1.3", "any").errors()).contains("certificate required");
        assertThat(client(gateway, "admin.example", "1.2", "any").errors()).contains("handshake failure");
    }

    private static ForeignResult client(
            GatewayProcess gateway, String name, String version, String kind, String... shown) {
        List<String> all = new ArrayList<>(List.of(
                TestCertificates.shared().rootFile().toString(), "127.0.0.1:" + gateway.port(), name, version, kind));
        all.addAll(List.of(shown));
        return ForeignProgram.at(directory.resolve("kinds"))
                .command(all.toArray(String[]::new))
                .run();
    }
}
