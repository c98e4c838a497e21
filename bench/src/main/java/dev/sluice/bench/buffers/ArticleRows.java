package dev.sluice.bench.buffers;

import dev.sluice.bench.buffers.work.BufferKind;
import dev.sluice.bench.buffers.work.BufferUse;
import dev.sluice.bench.buffers.work.FileChange;
import dev.sluice.bench.buffers.work.TaskKind;
import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The experiments of "Indirect Effects of Allocate Direct", Canva, November 2020, and its application. Published on
 * Java 13 and an EC2 m5.large.
 *
 * @param make makes treatments
 */
record ArticleRows(TaskFactory make) {
    private static final List<BufferKind> BOTH = List.of(BufferKind.HEAP, BufferKind.DIRECT);
    private static final List<Integer> SIZES = List.of(128, 1024, 16_384);
    private static final int CHASED_BYTES = 1024;
    private static final String DIRECT_LIMIT = "-XX:MaxDirectMemorySize=";
    private static final List<String> APPLICATION_HEAP = List.of("-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch");

    /** Returns alloc1, with alloc4 in it, reverse, and order. */
    List<Experiment> benchmarks() {
        List<Experiment> experiments = new ArrayList<>();
        SIZES.forEach(bytes -> experiments.add(allocation(bytes)));
        experiments.add(reverse());
        experiments.add(order());
        return experiments;
    }

    private Experiment allocation(int bytes) {
        List<TaskTreatment> treatments = new ArrayList<>();
        for (GarbageCollector collector : GarbageCollector.values()) {
            BOTH.forEach(kind -> treatments.add(allocation(kind, collector, bytes)));
        }
        treatments.add(allocation(BufferKind.HEAP_WITHOUT_TLAB, GarbageCollector.G1, bytes));
        return make.experiment(
                "article-alloc-" + bytes,
                "Article, alloc1 and alloc4, a buffer left to the collector: " + TaskFactory.size(bytes),
                OperationTime.NANOS,
                treatments);
    }

    private TaskTreatment allocation(BufferKind kind, GarbageCollector collector, int bytes) {
        return make.brief(
                TaskFactory.under(kind.identity(), collector),
                onAllCores("article " + kind, collector, TaskFactory.collectedOften(kind.flags())),
                TaskKind.ALLOCATE.request(kind.name(), bytes, 1, BufferUse.UNTOUCHED.name()),
                OperationTime.NANOS);
    }

    private Experiment reverse() {
        List<TaskTreatment> treatments = new ArrayList<>();
        for (FileChange change : FileChange.values()) {
            for (BufferKind kind : BOTH) {
                treatments.add(make.last(
                        peer(kind.identity().name() + ", " + change.label()),
                        onAllCores("reverse " + kind + " " + change, GarbageCollector.G1, List.of()),
                        TaskKind.COPY.request(
                                kind.name(), change.name(), make.pool().directory()),
                        OperationTime.MILLIS));
            }
        }
        return make.experiment(
                "article-reverse",
                "Article, reverse: 64 MiB from one file to another",
                OperationTime.MILLIS,
                treatments);
    }

    private Experiment order() {
        List<TaskTreatment> treatments = List.of(sum("direct, big-endian", "BIG"), sum("direct, native", "NATIVE"));
        return make.experiment(
                "article-order",
                "Article, order: the sum of the longs in a direct buffer",
                OperationTime.PER_GIB,
                treatments);
    }

    private TaskTreatment sum(String name, String order) {
        return make.last(
                peer(name),
                onAllCores("sum " + order, GarbageCollector.G1, List.of()),
                TaskKind.SUM.request(order),
                OperationTime.PER_GIB);
    }

