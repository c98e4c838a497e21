package dev.sluice.bench.transfer;

import dev.sluice.bench.calls.CallRows;
import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentRunner;
import dev.sluice.bench.harness.ProgressLines;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.mount.MountRows;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.ForeignCpu;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.MachineFacts;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.transfer.files.FilesBenchmark;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The throughput of secure channels, of pulls of files, of calls and of mounts, beside what others have. */
public final class TransferBenchmark {
    private static final int MEBIBYTE = 1024 * 1024;
    private static final List<Integer> BLOCK_MEBIBYTES = List.of(1, 4, 16);
    private static final List<String> JVM_FLAGS =
            List.of("-Xms256m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:-UsePerfData");

    private static final String PUBLISHED = """
            Published for an encrypted connection in Go, AES-256-GCM, over an in-memory pipe (i7-9750H): 2,097 MB/s in \
            writes of 1 MiB, 1,850 MB/s in writes of 4 MiB, 20,617 MB/s without encryption.
            """;

    private final Options options;
    private final Report report;
    private final PrintStream results;
    private final PrintStream progress;

    /** Prepares a run without starting anything. */
    public TransferBenchmark(Options options, Report.Style style, PrintStream results, PrintStream progress) {
        this.options = options;
        this.report = new Report(style);
        this.results = results;
        this.progress = progress;
    }

    /** The parts of a run, in their order. */
    public enum Part {
        /** Blocks of memory through channels. */
        CHANNELS,
        /** Pulls of files beside other tools. */
        FILES,
        /** Pulls over a line with a delay. */
        DELAY,
        /** Requests and responses. */
        CALLS,
        /** Mounted directories. */
        MOUNTS
    }

    /**
     * The options of a run.
     *
     * @param quick true for a quick estimate
     * @param rounds counted rounds of every experiment; empty for the effort's default
     * @param openssl a directory with libssl.so.3 and libcrypto.so.3; empty for the system's
     * @param json file for JSON lines; empty for none
     * @param parts the parts to run
     * @param directory for the files to transfer; empty for that of temporary files
     * @param chart file for an SVG of the pulls; empty for none
     */
    public record Options(
            boolean quick,
            Optional<Integer> rounds,
            Optional<Path> openssl,
            Optional<Path> json,
            Set<Part> parts,
            Optional<Path> directory,
            Optional<Path> chart) {
        private Experiment.Plan plan() {
            return new Experiment.Plan(1, rounds.orElse(quick ? 3 : 11));
        }

        private long roundBytes() {
            return (quick ? 256L : 768L) * MEBIBYTE;
        }
    }

    /** Runs everything. Everything that it starts has ended on return. */
    public void run() throws InterruptedException {
        try (ResultLog log = options.json().map(ResultLog::to).orElseGet(ResultLog::none);
                Site site = Site.create(Cores.choose(), options.openssl())) {
            Map<String, String> facts = new LinkedHashMap<>(MachineFacts.gather());
            log.run(Instant.now(), facts);
            results.println(report.facts(facts));
            ExperimentRunner runner = new ExperimentRunner(log, new ForeignCpu(), new ProgressLines(progress));
            for (Part part : options.parts()) {
                switch (part) {
                    case CHANNELS -> channels(site, runner);
                    case FILES -> {
                        FilesBenchmark files = files(site);
                        Map<String, String> tools = files.facts();
                        log.run(Instant.now(), tools);
                        results.println(report.facts(tools));
                        files.pulls(runner);
                    }
                    case DELAY -> files(site).delayed(runner);
                    case CALLS -> calls(site, runner);
                    case MOUNTS -> new MountRows(site, options.quick(), options.plan()).run(runner, report, results);
                }
            }
        }
    }

    private FilesBenchmark files(Site site) {
        FilesBenchmark.Options chosen =
                new FilesBenchmark.Options(options.quick(), options.rounds(), options.directory(), options.chart());
        return new FilesBenchmark(chosen, site, report, results);
    }

    private void channels(Site site, ExperimentRunner runner) throws InterruptedException {
        try (Workers workers = new Workers(site)) {
            Map<String, String> libraries = new LinkedHashMap<>();
            for (PipeKind kind : PipeKind.values()) {
                libraries.put(kind.identity().name(), workers.of(kind).library());
            }
            results.println(report.facts(libraries));
            results.println(PUBLISHED);
            for (Wire wire : Wire.values()) {
                for (int mebibytes : BLOCK_MEBIBYTES) {
                    results.println(report.experiment(runner.run(experiment(wire, mebibytes, workers))));
                }
            }
        }
    }

    private void calls(Site site, ExperimentRunner runner) throws InterruptedException {
        try (CallRows rows = new CallRows(site, options.quick(), options.plan())) {
            rows.run(runner, report, results);
        }
    }

    private Experiment experiment(Wire wire, int mebibytes, Workers workers) {
        String name = "transfer-" + wire.name().toLowerCase(java.util.Locale.ROOT) + "-" + mebibytes + "m";
        String title = "AES-256-GCM over " + wire.title() + ", one process, writes of " + mebibytes + " MiB";
        return new Experiment(
                name,
                title,
                PipeTreatment.RATE,
                List.of(PipeTreatment.CPU, PipeTreatment.HEAP),
                PipeKind.over(wire).stream()
                        .map(kind -> new PipeTreatment(
                                kind, () -> workers.of(kind), wire, mebibytes * MEBIBYTE, options.roundBytes()))
                        .toList(),
                options.plan());
    }

    /** The processes of the rows, which use both cores, one at a time. */
    private static final class Workers implements AutoCloseable {
        private final Site site;
        private final Map<PipeKind, AskedProcess> processes = new EnumMap<>(PipeKind.class);

        Workers(Site site) {
            this.site = site;
        }

        /** Returns the process of a row; started on first use. */
        AskedProcess of(PipeKind kind) {
            return processes.computeIfAbsent(kind, this::start);
        }

        private AskedProcess start(PipeKind kind) {
            List<String> flags = new ArrayList<>(JVM_FLAGS);
            site.openssl().ifPresent(libraries -> flags.add("-Dsluice.openssl=" + libraries));
            List<String> command = JavaCommand.of(
                    flags,
                    TransferBenchmark.class.getModule().getName(),
                    PipeWorker.class.getName(),
                    List.of(
                            kind.name(),
                            site.certificate().chain().toString(),
                            site.certificate().key().toString()));
            Path log = site.directory().resolve(kind.name() + ".log");
            return AskedProcess.start(kind.identity().name(), command, site.environment(), log);
        }

        @Override
        public void close() {
            processes.values().forEach(AskedProcess::close);
        }
    }
}
