package dev.sluice.gateway.alerts;

import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricSample;
import dev.sluice.gateway.metrics.MetricSeries;
import dev.sluice.gateway.metrics.MetricSnapshot;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The input of alert rules: the newest snapshot, and the recent increases of counters.
 *
 * @param snapshot the newest one
 * @param window includes that snapshot
 * @param minimumHandshakes handshakes in the window below which ratios mean nothing
 */
record Situation(MetricSnapshot snapshot, CounterWindow window, int minimumHandshakes) {
    /** The most names in a message. */
    private static final int NAMES_TOLD = 5;

    Measured rate(Tally tally) {
        return Measured.of(window.rate(tally));
    }

    Measured increase(Tally tally) {
        return Measured.of(window.increase(tally));
    }

    Measured share(Tally part, Tally... all) {
        return Measured.of(window.share(part, minimumHandshakes, all));
    }

    /** Returns the counter with the largest increase; null if none has increased. */
    @Nullable
    Tally leading(Collection<Tally> tallies) {
        Tally leading = null;
        for (Tally tally : tallies) {
            double most = leading == null ? 0 : window.increase(leading);
            leading = window.increase(tally) > most ? tally : leading;
        }
        return leading;
    }

    /** Some who get it have not put it first. */
    Measured chaCha20Missed() {
        double served = window.share(Tally.CHACHA20, minimumHandshakes, Tally.CHACHA20_WANTED);
        return Measured.of(Double.isNaN(served) ? served : Math.max(0, 1 - served));
    }

    /** A loop cannot take more than one second of a processor's time per second. */
    Measured cryptography() {
        int loops = snapshot.series(Metric.LOOP_TURNS).values("loop").size();
        return loops == 0 ? Measured.NOTHING : Measured.of(window.rate(Tally.CRYPTO_SECONDS) / loops);
    }

    /**
     * Returns the seconds left until the earliest of several points in time; negative if it has passed.
     *
     * @param label names the subject of each point in time
     */
    Measured secondsLeft(Metric metric, String label) {
        MetricSeries series = snapshot.series(metric);
        return series.least()
                .map(first -> new Measured(first.value() - now(), series.label(first, label)))
                .orElse(Measured.NOTHING);
    }

    /** Returns the seconds since the earliest of several points in time; a time of 0 does not count. */
    Measured secondsSince(Metric metric) {
        return snapshot.series(metric)
                .whose(time -> time > 0)
                .least()
                .map(first -> Measured.of(now() - first.value()))
                .orElse(Measured.NOTHING);
    }

    /** Returns the value of a metric with one series. */
    Measured value(Metric metric) {
        List<MetricSample> samples = snapshot.samples(metric);
        return samples.isEmpty()
                ? Measured.NOTHING
                : Measured.of(samples.getFirst().value());
    }

    /** Returns the number of backends without a server that is up, and their names. */
    Measured backendsDown() {
        MetricSeries servers = snapshot.series(Metric.BACKEND_UP);
        List<String> up = servers.whose(value -> value > 0).values("backend");
        return counted(servers.values("backend").stream()
                .filter(backend -> !up.contains(backend))
                .toList());
    }

    /** Returns the number of servers that are not up, and their names. */
    Measured serversDown() {
        MetricSeries down = snapshot.series(Metric.BACKEND_UP).whose(value -> value == 0);
        return new Measured(down.count(), counted(down.values("server")).subject());
    }

    /** Returns the number of names whose last lookup failed, and their backends. */
    Measured namesFailing() {
        MetricSeries failing = snapshot.series(Metric.BACKEND_NAMES_FAILING).whose(names -> names > 0);
        return new Measured(failing.sum(), counted(failing.values("backend")).subject());
    }

    private static Measured counted(List<String> names) {
        return new Measured(names.size(), names.stream().limit(NAMES_TOLD).collect(Collectors.joining(", ")));
    }

    Measured connections() {
        double most = snapshot.sum(Metric.ADMISSION_CONNECTIONS_MAX);
        return most > 0 ? Measured.of(snapshot.sum(Metric.CONNECTIONS) / most) : Measured.NOTHING;
    }

    /** Returns the number of certificates with unusable files, and the names of their entries. */
    Measured certificatesUnusable() {
        MetricSeries unusable = snapshot.series(Metric.TLS_CERTIFICATE_FILES_UNUSABLE);
        return new Measured(unusable.sum(), counted(unusable.values("name")).subject());
    }

    /** Returns the most attempts in a row that failed to order a certificate, and its name. */
    Measured acmeFailures() {
        MetricSeries failures = snapshot.series(Metric.ACME_FAILURES);
        return failures.most()
                .map(worst -> new Measured(worst.value(), failures.label(worst, "name")))
                .orElse(Measured.NOTHING);
    }

    /** Returns the OCSP responses. */
    StapleState staples() {
        return new StapleState(snapshot);
    }

    Measured reloadFailed() {
        Measured succeeded = value(Metric.CONFIG_RELOAD_SUCCESSFUL);
        return Double.isNaN(succeeded.value()) ? succeeded : Measured.of(succeeded.value() > 0 ? 0 : 1);
    }

    private double now() {
        return snapshot.time().toEpochMilli() / 1e3;
    }
}
