package dev.sluice.bench.mount;

import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentRunner;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.process.Site;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The experiments with mounted directories. */
public final class MountRows {
    private static final int SMALL_FILES = 1_000;
    private static final String PUBLISHED = """
            Published for a mount with encryption in Go, a file written through it and pulled by the peer, loopback \
            (i7-9750H): 233 MB/s of 100 MB, 220 MB/s of 1 GB.
            """;

    private final Site site;
    private final long fileBytes;
    private final Experiment.Plan plan;

    /**
     * Prepares the rows without starting anything.
     *
     * @param quick true for a quick estimate
     */
    public MountRows(Site site, boolean quick, Experiment.Plan plan) {
        this.site = site;
        this.fileBytes = quick ? 256L << 20 : 1L << 30;
        this.plan = plan;
    }

    /** Runs all experiments and prints their tables. Everything is unmounted on return. */
    public void run(ExperimentRunner runner, Report report, PrintStream results) throws InterruptedException {
        results.println(PUBLISHED);
        try (Places places = new Places(site)) {
            for (Experiment experiment : List.of(
                    large("read", LargeFile.Direction.READ, places),
                    large("write", LargeFile.Direction.WRITE, places),
                    small(places))) {
                results.println(report.experiment(runner.run(experiment)));
            }
        }
    }

    private Experiment large(String verb, LargeFile.Direction direction, Places places) {
        long mebibytes = fileBytes >> 20;
        return experiment(
                "mount-" + verb,
                "Mounted: sequential " + verb + " of " + mebibytes + " MiB by 256 KiB",
                LargeFile.RATE,
                List.of(),
                kind -> new LargeFile(kind, places, direction, fileBytes));
    }

    private Experiment small(Places places) {
        return experiment(
                "mount-small",
                "Mounted: " + SMALL_FILES + " files of 4 KiB, one after another",
                SmallFiles.CREATE,
                List.of(SmallFiles.STAT, SmallFiles.READ),
                kind -> new SmallFiles(kind, places, SMALL_FILES));
    }

    private Experiment experiment(
            String name, String title, Metric headline, List<Metric> others, Function<MountKind, Treatment> treatment) {
        return new Experiment(
                name,
                title,
                headline,
                others,
                Stream.of(MountKind.values()).map(treatment).toList(),
                plan);
    }
}
