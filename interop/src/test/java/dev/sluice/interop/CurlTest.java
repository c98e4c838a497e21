package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Curl;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.HttpBackend;
import dev.sluice.testkit.TestCertificates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** curl gets pages through the gateway, and refuses what it must refuse. */
class CurlTest extends GatewayTest {
    private static final int PEER_FAILED_VERIFICATION = 60;

    @ParameterizedTest
    @ValueSource(strings = {"1.2", "1.3"})
    void getsAPageOverEachVersion(String version) {
        GatewayProcess gateway = gateway(HttpBackend.start());

        String output = Curl.command("--tlsv" + version, "--tls-max", version, "--verbose", gateway.url() + "26")
                .run()
                .expectSuccess()
                .errors();

        assertThat(output).contains("SSL connection using TLSv" + version).contains("< HTTP/1.1 200 OK");
    }

    @Test
    void keepsAConnectionForSeveralRequests() {
        GatewayProcess gateway = gateway(HttpBackend.start());

        String connects = Curl.command("--write-out", "%{num_connects}", gateway.url() + "0", gateway.url() + "0")
                .run()
                .expectSuccess()
                .output();

        assertThat(connects).isEqualTo("10");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http/1.1", "h2"})
    void theBackendSpeaksWhatTheListenerOffers(String offered) {
        GatewayProcess gateway = gateway(
                GatewaySetup.before(backend(HttpBackend.start()), transport).listener("alpn: [http/1.1]"));

        String output = Curl.command(offered.equals("h2") ? "--http2" : "--http1.1", "--verbose", gateway.url() + "1")
                .run()
                .expectSuccess()
                .errors();

        assertThat(output).contains("ALPN: server accepted http/1.1");
    }

    @Test
    void anRsaCertificateServesToo() {
        GatewayProcess gateway = gateway(GatewaySetup.before(backend(HttpBackend.start()), transport)
                .presenting(TestCertificates.shared().serverRsa()));

        Curl.command("--tls-max", "1.2", "--ciphers", "ECDHE-RSA-AES128-GCM-SHA256", gateway.url() + "1")
                .run()
                .expectSuccess();
    }

    @Test
    void refusesACertificateForAnotherHost() {
        GatewayProcess gateway = gateway(GatewaySetup.before(backend(HttpBackend.start()), transport)
                .presenting(TestCertificates.shared().wrongHostServer()));

        assertThat(Curl.command(gateway.url()).run().exitCode()).isEqualTo(PEER_FAILED_VERIFICATION);
    }
}