    /** Returns the application: what its collector's pauses make of direct buffers. */
    Experiment echo() {
        List<TaskTreatment> treatments = new ArrayList<>();
        for (GarbageCollector collector : GarbageCollector.values()) {
            BOTH.forEach(kind -> treatments.add(echo(kind, collector)));
        }
        return make.ofApplications(
                "article-echo",
                "Article, echo: messages of 256 to 1,023 bytes, each copied to a new buffer by both sides",
                OperationTime.MICROS,
                new GcPauses(Path.of("")),
                treatments);
    }

    private TaskTreatment echo(BufferKind kind, GarbageCollector collector) {
        String name = "echo " + kind;
        Path log = make.pool().file(name + " " + collector, ".gc");
        List<String> flags = new ArrayList<>(APPLICATION_HEAP);
        flags.add(GcPauses.flag(log));
        return make.application(
                TaskFactory.under(kind.identity(), collector),
                onAllCores(name, collector, flags),
                TaskKind.ECHO.request(kind.name()),
                OperationTime.MICROS,
                new GcPauses(log));
    }

    /** Returns the memory chasers: endless allocation of buffers that nobody keeps. */
    Experiment chasers() {
        List<TaskTreatment> treatments = new ArrayList<>();
        for (GarbageCollector collector : GarbageCollector.values()) {
            treatments.add(chaser(BufferKind.HEAP, collector, ""));
            treatments.add(chaser(BufferKind.DIRECT, collector, ""));
            treatments.add(chaser(BufferKind.DIRECT, collector, "64m"));
        }
        treatments.add(chaser(BufferKind.ARENA_AUTO, GarbageCollector.G1, ""));
        return make.ofApplications(
                "article-chasers",
                "Article, memory chasers: endless allocation of 1 KiB, heap of 512 MiB",
                OperationTime.NANOS,
                new PeakMemory(),
                treatments);
    }

    private TaskTreatment chaser(BufferKind kind, GarbageCollector collector, String limit) {
        String name = kind.identity().name() + (limit.isEmpty() ? "" : ", " + DIRECT_LIMIT + limit);
        return make.application(
                TaskFactory.under(peer(name), collector),
                onAllCores("chaser " + name, collector, limit.isEmpty() ? List.of() : List.of(DIRECT_LIMIT + limit)),
                TaskKind.ALLOCATE.request(kind.name(), CHASED_BYTES, 1, BufferUse.TOUCHED.name()),
                OperationTime.NANOS,
                new PeakMemory());
    }

    /** Returns the time until the error, when all direct memory is in use. */
    Experiment exhaustion() {
        List<TaskTreatment> treatments = new ArrayList<>();
        Arrays.stream(GarbageCollector.values())
                .forEach(collector -> treatments.add(exhaustion(BufferKind.DIRECT, collector, "")));
        treatments.add(exhaustion(BufferKind.DIRECT, GarbageCollector.G1, "-XX:+DisableExplicitGC"));
        treatments.add(exhaustion(BufferKind.ARENA_AUTO, GarbageCollector.G1, ""));
        return make.ofApplications(
                "exhaustion",
                "An allocation when all direct memory is in use: time until the OutOfMemoryError",
                OperationTime.MILLIS,
                Observation.NONE,
                treatments);
    }

    private TaskTreatment exhaustion(BufferKind kind, GarbageCollector collector, String flag) {
        String name = kind.identity().name() + (flag.isEmpty() ? "" : ", " + flag);
        List<String> flags = new ArrayList<>(List.of(DIRECT_LIMIT + "16m"));
        if (!flag.isEmpty()) {
            flags.add(flag);
        }
        return make.last(
                TaskFactory.under(peer(name), collector),
                onAllCores("exhaustion " + name, collector, flags),
                TaskKind.EXHAUST.request(kind.name()),
                OperationTime.MILLIS);
    }

    private static WorkerSetup onAllCores(String name, GarbageCollector collector, List<String> flags) {
        return TaskFactory.setup(name, collector, flags, WorkerSetup.Placement.ALL_CORES);
    }

    private static Identity peer(String name) {
        return Identity.of(name, Role.PEER);
    }
}
