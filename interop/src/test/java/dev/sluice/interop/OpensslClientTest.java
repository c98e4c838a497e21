package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.HttpBackend;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.TestCertificates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code openssl s_client} connects, resumes and authenticates itself. */
class OpensslClientTest extends GatewayTest {
    private static final String REQUEST = "GET /1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    private static final String RESPONSE = "HTTP/1.1 200 OK";

    private final ForeignProgram openssl = ForeignProgram.required("openssl", "openssl");

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void getsAPage(String version) {
        GatewayProcess gateway = gateway(HttpBackend.start());

        assertThat(client(gateway, version)).contains("Verify return code: 0 (ok)", RESPONSE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"})
    void everySuiteOfTls13Serves(String suite) {
        GatewayProcess gateway = gateway(HttpBackend.start());

        assertThat(client(gateway, "-tls1_3", "-ciphersuites", suite)).contains("Cipher is " + suite, RESPONSE);
    }

    @Test
    void reconnectingResumesInTls12() {
        GatewayProcess gateway = gateway(HttpBackend.start());

        String output = client(gateway, "-tls1_2", "-reconnect");

        assertThat(output.split("Reused, TLSv1.2", -1)).as(output).hasSize(1 + 5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void aSavedSessionIsResumed(String version, @TempDir Path directory) {
        GatewayProcess gateway = gateway(HttpBackend.start());
        String session = directory.resolve("session.pem").toString();

        assertThat(client(gateway, version, "-sess_out", session)).contains("New, TLSv1");
        String resumed = client(gateway, version, "-sess_in", session);

        assertThat(resumed).contains("Reused, TLSv1", RESPONSE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void aSessionOutlivesTheKeyThatSealedIt(String version, @TempDir Path directory) throws InterruptedException {
        GatewayProcess gateway = gateway(
                GatewaySetup.before(backend(HttpBackend.start()), transport).with("tickets: {rotate: 1s, keep: 1m}"));
        String session = directory.resolve("session.pem").toString();
        assertThat(client(gateway, version, "-sess_out", session)).contains("New, TLSv1");

        Thread.sleep(2_000); // two keys later, or three
        String resumed = client(gateway, version, "-sess_in", session);

        assertThat(resumed).contains("Reused, TLSv1", RESPONSE);
    }

    @Test
    void withTicketsOffNothingIsResumed() {
        GatewayProcess gateway = gateway(
                GatewaySetup.before(backend(HttpBackend.start()), transport).with("tickets: off"));

        String output = client(gateway, "-tls1_2", "-reconnect");

        assertThat(output.split("New, TLSv1.2", -1)).as(output).hasSize(1 + 1 + 5);
    }

    @Test
    void aClientCertificateIsDemandedAndVerified() {
        GatewayProcess gateway = gateway(GatewaySetup.before(backend(HttpBackend.start()), transport)
                .listener("client-auth: required")
                .listener("client-ca: " + TestCertificates.shared().rootFile()));
        Credential client = TestCertificates.shared().client();

        String with = client(
                gateway,
                "-cert",
                client.chainFile().toString(),
                "-key",
                client.keyFile().toString());

        assertThat(with).contains(RESPONSE);
        assertThat(client(gateway)).doesNotContain(RESPONSE).contains("alert");
    }

    @Test
    void anOlderVersionThanAllowedIsRefusedWithAnAlert() {
        GatewayProcess gateway = gateway(
                GatewaySetup.before(backend(HttpBackend.start()), transport).listener("min-version: 1.3"));

        assertThat(client(gateway, "-tls1_2")).doesNotContain(RESPONSE).contains("alert protocol version");
    }

    @Test
    void theModernProfileSpeaksTls13Alone() {
        GatewayProcess gateway = gateway(
                GatewaySetup.before(backend(HttpBackend.start()), transport).listener("profile: modern"));

        assertThat(client(gateway, "-tls1_2")).doesNotContain(RESPONSE).contains("alert protocol version");
        assertThat(client(gateway)).contains("Cipher is TLS_AES_128_GCM_SHA256", RESPONSE);
    }

    @Test
    void theIntermediateProfilePrefersAesUnlessTheClientPutsChachaFirst() {
        GatewayProcess gateway = gateway(
                GatewaySetup.before(backend(HttpBackend.start()), transport).listener("profile: intermediate"));
        String aes = "ECDHE-ECDSA-AES128-GCM-SHA256";
        String chacha = "ECDHE-ECDSA-CHACHA20-POLY1305";

        assertThat(client(gateway, "-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-GCM-SHA384:" + chacha + ":" + aes))
                .contains("Cipher is " + aes, RESPONSE);
        assertThat(client(gateway, "-tls1_2", "-cipher", chacha + ":" + aes)).contains("Cipher is " + chacha, RESPONSE);
        assertThat(client(gateway, "-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA256"))
                .doesNotContain(RESPONSE)
                .contains("alert handshake failure");
        assertThat(client(gateway, "-tls1_3", "-groups", "P-384:X25519")).contains(RESPONSE);
    }

    /**
     * Returns the output of s_client, errors included, when it asks for a page and waits for the other side to close.
     */
    private String client(GatewayProcess gateway, String... arguments) {
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
        ForeignResult result =
                openssl.command(all.toArray(String[]::new)).input(REQUEST).run();
        return result.output() + result.errors();
    }
}
