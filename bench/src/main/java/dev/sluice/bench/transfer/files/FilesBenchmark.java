package dev.sluice.bench.transfer.files;

import dev.sluice.bench.harness.BarChart;
import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.ExperimentRunner;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.RatioChart;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.process.Output;
import dev.sluice.bench.process.Program;
import dev.sluice.bench.process.Site;
import dev.sluice.ffi.zstd.Zstd;
import dev.sluice.transfer.move.ReceiverOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Pulls of files over loopback, beside cp and the tools that people use, and over a line with a delay. */
public final class FilesBenchmark {
    /** The number of streams of {@code sluice pull}. */
    private static final int STREAMS = 2;

    private static final String SERVED = "served";
    private static final Workload DELAYED = Workload.file(1000);
    private static final int MEBIBYTE = 1 << 20;
    private static final List<Integer> WINDOW_MEBIBYTES = List.of(8, 32, 64, 128);
    private static final long DELAY_MILLIS = 100;
    private static final Identity COMMAND = Identity.of("sluice pull", Role.SUBJECT);
    private static final Identity COMPRESSING = Identity.of("sluice pull --compress", Role.SUBJECT);
    private static final Workload COMPRESSIBLE = Workload.digits(100);
    private static final Identity WARM = Identity.of("Sluice, warm", Role.SUBJECT);

    private static final String PUBLISHED = """
            Published for a pull over loopback, encrypted (Intel i5): 332 MB/s for 10 MB, 647 MB/s for 100 MB, \
            623 MB/s for 1 GB.
            """;

    private final Options options;
    private final Site site;
    private final Report report;
    private final PrintStream results;

    /**
     * Prepares a run without starting anything.
     *
     * @param site stays the caller's
     */
    public FilesBenchmark(Options options, Site site, Report report, PrintStream results) {
        this.options = options;
        this.site = site;
        this.report = report;
        this.results = results;
    }

    /**
     * The options of a run.
     *
     * @param quick true for a quick estimate
     * @param rounds counted rounds of every experiment; empty for the effort's default
     * @param directory for the files; empty for that of temporary files
     * @param chart file for an SVG; empty for none
     */
    public record Options(boolean quick, Optional<Integer> rounds, Optional<Path> directory, Optional<Path> chart) {
        private Experiment.Plan plan() {
            return new Experiment.Plan(quick ? 0 : 1, rounds.orElse(quick ? 2 : 7));
        }

        private List<Workload> workloads() {
            return List.of(
                    Workload.file(10),
                    Workload.file(100),
                    Workload.file(1000),
                    Workload.many(quick ? 10_000 : 100_000));
        }
    }

    /** Returns the versions of the programs by name. */
    public Map<String, String> facts() throws InterruptedException {
        Map<String, String> facts = new LinkedHashMap<>();
        version(facts, new Program("rsync", ""), "--version");
        version(facts, new Program("ssh", ""), "-V");
        version(facts, new Program("croc", ""), "--version");
        version(facts, new Program("wormhole", ""), "--version");
        facts.put("files in", where(options.directory().orElse(site.directory())));
        return facts;
    }

    private void version(Map<String, String> facts, Program program, String option) throws InterruptedException {
        Optional<Path> path = program.find();
        if (path.isPresent()) {
            String said = Output.of(List.of(path.get().toString(), option), site.environment());
            facts.put(program.name(), said.lines().findFirst().orElse("unknown").strip());
        }
    }

    private static String where(Path directory) {
        try {
            return Files.getFileStore(directory).type();
        } catch (IOException e) {
            return "unknown: " + e.getMessage();
        }
    }

    /** Runs the pulls beside other tools. Everything that it starts has ended on return, and its files are deleted. */
    public void pulls(ExperimentRunner runner) throws InterruptedException {
        results.println(PUBLISHED);
        Map<String, ExperimentResult> charted = new LinkedHashMap<>();
        serve((server, base) -> {
            for (Workload workload : options.workloads()) {
                workload.create(base.resolve(SERVED));
                ExperimentResult result = runner.run(pull(workload, server, base));
                results.println(report.experiment(result));
                charted.put(workload.title(), result);
            }
            COMPRESSIBLE.create(base.resolve(SERVED));
            results.println(report.experiment(runner.run(compressed(server, base))));
        });
        BarChart.write(
                options.chart(), () -> RatioChart.svg("Time of a pull in multiples of sluice pull", COMMAND, charted));
    }

