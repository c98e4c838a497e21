package dev.sluice.bench;

import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.hostile.HostileKind;
import dev.sluice.bench.terminator.HostileBenchmark;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code bench hostile} command. Exit code 0 when everything was released, 1 when not, 2 when it could not run. */
@Command(
        name = "hostile",
        description = {
            "Sends hostile clients to the gateway, thousands of each kind: silent ones, floods, broken "
                    + "records, renegotiation after the end, resets; and compares its memory, descriptors, "
                    + "buffers, keys and log before and after.",
            "Meanwhile an honest client repeatedly has 1 MB echoed over TLS; its time is reported "
                    + "beside the time without hostile clients.",
            "",
            "Fails when something is not released, a connection is not ended in time, or the log grows "
                    + "without bound. Times and resident memory are reported only.",
            "",
            "The gateway runs on one core, everything else on another, where hostile clients have the "
                    + "lowest priority. The default takes ten minutes or more; --connections 100000 is the full "
                    + "run, --quick a first estimate."
        },
        mixinStandardHelpOptions = true)
final class HostileCommand implements Callable<Integer> {
    private static final int NOT_GIVEN_BACK = 1;
    private static final int CONNECTIONS = 10_000;
    private static final int QUICK_CONNECTIONS = 1_000;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Hostile connections of each kind; 10,000 unless given, 1,000 with --quick.")
    private @Nullable Integer connections;

    @Option(names = "--quick", description = "Fewer connections and shorter pauses: a minute or two.")
    private boolean quick;

    @Option(
            names = "--kinds",
            paramLabel = "KIND",
            split = ",",
            description = "Only clients of these kinds: ${COMPLETION-CANDIDATES}.")
    private List<HostileKind> kinds = List.of(HostileKind.values());

    @Mixin
    private final GatewayOptions gateway = new GatewayOptions();

    @Mixin
    private final ResultsOption results = new ResultsOption();

    @Mixin
    private final StyleOption tables = new StyleOption();

    @Override
    public Integer call() throws InterruptedException {
        int count = count();
        Path file = results.begin(spec);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        List<String> faults = new HostileBenchmark(options(count, file), tables.style(), out, System.err).run();
        try (ResultLog log = ResultLog.to(file)) {
            log.verdict(faults);
        }
        faults.forEach(fault -> out.println("FAILED  " + fault));
        out.println(faults.isEmpty() ? "Everything was released." : "Not everything was released.");
        return faults.isEmpty() ? 0 : NOT_GIVEN_BACK;
    }

    private int count() {
        int count = connections != null ? connections : quick ? QUICK_CONNECTIONS : CONNECTIONS;
        if (count < 1) {
            throw new ParameterException(spec.commandLine(), "--connections must be at least 1, connections=" + count);
        }
        return count;
    }

    private HostileBenchmark.Options options(int count, Path file) {
        return new HostileBenchmark.Options(
                quick, count, kinds, gateway.gateway(), gateway.openssl(), Optional.of(file));
    }
}
