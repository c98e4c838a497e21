package dev.sluice.gateway.otlp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.monitoring.OtlpConfig;
import dev.sluice.gateway.log.GatewayLog;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricSnapshot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Pushes to collectors that behave badly; a collector by OpenTelemetry's own libraries is in {@code interop}. */
class MetricPushTest {
    private static final Duration LONG = Duration.ofHours(1);

    /** The head of an answer ends a request's time limit, but not the request. */
    @Test
    void endsThoughTheCollectorNeverSendsTheBodyOfItsAnswer() throws IOException {
        List<Socket> open = new ArrayList<>();
        try (ServerSocket collector = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answerInPart(collector, open));
            MetricPush push = new MetricPush(() -> new MetricSnapshot.Builder().build(Instant.EPOCH), GatewayLog.NONE);
            push.follow(new OtlpConfig(endpoint(collector.getLocalPort()), LONG, List.of()));

            push.close();

            MetricSnapshot.Builder after = new MetricSnapshot.Builder();
            push.collect(after);
            assertThat(after.build(Instant.EPOCH).samples(Metric.OTLP_PUSHES))
                    .extracting(sample -> sample.labelValues().getFirst() + " " + (long) sample.value())
                    .containsExactly("sent 0", "failed 1");
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    @Test
    void namesNoClassWhenNothingListens() throws Exception {
        int port;
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = gone.getLocalPort();
        }
        assertThat(firstWarning(port)).isEqualTo(failed(port, "connection refused"));
    }

    @Test
    void namesNoClassWhenTheCollectorHangsUp() throws Exception {
        try (ServerSocket collector = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = collector.getLocalPort();
            Thread.ofVirtual().start(() -> hangUp(collector));

            assertThat(firstWarning(port))
                    .startsWith("metrics: push to " + endpoint(port) + " failed (")
                    .endsWith("check the collector, or metrics.otlp")
                    .doesNotContain("Exception")
                    .doesNotContain("java.");
        }
    }

    /** Returns the first warning about pushes to a port. */
    private static String firstWarning(int port) throws InterruptedException {
        BlockingQueue<String> log = new LinkedBlockingQueue<>();
        MetricPush push =
                new MetricPush(() -> new MetricSnapshot.Builder().build(Instant.EPOCH), (level, line) -> log.add(line));
        try (push) {
            push.follow(new OtlpConfig(endpoint(port), Duration.ofMillis(1), List.of()));
            return log.take();
        }
    }

    private static String failed(int port, String why) {
        return "metrics: push to " + endpoint(port) + " failed (" + why
                + "); retried, the next one has all counts; check the collector, or metrics.otlp";
    }

    private static URI endpoint(int port) {
        return URI.create("http://127.0.0.1:" + port + "/v1/metrics");
    }

    private static void hangUp(ServerSocket collector) {
        try {
            while (!collector.isClosed()) {
                collector.accept().close();
            }
        } catch (IOException ended) {
            // The test is over.
        }
    }

    private static void answerInPart(ServerSocket collector, List<Socket> open) {
        try {
            Socket socket = collector.accept();
            open.add(socket);
            socket.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n".getBytes(ISO_8859_1));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
