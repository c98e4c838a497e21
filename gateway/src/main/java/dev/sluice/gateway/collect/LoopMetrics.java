package dev.sluice.gateway.collect;

import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricCollector;
import dev.sluice.gateway.metrics.MetricSnapshot;
import dev.sluice.gateway.session.GatewayLoop;
import dev.sluice.net.LoopStatistics;
import dev.sluice.net.LoopStatistics.Counter;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The collector of event loops' own counters and CPU time. */
public final class LoopMetrics implements MetricCollector {
    /** The shortest time over which utilization is measured: several scrapers must not make it jump. */
    private static final long RATIO_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);

    private static final double NANOS_PER_SECOND = 1e9;

    private final List<One> loops;

    public LoopMetrics(List<GatewayLoop> loops) {
        this.loops = loops.stream().map(One::new).toList();
    }

    @Override
    public void collect(MetricSnapshot.Builder snapshot) {
        loops.forEach(loop -> loop.collect(snapshot));
    }

    /** One loop and its CPU time so far. */
    private static final class One {
        private final GatewayLoop loop;
        private final String name;
        private long cpuNanos;
        private long ratioCpuNanos;
        private long ratioSince = System.nanoTime();
        private double ratio;

        One(GatewayLoop loop) {
            this.loop = loop;
            this.name = loop.eventLoop().name();
        }

        void collect(MetricSnapshot.Builder snapshot) {
            LoopStatistics counts = loop.eventLoop().statistics();
            snapshot.add(Metric.LOOP_TURNS, counts.get(Counter.TURNS), name);
            snapshot.add(Metric.LOOP_SYSTEM_CALLS, counts.get(Counter.SYSTEM_CALLS), name);
            snapshot.add(Metric.LOOP_EVENTS, counts.get(Counter.EVENTS), name);
            snapshot.add(Metric.LOOP_CONNECTIONS, counts.openConnections(), name);
            snapshot.add(Metric.LOOP_BYTES, counts.get(Counter.BYTES_RECEIVED), name, "received");
            snapshot.add(Metric.LOOP_BYTES, counts.get(Counter.BYTES_SENT), name, "sent");
            snapshot.add(Metric.LOOP_BYTES_COPIED, counts.get(Counter.BYTES_COPIED), name);
            snapshot.add(Metric.LOOP_BUFFERS_LEASED, loop.eventLoop().leasedBuffers(), name);
            snapshot.add(Metric.LOOP_BUFFER_SHORTAGES, counts.get(Counter.BUFFER_SHORTAGES), name);
            snapshot.add(Metric.LOOP_ACCEPT_FAILURES, counts.get(Counter.ACCEPT_FAILURES), name);
            snapshot.add(Metric.LOOP_UNCAUGHT, counts.get(Counter.UNCAUGHT), name);
            processor(snapshot);
        }

        private synchronized void processor(MetricSnapshot.Builder snapshot) {
            long thread = loop.threadId();
            long read = thread == 0 ? 0 : ManagementFactory.getThreadMXBean().getThreadCpuTime(thread);
            cpuNanos = Math.max(cpuNanos, read); // 0 or less once the thread has ended
            long now = System.nanoTime();
            if (now - ratioSince >= RATIO_NANOS_MIN) {
                ratio = Math.min(1, (cpuNanos - ratioCpuNanos) / (double) (now - ratioSince));
                ratioSince = now;
                ratioCpuNanos = cpuNanos;
            }
            snapshot.add(Metric.LOOP_CPU, cpuNanos / NANOS_PER_SECOND, name);
            snapshot.add(Metric.LOOP_BUSY_RATIO, ratio, name);
        }
    }
}
