package dev.sluice.bench.jsse;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.load.LoadRequest;
import dev.sluice.bench.load.Scenario;
import dev.sluice.bench.process.Site;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server of HTTPS: requests over persistent connections, one in flight on each. */
final class HttpsTreatment implements Treatment {
    /** Requests per second of CPU time of the server's whole process, including kernel and JIT compiler. */
    static final Metric RATE = Metric.rate("requests_per_cpu_second", "requests per CPU s");
    /** Requests per second as they passed. */
    static final Metric PASSED = Metric.rate("requests_per_second", "requests/s");
    /** Bytes allocated on the heap. */
    static final Metric HEAP = Metric.cost("heap_bytes", "heap B per request");
    /** The used share of the server's core. */
    static final Metric BUSY = Metric.rate("server_busy_cores", "server busy");
    /** The JIT compiler's share of the server's CPU time; near 0 for a warm server. */
    static final Metric JIT_SHARE = Metric.cost("jit_share", "JIT share");

    static final List<Metric> OTHERS = List.of(PASSED, HEAP, BUSY, JIT_SHARE);

    /** Connections at a time. */
    static final int CONNECTIONS = 64;

    private static final List<String> HEAP_FLAGS = List.of("-Xms512m", "-Xmx512m");
    private static final double NANOS_PER_SECOND = 1e9;

    private final Site site;
    private final LoadProcess load;
    private final Contender contender;
    private final JsseEffort effort;
    private @Nullable ServerProcess server;

    HttpsTreatment(Site site, LoadProcess load, Contender contender, JsseEffort effort) {
        this.site = site;
        this.load = load;
        this.contender = contender;
        this.effort = effort;
    }

    @Override
    public Identity identity() {
        return contender.identity();
    }

    @Override
    public void start() {
        ServerProcess started = ServerProcess.start(site, contender, HEAP_FLAGS);
        server = started;
        prepare(started, effort.warmupRequests());
        load.go();
        load.finish();
    }

    @Override
    public Sample round() {
        ServerProcess measured = server;
        if (measured == null) {
            throw new IllegalStateException(
                    "the server has not started, name=" + identity().name());
        }
        prepare(measured, effort.requests());
        double allocated = measured.allocatedBytes();
        double compiler = measured.compilerNanos();
        double cpu = measured.cpuNanos();
        double nanos = load.go();
        cpu = measured.cpuNanos() - cpu;
        compiler = measured.compilerNanos() - compiler;
        allocated = measured.allocatedBytes() - allocated;
        load.finish();
        double requests = effort.requests();
        return Sample.of(RATE, requests / cpu * NANOS_PER_SECOND)
                .with(PASSED, requests / nanos * NANOS_PER_SECOND)
                .with(HEAP, allocated / requests)
                .with(BUSY, cpu / nanos)
                .with(JIT_SHARE, compiler / cpu);
    }

    private void prepare(ServerProcess to, int requests) {
        load.prepare(new LoadRequest(Scenario.Kind.PAGES, to.port(), true, CONNECTIONS, requests));
    }

    @Override
    public void stop() {
        if (server != null) {
            server.close();
            server = null;
        }
    }
}
