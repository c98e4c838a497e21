package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Curl;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.Nginx;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** HTTP/2 by ALPN, carried in plaintext to a backend that speaks HTTP/2 with prior knowledge. */
class HttpTwoTest extends GatewayTest {
    private Nginx nginx = Nginx.NONE;

    @BeforeEach
    void startBackend() {
        nginx = Nginx.speakingHttp2("location / { return 200 \"spoken: $server_protocol\\n\"; }");
    }

    @AfterEach
    void stopBackend() {
        nginx.close();
    }

    @Test
    void curlSpeaksHttp2ToTheBackend() {
        GatewayProcess gateway =
                gateway(GatewaySetup.before(nginx.address(), transport).listener("alpn: [h2, http/1.1]"));

        ForeignResult result =
                Curl.command("--verbose", "--http2", gateway.url()).run().expectSuccess();

        assertThat(result.errors()).contains("ALPN: server accepted h2");
        assertThat(result.output()).isEqualTo("spoken: HTTP/2.0\n");
    }

    @Test
    void manyStreamsOverManyConnectionsAllSucceed() {
        GatewayProcess gateway =
                gateway(GatewaySetup.before(nginx.address(), transport).listener("alpn: [h2]"));

        String output = ForeignProgram.required("h2load", "nghttp2-client")
                .command("--requests=5000", "--clients=50", "--max-concurrent-streams=10", gateway.url())
                .run()
                .expectSuccess()
                .output();

        assertThat(output).contains("Application protocol: h2", "5000 succeeded, 0 failed, 0 errored");
    }
}
