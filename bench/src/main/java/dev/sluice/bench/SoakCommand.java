package dev.sluice.bench;

import dev.sluice.bench.endurance.EnduranceBenchmark;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.process.MachineFacts;
import dev.sluice.bench.soak.SoakBenchmark;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code bench soak} command. Exit code 0 when nothing failed, 1 when something did, 2 when it could not run. */
@Command(
        name = "soak",
        description = {
            "Carries data through a gateway whose JVM never collects garbage (Epsilon, a heap of 64 "
                    + "MB), and samples its memory at intervals: bulk and small messages over established TLS "
                    + "connections; then, in a second gateway with a larger heap for them, connections opened "
                    + "and closed.",
            "Reports the heap bytes per byte, message and connection, and the threads that allocated "
                    + "them. Fails when memory is not flat.",
            "",
            "The default takes about a minute; --gigabytes 50 --messages 10000000 --connections 200000 "
                    + "is the full run and takes about six.",
            "",
            "With --minutes it is another run, of the gateway as users run it: messages, bulk data and short "
                    + "connections of honest clients on the JDK's TLS, hostile clients of all kinds, reloads with new "
                    + "certificates, two hot restarts, ticket keys that rotate each minute, and backends that fail. "
                    + "Fails when an honest client's connection breaks, when something is not released, or when memory "
                    + "grows. Latencies are reported only."
        },
        mixinStandardHelpOptions = true)
final class SoakCommand implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final List<String> OF_THE_OTHER_RUN =
            List.of("--gigabytes", "--messages", "--connections", "--heap");
    private static final int LEAST_HEAP_MEBIBYTES = 64;
    private static final double BYTES_PER_GIGABYTE = 1e9;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--gigabytes",
            paramLabel = "N",
            defaultValue = "10",
            description = "Bulk data, half each way, in 10^9 bytes. Default: ${DEFAULT-VALUE}")
    private double gigabytes;

    @Option(
            names = "--messages",
            paramLabel = "N",
            defaultValue = "2000000",
            description = "Messages of 128 bytes there and back. Default: ${DEFAULT-VALUE}")
    private long messages;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "20000",
            description = "Connections opened and closed. Default: ${DEFAULT-VALUE}")
    private long connections;

    @Option(
            names = "--heap",
            paramLabel = "MIB",
            defaultValue = "64",
            description = "Total heap of the gateway that carries data, in MiB. Default: ${DEFAULT-VALUE}")
    private int heap;

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            defaultValue = "auto",
            description = "auto, io_uring or epoll. Default: ${DEFAULT-VALUE}")
    private String transport = "auto";

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "Run everything that happens to a gateway for so long instead; at least 1.")
    private @Nullable Integer minutes;

    @Option(names = "--chart", paramLabel = "FILE", description = "With --minutes: draw the figures to FILE, an SVG.")
    private @Nullable Path chart;

    @Mixin
    private final ResultsOption results = new ResultsOption();

    @Mixin
    private final StyleOption tables = new StyleOption();

    @Mixin
    private final OpenSslOption openssl = new OpenSslOption();

    @Override
    public Integer call() throws InterruptedException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        return minutes == null ? withoutCollector(out) : throughEverything(minutes, out);
    }

    private int withoutCollector(PrintStream out) throws InterruptedException {
        SoakBenchmark.Options options = options();
        Path file = results.begin(spec);
        List<String> faults = new SoakBenchmark(options, out).run();
        try (ResultLog log = ResultLog.to(file)) {
            log.run(Instant.now(), MachineFacts.gather());
            log.verdict(faults);
        }
        return tell(faults, "Memory stayed flat.", "Memory did not stay flat.", out);
    }

    private int throughEverything(int wanted, PrintStream out) throws InterruptedException {
        if (wanted < 1) {
            throw new ParameterException(spec.commandLine(), "--minutes must be at least 1, minutes=" + wanted);
        }
        for (String other : OF_THE_OTHER_RUN) {
            if (spec.commandLine().getParseResult().hasMatchedOption(other)) {
                throw new ParameterException(
                        spec.commandLine(), other + " has no meaning with --minutes; leave it out");
            }
        }
        EnduranceBenchmark.Options options = new EnduranceBenchmark.Options(
                TimeUnit.MINUTES.toSeconds(wanted),
                transport,
                openssl.directory(),
                Optional.of(results.begin(spec)),
                Optional.ofNullable(chart));
        List<String> faults = new EnduranceBenchmark(options, tables.style(), out).run();
        return tell(faults, "Nothing broke, and nothing was left.", "Not everything went well.", out);
    }

    private static int tell(List<String> faults, String good, String bad, PrintStream out) {
        faults.forEach(fault -> out.println("FAILED  " + fault));
        out.println(faults.isEmpty() ? good : bad);
        return faults.isEmpty() ? 0 : FAILED;
    }

    private SoakBenchmark.Options options() {
        if (heap < LEAST_HEAP_MEBIBYTES) {
            throw new ParameterException(
                    spec.commandLine(), "--heap must be at least " + LEAST_HEAP_MEBIBYTES + ", heap=" + heap);
        }
        if (gigabytes < 0 || messages < 0 || connections < 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--gigabytes, --messages and --connections must not be negative, gigabytes=" + gigabytes
                            + ", messages=" + messages + ", connections=" + connections);
        }
        return new SoakBenchmark.Options(
                (long) (gigabytes * BYTES_PER_GIGABYTE), messages, connections, heap, transport, openssl.directory());
    }
}
