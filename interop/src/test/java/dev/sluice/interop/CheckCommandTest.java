package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.interop.fixture.Transport;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice check}, and what {@code sluice gateway} says of a configuration that it cannot serve. */
class CheckCommandTest {
    private static final int CONFIGURATION_ERROR = 2;
    private static final int TRY_AGAIN = 75;

    @TempDir
    private Path directory = Path.of("");

    @Test
    void aGoodConfigurationPasses() throws IOException {
        Sluice.command("check", write(good().yaml()).toString()).run().expectSuccess();
    }

    @Test
    void anUnknownKeyIsNamedWithItsLine() throws IOException {
        assertRefused(CONFIGURATION_ERROR, good().with("drian: 5s").yaml(), "sluice.yaml:1:", "drian", "drain");
    }

    @Test
    void aMissingFileIsNamedWithItsLine() throws IOException {
        String yaml = good().yaml()
                .replace(TestCertificates.shared().server().chainFile().toString(), "nowhere.pem");

        assertRefused(TRY_AGAIN, yaml, "sluice.yaml:" + lineOf("nowhere.pem", yaml) + ":", "nowhere.pem");
    }

    @Test
    void aKeyThatDoesNotFitItsCertificateIsNamedWithItsLine() throws IOException {
        Credential other = TestCertificates.shared().client();
        String keyFile = other.keyFile().toString();
        String yaml = good().yaml()
                .replace(TestCertificates.shared().server().keyFile().toString(), keyFile);

        assertRefused(CONFIGURATION_ERROR, yaml, "sluice.yaml:" + lineOf(keyFile, yaml) + ":", keyFile);
    }

    @Test
    void aFileThatDoesNotExistIsNamed() {
        ForeignResult result =
                Sluice.command("check", "/nonexistent/sluice.yaml").run();

        assertThat(result.exitCode()).isEqualTo(CONFIGURATION_ERROR);
        assertThat(result.errors()).contains("/nonexistent/sluice.yaml");
    }

    @Test
    void aPortInUseIsNamedByTheGatewayWithItsLine() throws IOException {
        try (GatewayProcess first = GatewayProcess.start(good())) {
            String address = "127.0.0.1:" + first.port();
            String yaml = good().yaml().replace("127.0.0.1:0", address);

            ForeignResult result = Sluice.command(
                            "gateway", "--config", write(yaml).toString())
                    .run();

            assertThat(result.exitCode()).isEqualTo(TRY_AGAIN);
            assertThat(result.errors()).contains("sluice.yaml:" + lineOf(address, yaml) + ":", address);
        }
    }

    /** Both commands refuse it in the same words; the gateway tells by its exit code whether to try again. */
    private void assertRefused(int gatewayExitCode, String yaml, String... parts) throws IOException {
        String file = write(yaml).toString();
        ForeignResult checked = Sluice.command("check", file).run();
        ForeignResult served = Sluice.command("gateway", "--config", file).run();

        assertThat(checked.exitCode()).as(checked.toString()).isEqualTo(CONFIGURATION_ERROR);
        assertThat(checked.errors()).contains(parts);
        assertThat(served.exitCode()).as(served.toString()).isEqualTo(gatewayExitCode);
        assertThat(served.errors()).contains(parts);
    }

    private Path write(String yaml) throws IOException {
        return Files.writeString(directory.resolve("sluice.yaml"), yaml);
    }

    private static long lineOf(String text, String yaml) {
        return yaml.substring(0, yaml.indexOf(text)).lines().count();
    }

    private static GatewaySetup good() {
        return GatewaySetup.before("127.0.0.1:8080", Transport.EPOLL);
    }
}
