package dev.sluice.gateway;

import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.PageBuilder;
import dev.sluice.net.LoopStatistics;
import dev.sluice.net.LoopStatistics.Counter;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What event loops do, and how busy they are. */
final class LoopMetrics implements GatewayMetrics.Part {
    /** A ratio is taken over so long at least: several who scrape must not make it jump. */
    private static final long RATIO_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);

    private static final double NANOS_PER_SECOND = 1e9;

    private final List<One> loops;

    LoopMetrics(List<GatewayLoop> loops) {
        this.loops = loops.stream().map(One::new).toList();
    }

    @Override
    public void collect(PageBuilder page) {
        loops.forEach(loop -> loop.collect(page));
    }

    /** One loop, and what is known of its processor time. */
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

        void collect(PageBuilder page) {
            LoopStatistics counts = loop.eventLoop().statistics();
            page.add(Metric.LOOP_TURNS, counts.get(Counter.TURNS), name);
            page.add(Metric.LOOP_SYSTEM_CALLS, counts.get(Counter.SYSTEM_CALLS), name);
            page.add(Metric.LOOP_EVENTS, counts.get(Counter.EVENTS), name);
            page.add(Metric.LOOP_CONNECTIONS, counts.openConnections(), name);
            page.add(Metric.LOOP_BYTES, counts.get(Counter.BYTES_RECEIVED), name, "received");
            page.add(Metric.LOOP_BYTES, counts.get(Counter.BYTES_SENT), name, "sent");
            page.add(Metric.LOOP_BYTES_COPIED, counts.get(Counter.BYTES_COPIED), name);
            page.add(Metric.LOOP_BUFFERS_LEASED, loop.eventLoop().leasedBuffers(), name);
            page.add(Metric.LOOP_BUFFER_SHORTAGES, counts.get(Counter.BUFFER_SHORTAGES), name);
            page.add(Metric.LOOP_ACCEPT_FAILURES, counts.get(Counter.ACCEPT_FAILURES), name);
            page.add(Metric.LOOP_UNCAUGHT, counts.get(Counter.UNCAUGHT), name);
            processor(page);
        }

        private synchronized void processor(PageBuilder page) {
            long thread = loop.threadId();
            long told = thread == 0 ? 0 : ManagementFactory.getThreadMXBean().getThreadCpuTime(thread);
            cpuNanos = Math.max(cpuNanos, told); // of a thread that has ended nothing is known any more
            long now = System.nanoTime();
            if (now - ratioSince >= RATIO_NANOS_MIN) {
                ratio = Math.min(1, (cpuNanos - ratioCpuNanos) / (double) (now - ratioSince));
                ratioSince = now;
                ratioCpuNanos = cpuNanos;
            }
            page.add(Metric.LOOP_CPU, cpuNanos / NANOS_PER_SECOND, name);
            page.add(Metric.LOOP_BUSY_RATIO, ratio, name);
        }
    }
}
