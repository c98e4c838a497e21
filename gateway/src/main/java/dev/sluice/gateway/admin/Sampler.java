package dev.sluice.gateway.admin;

import dev.sluice.config.json.Json;
import dev.sluice.gateway.metrics.MetricSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * A sampler that reads the metrics each second, keeps their history, and publishes updates to open streams. For one
 * thread.
 */
final class Sampler {
    private final Administered gateway;
    private final EventStreams streams;
    private final History history = new History();
    private final LastMinute lastMinute = new LastMinute();
    private @Nullable MetricSnapshot before;
    /** The last sample, for requests on other threads. */
    private volatile @Nullable Snapshot latest;

    Sampler(Administered gateway, EventStreams streams) {
        this.gateway = gateway;
        this.streams = streams;
    }

    /** Takes a sample. */
    void sample() {
        MetricSnapshot now = gateway.metrics();
        boolean first = before == null;
        boolean coarse = before != null && keep(before, now);
        before = now;
        Snapshot snapshot = new Snapshot(now, lastMinute.before(now), gateway.alerts(), gateway.state());
        if (first || coarse) {
            lastMinute.add(now);
        }
        latest = snapshot;
        if (streams.anybody()) {
            streams.publish(news(snapshot, coarse));
        }
    }

    private boolean keep(MetricSnapshot earlier, MetricSnapshot now) {
        history.begin(now.time());
        Interval interval = new Interval(earlier, now, history);
        for (Series series : Series.values()) {
            history.set(series, series.over(interval));
        }
        return history.complete();
    }

    /** Returns the last sample with all of the history. */
    String snapshot() {
        Snapshot known = latest;
        if (known == null) {
            MetricSnapshot now = gateway.metrics();
            known = new Snapshot(now, now, gateway.alerts(), gateway.state());
        }
        return whole(known);
    }

    private String whole(Snapshot snapshot) {
        return Json.of(json -> {
            json.writeStartObject();
            snapshot.writeTo(json, history);
            history.writeTo(json.writeName("history"));
            json.writeEndObject();
        });
    }

    /** Returns an update: without the history but for a new coarse point, since open streams have the rest. */
    private String news(Snapshot snapshot, boolean coarse) {
        return Json.of(json -> {
            json.writeStartObject();
            snapshot.writeTo(json, history);
            if (coarse) {
                history.writeLastCoarseTo(json.writeName("coarse"));
            }
            json.writeEndObject();
        });
    }
}
