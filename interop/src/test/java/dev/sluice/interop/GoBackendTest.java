package dev.sluice.interop;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.GoProgram;
import dev.sluice.interop.fixture.TlsClient;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.nio.file.Path;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Go's crypto/tls behind the gateway, by the program in src/test/go. */
class GoBackendTest extends GatewayTest {
    @TempDir
    static Path directory = Path.of("");

    @BeforeAll
    static void compile() {
        var _ = GoProgram.compile("server.go", directory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2", "1.3"})
    void theGatewayIsItsClientAndResumes(String version) throws IOException {
        Credential own = TestCertificates.shared().server();
        Path root = TestCertificates.shared().rootFile();
        try (RunningProgram server = ForeignProgram.at(directory.resolve("server"))
                .command(own.chainFile().toString(), own.keyFile().toString(), root.toString(), version)
                .start()) {
            server.awaitOutput("\n", LONG);
            String port = server.output().strip().substring("port ".length());
            GatewayProcess gateway = gateway(GatewaySetup.before("localhost:" + port, transport)
                    .presenting(TestCertificates.shared().server())
                    .with("loops: 1")
                    .backendKey("tls: {ca: " + root + ", certificate: main, alpn: [http/1.1]}")
                    .backendKey("resolve: 1s"));

            String name = own.certificate().getSubjectX500Principal().getName().substring("CN=".length());
            String common = " client=" + name + " alpn=http/1.1 sni=localhost";
            assertThat(ask(gateway)).isEqualTo("resumed=false" + common);
            for (int i = 0; i < 4; i++) {
                assertThat(ask(gateway)).isEqualTo("resumed=true" + common);
            }
        }
    }

    private static String ask(GatewayProcess gateway) throws IOException {
        try (SSLSocket client = TlsClient.connect(gateway.port())) {
            client.getOutputStream().write("tell".getBytes(US_ASCII));
            return new String(client.getInputStream().readAllBytes(), US_ASCII);
        }
    }
}
