package dev.sluice.gateway.admin;

import dev.sluice.gateway.metrics.MetricPage;
import org.jspecify.annotations.Nullable;

/** Reads the metrics each second, keeps their history, and has what is new sent to those who watch. For one thread. */
final class Sampler {
    private final Administered gateway;
    private final EventStreams streams;
    private final History history = new History();
    private final LastMinute lastMinute = new LastMinute();
    private @Nullable MetricPage before;
    /** For those who ask in between, on other threads. */
    private volatile @Nullable Snapshot latest;

    Sampler(Administered gateway, EventStreams streams) {
        this.gateway = gateway;
        this.streams = streams;
    }

    /** Takes a sample. */
    void sample() {
        MetricPage page = gateway.metrics();
        boolean first = before == null;
        boolean coarse = before != null && keep(before, page);
        before = page;
        Snapshot snapshot = new Snapshot(page, lastMinute.before(page), gateway.alerts(), gateway.state());
        if (first || coarse) {
            lastMinute.add(page);
        }
        latest = snapshot;
        if (streams.anybody()) {
            streams.publish(news(snapshot, coarse));
        }
    }

    private boolean keep(MetricPage earlier, MetricPage page) {
        history.begin(page.time());
        Interval interval = new Interval(earlier, page, history);
        for (Series series : Series.values()) {
            history.set(series, series.over(interval));
        }
        return history.complete();
    }

    /** The last sample with all of the history. */
    String snapshot() {
        Snapshot known = latest;
        if (known == null) {
            MetricPage page = gateway.metrics();
            known = new Snapshot(page, page, gateway.alerts(), gateway.state());
        }
        return whole(known);
    }

    private String whole(Snapshot snapshot) {
        JsonBuilder json = new JsonBuilder().beginObject();
        snapshot.writeTo(json, history);
        history.writeTo(json.name("history"));
        return json.endObject().toString();
    }

    /** Without the history, but for a coarse point where one was made: who has followed has the rest. */
    private String news(Snapshot snapshot, boolean coarse) {
        JsonBuilder json = new JsonBuilder().beginObject();
        snapshot.writeTo(json, history);
        if (coarse) {
            history.writeLastCoarseTo(json.name("coarse"));
        }
        return json.endObject().toString();
    }
}
