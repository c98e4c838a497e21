package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.HttpBackend;
import dev.sluice.interop.fixture.StapledSetup;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.TestCertificates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of responses signed by {@code openssl ocsp}, as {@code openssl s_client} and GnuTLS get them stapled by a
 * gateway.
 */
class OcspStaplingTest extends GatewayTest {
    private static final String REQUEST = "GET /1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    private static final List<String> GOOD = List.of("OCSP Response Status: successful", "Cert Status: good");
    private static final String NONE = "OCSP response: no response sent";

    @TempDir
    private Path directory = Path.of("");

    @Test
    void opensslAndGnutlsGetTheResponseAndSoTheyDoAfterARestartWithoutTheResponder() {
        GatewayProcess restarted;
        try (StapledSetup setup = StapledSetup.before(backend(HttpBackend.start()), transport, directory)) {
            GatewayProcess gateway = gateway(setup.setup());

            for (String version : List.of("-tls1_2", "-tls1_3")) {
                String session = directory.resolve(version + ".pem").toString();
                assertThat(openssl(gateway, version, "-status", "-sess_out", session))
                        .contains(GOOD);
                assertThat(openssl(gateway, version, "-status", "-sess_in", session))
                        .contains("Reused")
                        .doesNotContain("OCSP Response Status");
            }
            assertThat(gnutls(gateway, "1.2")).contains("OCSP status request");
            assertThat(gnutls(gateway, "1.3")).contains("OCSP status request");
            gateway.stop();
            assertThat(gateway.log()).contains("ocsp: 1 of 1 certificates stapled");
            setup.endResponder();

            restarted = gateway(setup.setup());
        }
        assertThat(openssl(restarted, "-tls1_3", "-status")).contains(GOOD);
        assertThat(openssl(restarted, "-tls1_3")).doesNotContain("OCSP Response Status");
    }

    @Test
    void withoutAResponderHandshakesGoOnAndTheLogSaysWhatIsMissing() {
        try (StapledSetup setup = StapledSetup.before(backend(HttpBackend.start()), transport, directory)) {
            setup.endResponder();
            GatewayProcess gateway = gateway(setup.setup());

            assertThat(openssl(gateway, "-tls1_3", "-status")).contains(NONE, "HTTP/1.1 200 OK");
            assertThat(gateway.log()).contains("gets no OCSP response from http://127.0.0.1:", "RFC 7633");
        }
    }

    /**
     * Returns the output of s_client, errors included, when it asks for a page and waits for the other side to close.
     */
    private static String openssl(GatewayProcess gateway, String... arguments) {
        List<String> all = new ArrayList<>(List.of(
                "s_client",
                "-ign_eof",
                "-connect",
                "127.0.0.1:" + gateway.port(),
                "-servername",
                "localhost",
                "-CAfile",
                TestCertificates.shared().rootFile().toString()));
        all.addAll(List.of(arguments));
        ForeignResult result = ForeignProgram.required("openssl", "openssl")
                .command(all.toArray(String[]::new))
                .input(REQUEST)
                .run();
        return result.output() + result.errors();
    }

    private static String gnutls(GatewayProcess gateway, String version) {
        ForeignResult result = ForeignProgram.required("gnutls-cli", "gnutls-bin")
                .command(
                        "--x509cafile=" + TestCertificates.shared().rootFile(),
                        "--priority=NORMAL:-VERS-ALL:+VERS-TLS" + version,
                        "--port=" + gateway.port(),
                        "localhost")
                .input(REQUEST)
                .inputStaysOpen()
                .run();
        String all = result.output() + result.errors();
        assertThat(all).contains("The certificate is trusted", "HTTP/1.1 200 OK");
        return all;
    }
}
