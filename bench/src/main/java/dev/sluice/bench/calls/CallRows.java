package dev.sluice.bench.calls;

import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentRunner;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.PeerLibraries;
import dev.sluice.bench.process.Site;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The experiments with calls. Client and server of a row are processes on a core each. */
public final class CallRows implements AutoCloseable {
    private static final int BLOCK_BYTES = 512 * 1024;
    private static final int SMALL_BYTES = 32;
    private static final int DEPTH = 8;
    private static final List<String> JVM_FLAGS =
            List.of("-Xms256m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:-UsePerfData");

    private static final String PUBLISHED = """
            Published for encrypted gRPC in Go, reads of a file in one process, loopback (i7-9750H): 432 MB/s of \
            10 MB, 530 MB/s of 100 MB, 525 MB/s of 1 GB.
            """;

    private final Site site;
    private final boolean quick;
    private final Experiment.Plan plan;
    private final Map<CallKind, CallTreatment.Sides> rows = new EnumMap<>(CallKind.class);

    private enum Question {
        READ_STRICT("call-read-strict", "Calls with a response of 512 KiB, one after another", SMALL_BYTES, 1),
        READ_PIPELINED("call-read-8", "Calls with a response of 512 KiB, 8 in flight", SMALL_BYTES, DEPTH),
        ECHO_STRICT("call-echo-strict", "Calls with 512 KiB in both directions, one after another", BLOCK_BYTES, 1),
        ECHO_PIPELINED("call-echo-8", "Calls with 512 KiB in both directions, 8 in flight", BLOCK_BYTES, DEPTH);

        private final String name;
        private final String title;
        private final int requestBytes;
        private final int depth;

        Question(String name, String title, int requestBytes, int depth) {
            this.name = name;
            this.title = title;
            this.requestBytes = requestBytes;
            this.depth = depth;
        }

        CallShape shape() {
            return new CallShape(requestBytes, BLOCK_BYTES, depth);
        }
    }

    /**
     * Prepares the rows without starting anything.
     *
     * @param quick true for a quick estimate
     */
    public CallRows(Site site, boolean quick, Experiment.Plan plan) {
        this.site = site;
        this.quick = quick;
        this.plan = plan;
    }

    /** Runs all experiments and prints their tables. */
    public void run(ExperimentRunner runner, Report report, PrintStream results) throws InterruptedException {
        results.println(PUBLISHED);
        for (Question question : Question.values()) {
            results.println(report.experiment(runner.run(experiment(question))));
        }
    }

    private Experiment experiment(Question question) {
        int warmupMillis = quick ? 800 : 2_500;
        int calls = quick ? 400 : 2_000;
        return new Experiment(
                question.name,
                question.title,
                CallTreatment.RATE,
                List.of(CallTreatment.TIME, CallTreatment.CPU, CallTreatment.HEAP),
                List.of(CallKind.values()).stream()
                        .map(kind -> new CallTreatment(kind, () -> sides(kind), question.shape(), warmupMillis, calls))
                        .toList(),
                plan);
    }

    /** Returns the processes of a row; started on first use. */
    private CallTreatment.Sides sides(CallKind kind) {
        return rows.computeIfAbsent(
                kind,
                row -> new CallTreatment.Sides(
                        start(row, "client", site.cores()::onLoadCore),
                        start(row, "server", site.cores()::onServerCore)));
    }

    private AskedProcess start(CallKind kind, String side, UnaryOperator<List<String>> placed) {
        List<String> flags = new ArrayList<>(JVM_FLAGS);
        site.openssl().ifPresent(libraries -> flags.add("-Dsluice.openssl=" + libraries));
        List<String> command =
                new ArrayList<>(JavaCommand.onClassPath(flags, PeerLibraries.classPath(), CallWorker.class.getName()));
        command.addAll(List.of(
                kind.name(),
                site.certificate().chain().toString(),
                site.certificate().key().toString(),
                site.directory().toString()));
        Path log = site.directory().resolve("call-" + kind.name() + "-" + side + ".log");
        return AskedProcess.start(kind.identity().name() + " " + side, placed.apply(command), site.environment(), log);
    }

    @Override
    public void close() {
        rows.values().forEach(CallTreatment.Sides::close);
    }
}
