package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.TestCertificates;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * tlslite-ng, told to cut everything into records of one byte, its Finished too: a sequence number for each, which
 * whoever takes the connection over from libssl must know.
 */
class TinyRecordsTest extends GatewayTest {
    private static final String PACKAGE = "tlslite-ng==0.9.0b2";
    private static final Duration INSTALLATION_LIMIT = Duration.ofMinutes(3);
    private static final String TEXT = "one byte after the other";

    @TempDir
    static Path packages = Path.of("");

    @BeforeAll
    static void install() {
        ForeignResult installed = ForeignProgram.required("python3", "python3 python3-pip")
                .command("-m", "pip", "install", "--quiet", "--target", packages.toString(), PACKAGE)
                .within(INSTALLATION_LIMIT)
                .run();
        if (installed.exitCode() != 0) {
            ForeignProgram.absent("the Python package " + PACKAGE + " cannot be installed: " + installed.errors());
        }
    }

    @Test
    void theHandshakeMayComeInRecordsOfOneByte() {
        GatewayProcess gateway = gateway(GatewaySetup.before(backend(Backend.echoing()), transport)
                .presenting(TestCertificates.shared().serverRsa()));
        for (String version : new String[] {"1.2", "1.3"}) {
            for (String suite : new String[] {"aes128gcm", "aes256gcm", "chacha20-poly1305"}) {
                assertThat(echo(gateway, version, suite))
                        .as(version + " " + suite)
                        .isEqualTo(TEXT);
            }
        }
    }

    private static String echo(GatewayProcess gateway, String version, String suite) {
        return ForeignProgram.required("python3", "python3")
                .command("tiny_records.py", Integer.toString(gateway.port()), version, suite, TEXT)
                .in(Sluice.home().resolve("interop/src/test/python"))
                .with("PYTHONPATH", packages.toString())
                .with("PYTHONDONTWRITEBYTECODE", "1")
                .run()
                .expectSuccess()
                .output()
                .strip();
    }
}
