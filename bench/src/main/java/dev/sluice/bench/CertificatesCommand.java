package dev.sluice.bench;

import dev.sluice.bench.certificates.ManyCertificates;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.harness.ResultRow;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.process.ForeignCpu;
import dev.sluice.bench.process.MachineFacts;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code bench certificates} command. */
@Command(
        name = "certificates",
        description = {
            "Serves a directory of many certificates, and reports the time to read them and to listen, "
                    + "the memory that they take, the clients' waiting time, and the time of a reload.",
            "Half a minute."
        },
        mixinStandardHelpOptions = true)
final class CertificatesCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Certificates. Default: ${DEFAULT-VALUE}")
    private int count;

    @Option(
            names = "--asked",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Names that clients request, twice each. Default: ${DEFAULT-VALUE}")
    private int asked;

    @Mixin
    private final ResultsOption results = new ResultsOption();

    @Override
    public Integer call() throws Exception {
        Path file = results.begin(spec);
        Instant began = Instant.now();
        ForeignCpu foreign = new ForeignCpu();
        double foreignNanos = -foreign.getAsLong();
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Map<Metric, Double> figures = new ManyCertificates(count, asked, out).run();
        foreignNanos += foreign.getAsLong();
        double cores = foreignNanos / Duration.between(began, Instant.now()).toNanos();
        try (ResultLog log = ResultLog.to(file)) {
            log.run(began, MachineFacts.gather());
            figures.forEach((metric, value) -> log.row(row(metric, value, cores)));
        }
        return 0;
    }

    private ResultRow row(Metric metric, double value, double foreignCores) {
        return new ResultRow(
                "certificates",
                String.format(
                        Locale.ROOT,
                        "A directory of %,d certificates: time and memory of the start, and what clients of %,d names"
                                + " wait",
                        count,
                        asked),
                Identity.of("Sluice", Role.SUBJECT),
                metric,
                metric.equals(ManyCertificates.STARTED),
                Optional.empty(),
                List.of(value),
                new ResultRow.Noise(foreignCores, Optional.empty()));
    }
}
