package dev.sluice.gateway.otlp;

import dev.sluice.config.monitoring.OtlpConfig;
import dev.sluice.gateway.log.ForeignText;
import dev.sluice.gateway.log.GatewayLog;
import dev.sluice.gateway.log.PlainCause;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricCollector;
import dev.sluice.gateway.metrics.MetricSnapshot;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The push of metrics to a collector of OpenTelemetry, on a virtual thread while there is a configuration for it. One
 * request is in flight at most, and none waits: each has all counts since the start, so that the next one makes up for
 * one that failed. After failures the pause doubles, to {@link #PAUSE_MAX} at most. May be used from any thread.
 */
public final class MetricPush implements MetricCollector, AutoCloseable {
    private static final Duration TIME_LIMIT = Duration.ofSeconds(10);

    /** The longest time that the last push of a gateway may take. */
    private static final Duration LAST_TIME_LIMIT = Duration.ofSeconds(2);

    private static final Duration PAUSE_MAX = Duration.ofMinutes(5);
    private static final Path HOSTNAME = Path.of("/proc/sys/kernel/hostname");
    private static final int SUCCESS = 200;
    private static final int REDIRECTION = 300;

    private final Supplier<MetricSnapshot> metrics;
    private final GatewayLog log;
    private final Instant started;
    private volatile @Nullable OtlpJson encoder;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private @Nullable OtlpConfig config;
    private @Nullable Thread thread;
    private volatile boolean failing;

    /** Creates a push, which is off at first. */
    public MetricPush(Supplier<MetricSnapshot> metrics, GatewayLog log) {
        this.metrics = metrics;
        this.log = log;
        this.started = Instant.now();
    }

    /** Applies another configuration; null: nothing is pushed. */
    public synchronized void follow(@Nullable OtlpConfig next) {
        if (next != null && next.equals(config)) {
            return;
        }
        end();
        config = next;
        if (next != null) {
            thread = Thread.ofVirtual().name("otlp").start(() -> work(next));
        }
    }

    @Override
    public void collect(MetricSnapshot.Builder snapshot) {
        snapshot.add(Metric.OTLP_PUSHES, sent.get(), "sent");
        snapshot.add(Metric.OTLP_PUSHES, failed.get(), "failed");
    }

    private void work(OtlpConfig to) {
        HttpClient client = HttpClient.newBuilder().connectTimeout(TIME_LIMIT).build();
        try {
            int failures = 0;
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(pause(to.interval(), failures));
                String problem = push(client, to, TIME_LIMIT);
                report(to, problem, failures);
                failures = problem == null ? 0 : failures + 1;
            }
        } catch (InterruptedException ended) {
            // The configuration has changed, or the gateway ends.
        } finally {
            client.shutdownNow(); // close() would wait for an answer
        }
    }

    /** Returns the interval, doubled for each failure in a row but the first. */
    static Duration pause(Duration interval, int failures) {
        Duration longest = interval.compareTo(PAUSE_MAX) > 0 ? interval : PAUSE_MAX;
        Duration pause = interval;
        for (int i = 1; i < failures && pause.compareTo(longest) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        return pause.compareTo(longest) < 0 ? pause : longest;
    }

    /** Pushes once; returns null, or why it failed. */
    private @Nullable String push(HttpClient client, OtlpConfig to, Duration limit) throws InterruptedException {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(to.endpoint())
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofByteArray(encoder().encode(metrics.get())));
            to.headers().forEach(header -> request.setHeader(header.name(), header.value()));
            int status = status(client.sendAsync(request.build(), BodyHandlers.discarding()), limit);
            return status >= SUCCESS && status < REDIRECTION ? null : "status " + status;
        } catch (TimeoutException e) {
            return "no whole answer within " + limit.toSeconds() + " s";
        } catch (ExecutionException e) {
            return PlainCause.of(e.getCause() == null ? e : e.getCause());
        } catch (RuntimeException e) {
            return "internal error, please report it: " + ForeignText.cut(e.toString());
        }
    }

    /** Returns the status of a whole answer: a request's own time limit ends with the head of its answer. */
    private static int status(CompletableFuture<HttpResponse<Void>> answer, Duration limit)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS).statusCode();
        } finally {
            answer.cancel(true);
        }
    }

    private OtlpJson encoder() {
        OtlpJson known = encoder;
        if (known == null) {
            known = new OtlpJson(resource(), started);
            encoder = known;
        }
        return known;
    }

    /** Returns the attributes of this process, by OpenTelemetry's conventions. */
    private static Map<String, String> resource() {
        Map<String, String> resource = new TreeMap<>(Map.of(
                "service.name", "sluice",
                "service.instance.id", UUID.randomUUID().toString(),
                "process.pid", Long.toString(ProcessHandle.current().pid())));
        try {
            resource.put("host.name", Files.readString(HOSTNAME).strip());
        } catch (IOException nameless) {
            // The collector knows the address.
        }
        return resource;
    }

    private void report(OtlpConfig to, @Nullable String problem, int failuresBefore) {
        (problem == null ? sent : failed).incrementAndGet();
        failing = problem != null;
        if (problem != null && failuresBefore == 0) {
            log.warn("metrics: push to " + to.endpoint() + " failed (" + problem
                    + "); retried, the next one has all counts; check the collector, or metrics.otlp");
        } else if (problem == null && failuresBefore > 0) {
            log.info("metrics: pushed to " + to.endpoint() + " again after " + failuresBefore + " failures");
        }
    }

    private void end() {
        Thread running = thread;
        thread = null;
        if (running != null) {
            running.interrupt();
        }
    }

    /** Pushes once more, unless the collector failed last, and ends. Idempotent. */
    @Override
    public synchronized void close() {
        end();
        OtlpConfig last = config;
        config = null;
        if (last == null || failing) {
            return;
        }
        HttpClient client =
                HttpClient.newBuilder().connectTimeout(LAST_TIME_LIMIT).build();
        try {
            String problem = push(client, last, LAST_TIME_LIMIT);
            (problem == null ? sent : failed).incrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            client.shutdownNow();
        }
    }
}
