package dev.sluice.gateway;

import dev.sluice.gateway.GatewayStatistics.Counter;
import dev.sluice.gateway.backend.ServerStatus;
import dev.sluice.gateway.counters.CounterTable;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.PageBuilder;
import java.util.List;
import java.util.Map;

/** How servers are, and what connections to them came to. */
final class BackendMetrics implements GatewayMetrics.Part {
    private final List<LoopCounters> loops;
    private final Backends backends;

    BackendMetrics(List<LoopCounters> loops, Backends backends) {
        this.loops = List.copyOf(loops);
        this.backends = backends;
    }

    @Override
    public void collect(PageBuilder page) {
        for (ServerStatus status : backends.statuses()) {
            page.add(
                    Metric.BACKEND_UP,
                    status.state() == ServerStatus.State.UP ? 1 : 0,
                    status.backend(),
                    status.server());
        }
        Map<List<String>, long[]> servers =
                CounterTable.sum(loops.stream().map(LoopCounters::servers).toList());
        servers.forEach((labels, counts) -> server(page, labels.getFirst(), labels.getLast(), counts));
    }

    private static void server(PageBuilder page, String backend, String server, long[] counts) {
        page.add(Metric.BACKEND_CONNECTS, of(counts, Counter.BACKEND_CONNECTS), backend, server);
        page.add(Metric.BACKEND_CONNECT_FAILURES, of(counts, Counter.BACKEND_CONNECT_FAILURES), backend, server);
        page.add(Metric.BACKEND_EJECTIONS, of(counts, Counter.BACKEND_EJECTIONS), backend, server);
        page.add(Metric.BACKEND_HANDSHAKES, of(counts, Counter.BACKEND_HANDSHAKES_FULL), backend, server, "full");
        page.add(Metric.BACKEND_HANDSHAKES, of(counts, Counter.BACKEND_HANDSHAKES_RESUMED), backend, server, "resumed");
        page.add(Metric.BACKEND_HEALTH_CHECKS, of(counts, Counter.HEALTH_CHECKS), backend, server);
        page.add(Metric.BACKEND_HEALTH_CHECK_FAILURES, of(counts, Counter.HEALTH_CHECKS_FAILED), backend, server);
    }

    private static long of(long[] counts, Counter counter) {
        return counts[LoopCounters.column(counter)];
    }
}
