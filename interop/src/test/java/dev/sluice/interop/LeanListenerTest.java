package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.sluice.interop.fixture.Browser;
import dev.sluice.interop.fixture.Curl;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.GoProgram;
import dev.sluice.interop.fixture.HttpBackend;
import dev.sluice.interop.fixture.TlsClient;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.Descriptors;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients of five TLS libraries connect to a listener with the lean handshake, and resume their sessions. */
class LeanListenerTest extends GatewayTest {
    private static final String REQUEST = "GET /1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    private static final String RESPONSE = "HTTP/1.1 200 OK";
    private static final Path ROOT = TestCertificates.shared().rootFile();

    private static final Pattern ENDPOINT = Pattern.compile("dashboard and metrics at (https?://\\S+)/");

    private static final int FIRST_SCRAPES = 5;

    private String endpoint = "";

    @ParameterizedTest
    @CsvSource({"TLS_AES_128_GCM_SHA256, X25519", "TLS_AES_256_GCM_SHA384, P-256", "TLS_CHACHA20_POLY1305_SHA256, P-384"
    })
    void opensslGetsAPage(String suite, String group) {
        GatewayProcess gateway = lean();
        assertThat(openssl(gateway, "-ciphersuites", suite, "-groups", group))
                .contains("Verify return code: 0 (ok)", "Cipher is " + suite, RESPONSE);
        assertThat(metrics()).contains("sluice_tls_lean_hellos_total{path=\"lean\",reason=\"answered\"} 1");
    }

    @Test
    void opensslGetsAnRsaCertificate() {
        GatewayProcess gateway = lean(
                TestCertificates.shared().server(), TestCertificates.shared().serverRsa());
        assertThat(openssl(gateway, "-sigalgs", "RSA-PSS+SHA256")).contains("RSA-PSS", RESPONSE);
        assertThat(openssl(gateway, "-sigalgs", "ECDSA+SHA256")).contains("ECDSA", RESPONSE);
        assertThat(metrics()).contains("{path=\"lean\",reason=\"answered\"} 2");
    }

    @Test
    void opensslResumes(@TempDir Path directory) {
        GatewayProcess gateway = lean();
        String session = directory.resolve("session.pem").toString();
        assertThat(openssl(gateway, "-sess_out", session)).contains("New, TLSv1.3");
        assertThat(openssl(gateway, "-sess_in", session)).contains("Reused, TLSv1.3", RESPONSE);
        assertThat(metrics()).contains("{path=\"lean\",reason=\"answered\"} 2");
    }

    /** An unusual ClientHello is libssl's: an older version, a group without a share, a group of its own. */
    @Test
    void libsslAnswersOtherClients() {
        GatewayProcess gateway = lean();
        assertThat(openssl(gateway, "-tls1_2")).contains("TLSv1.2", RESPONSE);
        assertThat(openssl(gateway, "-groups", "X448:P-256")).contains("TLSv1.3", RESPONSE);
        assertThat(metrics())
                .contains("{path=\"libssl\",reason=\"version\"} 1", "{path=\"libssl\",reason=\"key_share\"} 1")
                .contains("{path=\"lean\",reason=\"answered\"} 0");
    }

    @Test
    void gnutlsGetsAPageAndResumes() {
        GatewayProcess gateway = lean();
        ForeignResult result = ForeignProgram.required("gnutls-cli", "gnutls-bin")
                .command(
                        "--x509cafile=" + ROOT,
                        "--priority=NORMAL:-VERS-ALL:+VERS-TLS1.3",
                        "--port=" + gateway.port(),
                        "--resume",
                        "--waitresumption",
                        "localhost")
                .input(REQUEST)
                .inputStaysOpen()
                .run();
        assertThat(result.output() + result.errors()).contains("*** This is a resumed session", RESPONSE);
        assertThat(metrics()).contains("{path=\"lean\",reason=\"answered\"} 2");
    }