    /** Runs the pulls over a line with a delay; otherwise as {@code pulls}. */
    public void delayed(ExperimentRunner runner) throws InterruptedException {
        serve((server, base) -> {
            DELAYED.create(base.resolve(SERVED));
            results.println(report.experiment(runner.run(delayed(server, base))));
        });
    }

    /** A use of a running server. */
    private interface Serving {
        void run(SluiceServer server, Path base) throws IOException, InterruptedException;
    }

    private void serve(Serving serving) throws InterruptedException {
        Path base = directory();
        try {
            Path root = Files.createDirectory(base.resolve(SERVED));
            try (SluiceServer server = new SluiceServer(site, root)) {
                serving.run(server, base);
            }
        } catch (IOException e) {
            throw new BenchException("cannot transfer in " + base + ": " + e.getMessage(), e);
        } finally {
            Workload.delete(base);
        }
    }

    private Path directory() {
        try {
            return Files.createTempDirectory(options.directory().orElse(site.directory()), "transfer");
        } catch (IOException e) {
            throw new BenchException("cannot create a directory for the files: " + e.getMessage(), e);
        }
    }

    private Experiment pull(Workload workload, SluiceServer server, Path base) throws IOException {
        Path root = base.resolve(SERVED);
        Path scratch = Files.createDirectory(base.resolve("scratch-" + workload.name()));
        SshServer ssh = new SshServer(site);
        List<Mover> movers = new ArrayList<>();
        movers.add(new PageCacheCopy(site, root));
        movers.add(new NetcatCopy(site, root));
        movers.add(new WarmPull(WARM, site, server, server.port(), STREAMS, ReceiverOptions.DEFAULT.windowBytes()));
        movers.add(new SluicePull(COMMAND, site, server, List.of()));
        movers.add(new SluicePull(Identity.controlOf(COMMAND.name()), site, server, List.of()));
        for (SshTool.Kind kind : SshTool.Kind.values()) {
            movers.add(new SshTool(kind, ssh, root));
        }
        if (!options.quick() || workload.equals(Workload.file(100))) {
            for (CodeTool.Kind kind : CodeTool.Kind.values()) {
                movers.add(new CodeTool(kind, site, root));
            }
        }
        return experiment(workload, movers, root, scratch);
    }

    private Experiment experiment(Workload workload, List<Mover> movers, Path root, Path scratch) {
        return new Experiment(
                "pull-" + workload.name(),
                "Pull of " + workload.title() + " over loopback",
                MoveTreatment.SECONDS,
                List.of(workload.files() == 1 ? MoveTreatment.RATE : MoveTreatment.FILES),
                movers.stream()
                        .map(mover -> new MoveTreatment(mover, workload, root, scratch))
                        .toList(),
                options.plan());
    }

    /** Returns the pull of a compressible file, as it is and compressed by zstd, where nothing but the CPU is slow. */
    private Experiment compressed(SluiceServer server, Path base) throws IOException {
        Path root = base.resolve(SERVED);
        Path scratch = Files.createDirectory(base.resolve("scratch-" + COMPRESSIBLE.name()));
        List<Mover> movers = new ArrayList<>();
        movers.add(new PageCacheCopy(site, root));
        movers.add(new SluicePull(COMMAND, site, server, List.of()));
        movers.add(new SluicePull(Identity.controlOf(COMMAND.name()), site, server, List.of()));
        if (Zstd.isAvailable()) {
            movers.add(new SluicePull(COMPRESSING, site, server, List.of("--compress")));
        }
        return experiment(COMPRESSIBLE, movers, root, scratch);
    }

    /** Returns the pull of a file over a relay that delays both directions, with one stream and several windows. */
    private Experiment delayed(SluiceServer server, Path base) throws IOException {
        Path scratch = Files.createDirectory(base.resolve("scratch-delayed"));
        List<MoveTreatment> treatments = new ArrayList<>();
        for (int mebibytes : WINDOW_MEBIBYTES) {
            Identity identity = Identity.of("window of " + mebibytes + " MiB", Role.SUBJECT);
            Mover mover = new DelayedPull(identity, site, server, DELAY_MILLIS, (long) mebibytes * MEBIBYTE);
            treatments.add(new MoveTreatment(mover, DELAYED, base.resolve(SERVED), scratch));
        }
        return new Experiment(
                "pull-delayed",
                "Pull of " + DELAYED.title() + " over one stream with " + 2 * DELAY_MILLIS + " ms of round trip",
                MoveTreatment.SECONDS,
                List.of(MoveTreatment.RATE),
                treatments,
                new Experiment.Plan(0, options.rounds().orElse(options.quick() ? 1 : 5)));
    }
}
