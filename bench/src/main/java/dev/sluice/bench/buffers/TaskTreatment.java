package dev.sluice.bench.buffers;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.process.Answer;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A task of a worker. */
final class TaskTreatment implements Treatment {
    /** CPU time of the process with all its threads: the collector's and the compiler's, too. */
    private static final Metric CPU = Metric.cost("cpu_nanos", "CPU ns");

    /** Bytes allocated on the Java heap by all threads. */
    private static final Metric HEAP = Metric.cost("heap_bytes", "heap B");

    private final Identity identity;
    private final WorkerPool pool;
    private final WorkerSetup setup;
    private final Work work;
    private final Observation observation;

    TaskTreatment(Identity identity, WorkerPool pool, WorkerSetup setup, Work work, Observation observation) {
        this.identity = identity;
        this.pool = pool;
        this.setup = setup;
        this.work = work;
        this.observation = observation;
    }

    /**
     * The work of a treatment.
     *
     * @param task a task and its arguments, as the worker takes them
     * @param time the unit of the result
     * @param warmupMillis duration before the first round
     * @param roundMillis duration of a round
     * @param after the worker after the last round
     */
    record Work(String task, OperationTime time, int warmupMillis, int roundMillis, After after) {}

    /** The ends of a worker's task. */
    enum After {
        /** The process is kept for other tasks. */
        KEEP,
        /** The process is ended, since the task leaves memory behind or needs much of it. */
        END
    }

    /** Returns the metrics besides the time. */
    static List<Metric> others(Observation observation) {
        List<Metric> metrics = new ArrayList<>(List.of(CPU, HEAP));
        metrics.addAll(observation.metrics());
        return metrics;
    }

    @Override
    public Identity identity() {
        return identity;
    }

    @Override
    public void start() {
        pool.running(setup).ask("begin", work.warmupMillis, work.task);
    }

    @Override
    public Sample round() {
        AskedProcess worker = pool.running(setup);
        observation.before();
        long cpuBefore = Usage.cpuNanos(List.of(worker.pid()));
        Answer answer = worker.ask("round", work.roundMillis);
        long cpu = Usage.cpuNanos(List.of(worker.pid())) - cpuBefore;
        double operations = answer.number("operations");
        double nanos = answer.number("nanos");
        Sample sample = Sample.of(work.time.metric(), nanos / operations / work.time.nanos())
                .with(CPU, cpu / operations)
                .with(HEAP, answer.number("heap") / operations);
        return observation.after(sample, worker.pid(), nanos / TimeUnit.SECONDS.toNanos(1));
    }

    @Override
    public void stop() {
        try {
            if (work.after == After.KEEP) {
                pool.running(setup).ask("end");
            }
        } catch (BenchException e) {
            pool.end(setup); // It failed in a round, which was reported.
        }
        if (work.after == After.END) {
            pool.end(setup);
        }
    }
}
