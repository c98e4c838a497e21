package dev.sluice.gateway.alerts;

import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricPage;
import dev.sluice.gateway.metrics.MetricSample;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What alerts are measured by: a page, and what counters did of late.
 *
 * @param page the newest
 * @param window which has that page in it
 * @param minimumHandshakes so many in the window tell something
 */
record Situation(MetricPage page, CounterWindow window, int minimumHandshakes) {
    /** How many names a message tells; more would not help. */
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

    /** Which of several counters has gone up most; null: none has. */
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
        int loops = Series.of(page, Metric.LOOP_TURNS).values("loop").size();
        return loops == 0 ? Measured.NOTHING : Measured.of(window.rate(Tally.CRYPTO_SECONDS) / loops);
    }

    /**
     * How many seconds are left until the first of several points in time; below 0 when it is past.
     *
     * @param label which tells whose time it is
     */
    Measured secondsLeft(Metric metric, String label) {
        Series series = Series.of(page, metric);
        return series.least()
                .map(first -> new Measured(first.value() - now(), series.label(first, label)))
                .orElse(Measured.NOTHING);
    }

    /** How many seconds ago the earliest of several points in time was; 0, that there was none yet, is none. */
    Measured secondsSince(Metric metric) {
        return Series.of(page, metric)
                .whose(time -> time > 0)
                .least()
                .map(first -> Measured.of(now() - first.value()))
                .orElse(Measured.NOTHING);
    }

    /** The value of a metric that has one series. */
    Measured value(Metric metric) {
        List<MetricSample> samples = page.samples(metric.family());
        return samples.isEmpty()
                ? Measured.NOTHING
                : Measured.of(samples.getFirst().value());
    }

    /** Backends without a server that is up, and their names. */
    Measured backendsDown() {
        Series servers = Series.of(page, Metric.BACKEND_UP);
        List<String> up = servers.whose(value -> value > 0).values("backend");
        return counted(servers.values("backend").stream()
                .filter(backend -> !up.contains(backend))
                .toList());
    }

    /** Servers that are not up, and their names. */
    Measured serversDown() {
        Series down = Series.of(page, Metric.BACKEND_UP).whose(value -> value == 0);
        return new Measured(down.count(), counted(down.values("server")).subject());
    }

    private static Measured counted(List<String> names) {
        return new Measured(names.size(), names.stream().limit(NAMES_TOLD).collect(Collectors.joining(", ")));
    }

    Measured connections() {
        double most = page.sum(Metric.ADMISSION_CONNECTIONS_MAX.family());
        return most > 0 ? Measured.of(page.sum(Metric.CONNECTIONS.family()) / most) : Measured.NOTHING;
    }

    /** Certificates whose files cannot be used, and the names of their entries. */
    Measured certificatesUnusable() {
        Series unusable = Series.of(page, Metric.TLS_CERTIFICATE_FILES_UNUSABLE);
        return new Measured(unusable.sum(), counted(unusable.values("name")).subject());
    }

    /** How OCSP responses stand. */
    Staples staples() {
        return new Staples(page);
    }

    Measured reloadFailed() {
        Measured succeeded = value(Metric.CONFIG_RELOAD_SUCCESSFUL);
        return Double.isNaN(succeeded.value()) ? succeeded : Measured.of(succeeded.value() > 0 ? 0 : 1);
    }

    private double now() {
        return page.time().toEpochMilli() / 1e3;
    }
}
