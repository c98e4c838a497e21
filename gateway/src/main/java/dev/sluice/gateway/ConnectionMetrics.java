package dev.sluice.gateway;

import dev.sluice.gateway.GatewayStatistics.Counter;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.PageBuilder;

/** How many clients there are and were, what went through, and who was let in. */
final class ConnectionMetrics implements GatewayMetrics.Part {
    private final GatewayStatistics statistics;
    private final Admission admission;

    ConnectionMetrics(GatewayStatistics statistics, Admission admission) {
        this.statistics = statistics;
        this.admission = admission;
    }

    @Override
    public void collect(PageBuilder page) {
        page.add(Metric.CONNECTIONS, statistics.openConnections());
        page.add(Metric.CONNECTIONS_ACCEPTED, statistics.get(Counter.ACCEPTED));
        statistics.ends().forEach((reason, count) -> page.add(Metric.CONNECTION_ENDS, count, reason));
        page.add(Metric.CONNECTION_BYTES, statistics.get(Counter.BYTES_TO_BACKEND), "to_backend");
        page.add(Metric.CONNECTION_BYTES, statistics.get(Counter.BYTES_TO_CLIENT), "to_client");
        page.add(Metric.ACCESS_LOG_DROPPED, statistics.accessLogDropped());
        admission(page);
    }

    private void admission(PageBuilder page) {
        page.add(Metric.ADMISSION_HANDSHAKES, statistics.get(Counter.HANDSHAKES_ADMITTED), "admitted");
        page.add(Metric.ADMISSION_HANDSHAKES, statistics.get(Counter.HANDSHAKES_REFUSED), "refused");
        page.add(Metric.ADMISSION_QUEUED, statistics.get(Counter.HANDSHAKES_QUEUED));
        page.add(Metric.ADMISSION_TICKETS_REFUSED, statistics.get(Counter.TICKETS_REFUSED));
        page.add(Metric.ADMISSION_IN_FLIGHT, admission.handshakesInFlight());
        page.add(Metric.ADMISSION_CONNECTIONS_MAX, admission.connectionsMax());
    }
}
