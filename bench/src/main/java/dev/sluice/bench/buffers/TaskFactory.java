package dev.sluice.bench.buffers;

import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A factory for treatments and experiments.
 *
 * @param pool the processes
 * @param effort the effort of the run
 */
record TaskFactory(WorkerPool pool, BufferEffort effort) {
    private static final List<String> HEAP = List.of("-Xms512m", "-Xmx512m");
    private static final int KIB = 1024;

    /** Returns the identity of one of the JDK's ways under a collector. */
    static Identity under(Identity who, GarbageCollector collector) {
        return Identity.of(who.name() + ", " + collector.label(), Role.PEER);
    }

    /** Returns the setup of a process on one core under G1, with a heap of 512 MiB. */
    static WorkerSetup onOneCore(String name, List<String> flags) {
        return setup(name, GarbageCollector.G1, flags, WorkerSetup.Placement.ONE_CORE);
    }

    /** Returns the setup of a process with a heap of 512 MiB, unless the options set another one. */
    static WorkerSetup setup(
            String name, GarbageCollector collector, List<String> more, WorkerSetup.Placement placement) {
        List<String> flags = new ArrayList<>(HEAP);
        flags.add(collector.flag());
        flags.addAll(more);
        return new WorkerSetup(name + " " + collector.label(), flags, placement);
    }

    /**
     * Returns options with which the collector runs in each round, so that rounds are alike: 256 MiB of direct memory,
     * and for G1 a young generation of 16 MiB.
     */
    static List<String> collectedOften(List<String> more) {
        List<String> flags = new ArrayList<>(List.of("-Xmn16m", "-XX:MaxDirectMemorySize=256m"));
        flags.addAll(more);
        return flags;
    }

    /** Returns a treatment of short operations, whose process is kept. */
    TaskTreatment brief(Identity who, WorkerSetup setup, String task, OperationTime time) {
        return new TaskTreatment(who, pool, setup, brief(task, time, TaskTreatment.After.KEEP), Observation.NONE);
    }

    /** Returns a treatment of short operations, whose process is ended with the experiment. */
    TaskTreatment last(Identity who, WorkerSetup setup, String task, OperationTime time) {
        return new TaskTreatment(who, pool, setup, brief(task, time, TaskTreatment.After.END), Observation.NONE);
    }

    private TaskTreatment.Work brief(String task, OperationTime time, TaskTreatment.After after) {
        return new TaskTreatment.Work(task, time, effort.warmupMillis(), effort.roundMillis(), after);
    }

    /** Returns a treatment that runs for seconds, whose process is ended with the experiment. */
    TaskTreatment application(
            Identity who, WorkerSetup setup, String task, OperationTime time, Observation observation) {
        TaskTreatment.Work work =
                new TaskTreatment.Work(task, time, effort.warmupMillis(), effort.appMillis(), TaskTreatment.After.END);
        return new TaskTreatment(who, pool, setup, work, observation);
    }

    /** Returns an experiment with short rounds. */
    Experiment experiment(String name, String title, OperationTime time, List<TaskTreatment> treatments) {
        return new Experiment(
                        name, title, time.metric(), TaskTreatment.others(Observation.NONE), treatments, effort.plan())
                .withControl();
    }

    /** Returns an experiment with the rounds of applications. */
    Experiment ofApplications(
            String name, String title, OperationTime time, Observation observation, List<TaskTreatment> treatments) {
        return new Experiment(
                        name, title, time.metric(), TaskTreatment.others(observation), treatments, effort.appPlan())
                .withControl();
    }

    /** Returns a number of bytes for display. */
    static String size(int bytes) {
        if (bytes % (KIB * KIB) == 0) {
            return bytes / (KIB * KIB) + " MiB";
        }
        return bytes % KIB == 0 ? bytes / KIB + " KiB" : String.format(Locale.ROOT, "%d B", bytes);
    }
}
