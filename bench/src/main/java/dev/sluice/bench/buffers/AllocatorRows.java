package dev.sluice.bench.buffers;

import dev.sluice.bench.buffers.work.BufferKind;
import dev.sluice.bench.buffers.work.BufferUse;
import dev.sluice.bench.buffers.work.NativeCallKind;
import dev.sluice.bench.buffers.work.TaskKind;
import dev.sluice.bench.harness.Experiment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The experiments of all allocators, and of foreign calls.
 *
 * @param make makes treatments
 */
record AllocatorRows(TaskFactory make) {
    private static final List<Integer> SIZES = List.of(64, 1024, 16_384, 262_144, 4_194_304);
    /** The sizes of a quick run, for all uses but one. */
    private static final List<Integer> SOME_SIZES = List.of(16_384, 4_194_304);

    private static final List<Integer> LIVE_SIZES = List.of(1024, 16_384);
    private static final List<Integer> LIVE_SETS = List.of(128, 8192);
    private static final List<Integer> HAND_OFF_SIZES = List.of(1024, 65_536);

    /** Returns an experiment for each size and use, with one live buffer. */
    List<Experiment> sizes() {
        List<Experiment> experiments = new ArrayList<>();
        for (BufferUse use : BufferUse.values()) {
            boolean all = make.effort().sizes() == BufferEffort.Sizes.ALL || use == BufferUse.TOUCHED;
            (all ? SIZES : SOME_SIZES).forEach(bytes -> experiments.add(allocation(bytes, 1, use)));
        }
        return experiments;
    }

    /** Returns an experiment for each size and larger number of live buffers. */
    List<Experiment> liveSets() {
        List<Experiment> experiments = new ArrayList<>();
        for (int live : LIVE_SETS) {
            LIVE_SIZES.forEach(bytes -> experiments.add(allocation(bytes, live, BufferUse.TOUCHED)));
        }
        return experiments;
    }

    private Experiment allocation(int bytes, int live, BufferUse use) {
        return make.experiment(
                "allocate-" + bytes + "-live-" + live + "-" + use.name().toLowerCase(Locale.ROOT),
                String.format(
                        Locale.ROOT,
                        "A buffer allocated and freed, %s, %s: %s",
                        use.label(),
                        live == 1 ? "one live" : String.format(Locale.ROOT, "%,d live", live),
                        TaskFactory.size(bytes)),
                OperationTime.NANOS,
                Arrays.stream(BufferKind.values())
                        .map(kind -> allocation(kind, bytes, live, use))
                        .toList());
    }

    private TaskTreatment allocation(BufferKind kind, int bytes, int live, BufferUse use) {
        WorkerSetup setup = TaskFactory.onOneCore("allocate " + kind, TaskFactory.collectedOften(kind.flags()));
        String task = TaskKind.ALLOCATE.request(kind.name(), bytes, live, use.name());
        return kind.release() == BufferKind.Release.NEVER
                ? make.last(kind.identity(), setup, task, OperationTime.NANOS)
                : make.brief(kind.identity(), setup, task, OperationTime.NANOS);
    }

    /** Returns an experiment for each size, of the allocators whose buffers any thread may free. */
    List<Experiment> handOffs() {
        return HAND_OFF_SIZES.stream().map(this::handOff).toList();
    }

    private Experiment handOff(int bytes) {
        return make.experiment(
                "hand-off-" + bytes,
                "A buffer allocated by one thread and freed by another: " + TaskFactory.size(bytes),
                OperationTime.NANOS,
                Arrays.stream(BufferKind.values())
                        .filter(kind -> mayBeFreedByAnother(kind))
                        .map(kind -> make.brief(
                                kind.identity(),
                                TaskFactory.setup(
                                        "hand-off " + kind,
                                        GarbageCollector.G1,
                                        TaskFactory.collectedOften(kind.flags()),
                                        WorkerSetup.Placement.ALL_CORES),
                                TaskKind.HAND_OFF.request(kind.name(), bytes),
                                OperationTime.NANOS))
                        .toList());
    }

    private static boolean mayBeFreedByAnother(BufferKind kind) {
        return switch (kind.release()) {
            case ANY_THREAD, COLLECTOR -> true;
            case OWN_THREAD, NEVER -> false;
        };
    }

    /** Returns an experiment for each group of foreign calls. */
    List<Experiment> calls() {
        return Arrays.stream(NativeCallKind.Group.values()).map(this::calls).toList();
    }

    private Experiment calls(NativeCallKind.Group group) {
        return make.experiment(
                "calls-" + group.name().toLowerCase(Locale.ROOT),
                "A foreign call: " + group.label(),
                OperationTime.NANOS,
                Arrays.stream(NativeCallKind.values())
                        .filter(kind -> kind.group() == group)
                        .map(kind -> make.last(
                                kind.identity(),
                                TaskFactory.onOneCore("call " + kind, List.of()),
                                TaskKind.CALL.request(kind.name()),
                                OperationTime.NANOS))
                        .toList());
    }
}
