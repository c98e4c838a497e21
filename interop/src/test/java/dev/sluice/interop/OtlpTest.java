package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.interop.fixture.TlsClient;
import dev.sluice.interop.fixture.Transport;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the push of metrics to a collector that decodes them by OpenTelemetry's own protocol buffers. */
class OtlpTest {
    private static final String PROTOCOL = "opentelemetry-proto==1.45.2";
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    private Path directory = Path.of("");

    @Test
    void collectorReceivesAllCountsAfterAFailureAndAtTheEnd() throws IOException {
        int port = FreePort.onLoopback();
        try (RunningProgram collector = collector(port);
                Backend backend = Backend.echoing();
                GatewayProcess gateway = GatewayProcess.start(GatewaySetup.before(backend, Transport.EPOLL)
                        .with("metrics: {otlp: {endpoint: \"http://127.0.0.1:" + port
                                + "\", interval: 1s, headers: [\"X-Scope: tenant 7\"]}}"))) {
            try (SSLSocket client = TlsClient.connect(gateway.port())) {
                client.getOutputStream().write(7);
                assertThat(client.getInputStream().read()).isEqualTo(7);
            }
            Waiting.until(LONG, () -> collector.output().contains("END"), collector::output);
            Waiting.until(LONG, () -> gateway.log().contains("again after 1 failures"), gateway::log);
            gateway.stop();

            Waiting.until(
                    LONG,
                    () -> collector.output().contains("sluice_connection_ends_total  reason=completed 1.0"),
                    collector::output);
            assertThat(collector.output())
                    .contains("REQUEST /v1/metrics application/json tenant 7", "RESOURCE service.name=sluice")
                    .contains("POINT sum sluice_connections_accepted_total  ", "POINT gauge sluice_connections  ")
                    .contains("POINT histogram sluice_tls_handshake_duration_seconds s kind=full 1")
                    .contains("POINT sum sluice_otlp_pushes_total  outcome=failed 1.0")
                    .doesNotContain("INVALID");
            assertThat(gateway.log()).contains("failed (status 503); retried");
        }
    }

    private RunningProgram collector(int port) {
        Path packages = directory.resolve("packages");
        ForeignResult installed = ForeignProgram.required("python3", "python3 python3-pip")
                .command("-m", "pip", "install", "--quiet", "--target", packages.toString(), PROTOCOL)
                .within(Duration.ofMinutes(3))
                .run();
        if (installed.exitCode() != 0) {
            ForeignProgram.absent("the Python package " + PROTOCOL + " cannot be installed: " + installed.errors());
        }
        RunningProgram collector = ForeignProgram.required("python3", "python3")
                .command("otlp_collector.py", Integer.toString(port))
                .in(Sluice.home().resolve("interop/src/test/python"))
                .with("PYTHONPATH", packages.toString())
                .with("PYTHONDONTWRITEBYTECODE", "1")
                .start();
        collector.awaitOutput("listening", LONG);
        return collector;
    }
}
