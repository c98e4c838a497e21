package dev.sluice.bench.jsse;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.idle.CrowdProcess;
import dev.sluice.bench.process.JvmHeap;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.process.Usage;
import java.util.List;

/**
 * A server with many connections, each with a virtual thread that waits for bytes: fresh processes open a part of them,
 * which covers one-time set-up, and then all; memory is the growth in between, divided by the number. Then messages
 * pass over all of them, in turn.
 *
 * <p>The server's heap is committed and touched from the start, so that private memory beside it is native memory.
 *
 * @param contender the measured server
 * @param connections all connections
 * @param messages messages of a round
 */
record ConnectionsTreatment(Site site, Contender contender, int connections, int messages) implements Treatment {
    static final Metric MEMORY = Metric.cost("connection_kib", "KiB per connection");
    static final Metric HEAP = Metric.cost("heap_kib", "of it live heap");
    static final Metric NATIVE = Metric.cost("native_kib", "of it native");
    static final Metric CPU =
            Metric.cost("message_cpu_micros", "CPU µs per message").withRatio();
    static final Metric GARBAGE = Metric.cost("message_heap_bytes", "heap B per message");
    static final Metric OPENING =
            Metric.cost("opening_cpu_micros", "CPU µs per connection opened").withRatio();

    static final List<Metric> OTHERS = List.of(HEAP, NATIVE, CPU, GARBAGE, OPENING);

    /** The part that is open before the others are counted. */
    private static final double FEW = 0.2;

    private static final List<String> HEAP_FLAGS = List.of("-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch");
    private static final double KIB = 1024;
    private static final double NANOS_PER_MICRO = 1e3;

    @Override
    public Identity identity() {
        return contender.identity();
    }

    @Override
    public Sample round() throws InterruptedException {
        try (ServerProcess server = ServerProcess.start(site, contender, HEAP_FLAGS);
                CrowdProcess clients = CrowdProcess.start(site, 0)) {
            int few = (int) (connections * FEW);
            clients.keep(server.port(), few);
            clients.talk(messages); // compiles the path of messages, too
            Memory before = Memory.of(server.pid());
            double opening = server.cpuNanos();
            clients.keep(server.port(), connections - few);
            opening = server.cpuNanos() - opening;
            Memory growth = Memory.of(server.pid()).minus(before);
            double garbage = server.allocatedBytes();
            double cpu = server.cpuNanos();
            clients.talk(messages);
            cpu = server.cpuNanos() - cpu;
            garbage = server.allocatedBytes() - garbage;
            double added = connections - few;
            return Sample.of(MEMORY, (growth.heap + growth.privately) / added / KIB)
                    .with(HEAP, growth.heap / added / KIB)
                    .with(NATIVE, growth.privately / added / KIB)
                    .with(CPU, cpu / messages / NANOS_PER_MICRO)
                    .with(GARBAGE, garbage / messages)
                    .with(OPENING, opening / added / NANOS_PER_MICRO);
        }
    }

    /**
     * The memory of a server.
     *
     * @param heap live bytes
     * @param privately private bytes, including the whole heap, which does not change
     */
    private record Memory(double heap, double privately) {
        static Memory of(long pid) throws InterruptedException {
            double heap = JvmHeap.liveBytes(pid);
            return new Memory(heap, Usage.anonymousBytes(List.of(pid)));
        }

        Memory minus(Memory other) {
            return new Memory(heap - other.heap, privately - other.privately);
        }
    }
}
