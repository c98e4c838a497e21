package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.GoProgram;
import dev.sluice.interop.fixture.HttpBackend;
import dev.sluice.interop.fixture.StapledSetup;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.TestCertificates;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Go's crypto/tls gets pages and resumes, by the program in src/test/go. */
class GoClientTest extends GatewayTest {
    @TempDir
    static Path directory = Path.of("");

    @BeforeAll
    static void compile() {
        var _ = GoProgram.compile("client.go", directory);
    }

    @ParameterizedTest
    @CsvSource({"1.2, 0x0303", "1.3, 0x0304"})
    void getsPagesAndResumes(String version, String wireVersion) {
        GatewayProcess gateway = gateway(HttpBackend.start());

        String output = client(gateway, version);

        assertThat(output.lines())
                .containsExactly(
                        "status=200 bytes=3000 version=" + wireVersion + " resumed=false ocsp=false",
                        "status=200 bytes=3000 version=" + wireVersion + " resumed=true ocsp=false");
    }

    /** Go remembers with a session what was stapled when that was made. */
    @ParameterizedTest
    @ValueSource(strings = {"1.2", "1.3"})
    void getsAnOcspResponse(String version, @TempDir Path responses) {
        try (StapledSetup setup = StapledSetup.before(backend(HttpBackend.start()), transport, responses)) {
            GatewayProcess gateway = gateway(setup.setup());

            assertThat(client(gateway, version).lines().findFirst())
                    .hasValueSatisfying(line -> assertThat(line).contains("status=200", "resumed=false ocsp=true"));
        }
    }

    private static String client(GatewayProcess gateway, String version) {
        return ForeignProgram.at(directory.resolve("client"))
                .command(TestCertificates.shared().rootFile().toString(), version, gateway.url() + "3000")
                .run()
                .expectSuccess()
                .output();
    }
}
