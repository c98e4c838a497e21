package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.HttpBackend;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.TestCertificates;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** GnuTLS, which shares no code with OpenSSL, gets a page and resumes. */
class GnutlsClientTest extends GatewayTest {
    private static final String REQUEST = "GET /1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    private final ForeignProgram gnutls = ForeignProgram.required("gnutls-cli", "gnutls-bin");

    @ParameterizedTest
    @ValueSource(strings = {"1.2", "1.3"})
    void getsAPage(String version) {
        GatewayProcess gateway = gateway(HttpBackend.start());

        assertThat(client(gateway, version))
                .contains("Status: The certificate is trusted", "(TLS" + version + "-", "HTTP/1.1 200 OK")
                .doesNotContain("non-properly terminated");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2", "1.3"})
    void resumes(String version) {
        GatewayProcess gateway = gateway(HttpBackend.start());

        assertThat(client(gateway, version, "--resume", "--waitresumption"))
                .contains("*** This is a resumed session", "HTTP/1.1 200 OK");
    }

    private String client(GatewayProcess gateway, String version, String... arguments) {
        List<String> all = new ArrayList<>(List.of(
                "--x509cafile=" + TestCertificates.shared().rootFile(),
                "--priority=NORMAL:-VERS-ALL:+VERS-TLS" + version,
                "--port=" + gateway.port()));
        all.addAll(List.of(arguments));
        all.add("localhost");
        ForeignResult result = gnutls.command(all.toArray(String[]::new))
                .input(REQUEST)
                .inputStaysOpen()
                .run();
        return result.output() + result.errors();
    }
}
