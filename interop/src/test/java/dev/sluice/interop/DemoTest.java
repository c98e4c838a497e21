package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Sluice;
import dev.sluice.interop.fixture.Transport;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.RunningProgram;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code sluice gateway} without a configuration: the demo page, and the commands that it tells one to try. */
@ParameterizedClass
@EnumSource(Transport.class)
class DemoTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @Parameter
    private Transport transport = Transport.EPOLL;

    @TempDir
    private Path state = Path.of("");

    private final int port = FreePort.onLoopback();
    private RunningProgram demo =
            ForeignProgram.required("true", "coreutils").command().start();

    @BeforeEach
    void start() {
        transport.require();
        demo = start(state);
    }

    @AfterEach
    void stop() {
        demo.close();
    }

    @Test
    void theCommandsThatItPrintsWork() {
        List<String> commands = demo.output()
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("curl ") || line.startsWith("openssl "))
                .toList();
        assertThat(commands).hasSize(2);

        assertThat(shell(commands.getFirst()).expectSuccess().output())
                .contains("\"version\": \"TLSv1.3\"", "\"sni\": \"localhost\"", "\"resumed\": false");
        assertThat(shell(commands.getLast()).expectSuccess().errors()).contains("Verification: OK");
    }

    @Test
    void thePageShowsWhatTheGatewayKnowsOfTheConnection() {
        String page = shell("curl -sS --tls-max 1.2 --http1.1 --cacert " + certificate() + " https://localhost:" + port)
                .expectSuccess()
                .output();

        assertThat(page).contains("TLSv1.2", "ECDHE", "localhost", "http/1.1");
    }

    @Test
    void aBrowserShowsThePage() throws Exception {
        String page = ForeignProgram.required("chromium", "chromium")
                .command(
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--user-data-dir=" + state.resolve("browser"),
                        "--ignore-certificate-errors-spki-list=" + keyFingerprint(),
                        "--dump-dom",
                        "https://localhost:" + port + "/")
                .run()
                .expectSuccess()
                .output();

        assertThat(page).contains("Sluice", "TLSv1.3", "localhost");
    }

    @Test
    void theCertificateIsKeptAndItsKeyIsPrivate() throws IOException {
        String first = Files.readString(certificate());
        demo.terminate();
        assertThat(demo.awaitExit(LONG).exitCode()).isZero();

        demo = start(state);

        assertThat(Files.readString(certificate())).isEqualTo(first);
        assertThat(demo.output()).contains("Using the development certificate");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state.resolve("development.key"))))
                .isEqualTo("rw-------");
    }

    private RunningProgram start(Path stateDirectory) {
        RunningProgram program = Sluice.command(
                        "gateway", "--listen", "127.0.0.1:" + port, "--transport", transport.toString())
                .with("SLUICE_STATE_DIR", stateDirectory.toString())
                .start();
        program.awaitOutput("a browser at", LONG);
        return program;
    }

    private Path certificate() {
        return state.resolve("development.pem");
    }

    /** Returns the fingerprint by which Chromium knows a key: the SHA-256 of its SubjectPublicKeyInfo, in Base64. */
    private String keyFingerprint() throws Exception {
        try (InputStream input = Files.newInputStream(certificate())) {
            X509Certificate parsed =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(input);
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(parsed.getPublicKey().getEncoded());
            return Base64.getEncoder().encodeToString(digest);
        }
    }

    private static ForeignResult shell(String line) {
        ForeignProgram.required("curl", "curl");
        ForeignProgram.required("openssl", "openssl");
        return ForeignProgram.required("sh", "dash").command("-c", line).run();
    }
}