    @Test
    void goGetsPagesAndResumes(@TempDir Path directory) {
        var _ = GoProgram.compile("client.go", directory);
        GatewayProcess gateway = lean();
        String output = ForeignProgram.at(directory.resolve("client"))
                .command(ROOT.toString(), "1.3", gateway.url() + "3000")
                .run()
                .expectSuccess()
                .output();
        assertThat(output.lines())
                .containsExactly(
                        "status=200 bytes=3000 version=0x0304 resumed=false ocsp=false",
                        "status=200 bytes=3000 version=0x0304 resumed=true ocsp=false");
        assertThat(metrics()).contains("{path=\"lean\",reason=\"answered\"} 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3", "4000000"})
    void curlGetsAPage(String bytes) {
        GatewayProcess gateway = lean();
        String output = Curl.command(
                        "--tlsv1.3", "--write-out", "<%{size_download}>", "-o", "/dev/null", gateway.url() + bytes)
                .run()
                .expectSuccess()
                .output();
        assertThat(output).contains("<" + bytes + ">");
        assertThat(metrics()).contains("{path=\"lean\",reason=\"answered\"} 1");
    }

    /** Its hello has GREASE, extensions in any order, an ECH of no meaning and a hybrid share. */
    @Test
    void chromiumGetsAPage() {
        GatewayProcess gateway = lean();
        try (Browser browser =
                Browser.accepting(TestCertificates.shared().server().chainFile())) {
            Page page = browser.open(gateway.url() + "0", 800, 600, ColorScheme.LIGHT);
            assertThat(page.url()).isEqualTo(gateway.url() + "0");
            assertThat(browser.complaints()).isEmpty();
        }
        assertThat(metrics()).containsPattern("\\{path=\"lean\",reason=\"answered\"} [1-9]");
    }

    private GatewayProcess lean(Credential... others) {
        GatewaySetup setup = GatewaySetup.before(backend(HttpBackend.start()), transport)
                .listener("handshake: lean")
                .with("admin: {address: 127.0.0.1:0}");
        return gateway(others.length == 0 ? setup : setup.presenting(others));
    }

    /** Has the admin endpoint open the descriptors that the JDK keeps from then on. */
    @Override
    protected void warmUp(GatewayProcess gateway) {
        gateway.program().awaitOutput("dashboard and metrics at", LONG);
        Matcher matcher = ENDPOINT.matcher(gateway.log());
        assertThat(matcher.find()).as(gateway.log()).isTrue();
        endpoint = matcher.group(1);
        openPollers(gateway, URI.create(endpoint).getPort());
        for (int i = 0; i < FIRST_SCRAPES; i++) {
            metrics();
        }
    }

    /** The JDK opens its pollers when a virtual thread first waits for a socket: for one that says nothing it must. */
    private static void openPollers(GatewayProcess gateway, int port) {
        long before = pollers(gateway);
        try (Socket silent = TlsClient.raw(port)) {
            Waiting.until(LONG, () -> pollers(gateway) > before, () -> silent + " is not waited for");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long pollers(GatewayProcess gateway) {
        return Descriptors.list(gateway.program().pid()).stream()
                .filter(descriptor -> descriptor.contains("[eventpoll]"))
                .count();
    }

    private String metrics() {
        return ForeignProgram.required("curl", "curl")
                .command("--silent", endpoint + "/metrics")
                .run()
                .expectSuccess()
                .output();
    }

    private static String openssl(GatewayProcess gateway, String... arguments) {
        List<String> all = new ArrayList<>(List.of(
                "s_client",
                "-ign_eof",
                "-connect",
                "127.0.0.1:" + gateway.port(),
                "-servername",
                "localhost",
                "-CAfile",
                ROOT.toString()));
        all.addAll(List.of(arguments));
        ForeignResult result = ForeignProgram.required("openssl", "openssl")
                .command(all.toArray(String[]::new))
                .input(REQUEST)
                .run();
        return result.output() + result.errors();
    }
}
