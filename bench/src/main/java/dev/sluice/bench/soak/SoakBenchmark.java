package dev.sluice.bench.soak;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.load.LoadMain;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.load.LoadRequest;
import dev.sluice.bench.process.Answer;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.Ports;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.process.Usage;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Carries data through a gateway whose JVM never collects, in a small heap, and looks at its memory at intervals.
 * What the data path allocated per byte or message would end the process long before the full run does.
 */
public final class SoakBenchmark {
    private static final List<String> EPSILON = List.of(
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:+UseEpsilonGC",
            "-XX:+AlwaysPreTouch",
            "-XX:EpsilonMaxTLABSize=64k", // else each thread that starts takes up to 4 MB of the heap for itself
            "-XX:-UsePerfData",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:MaxInlineLevel=40");
    private static final List<String> LOAD_FLAGS = List.of("-Xms256m", "-Xmx512m", "-XX:+UseSerialGC");
    private static final double MIB = 1024.0 * 1024;

    private final Options options;
    private final PrintStream out;

    /** Prepares a run; nothing is started yet. */
    public SoakBenchmark(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /**
     * How much is carried.
     *
     * @param bytes in bulk, half of them each way
     * @param messages of 128 bytes, there and back
     * @param connections opened and closed, one message on each
     * @param heapMebibytes of the gateway
     * @param transport of the gateway, as its configuration names it
     * @param openssl a directory with libssl.so.3 and libcrypto.so.3; empty: the system's
     */
    public record Options(
            long bytes, long messages, long connections, int heapMebibytes, String transport, Optional<Path> openssl) {
        List<String> jvmFlags() {
            List<String> flags = new ArrayList<>(EPSILON);
            flags.addAll(List.of("-Xms" + heapMebibytes + "m", "-Xmx" + heapMebibytes + "m"));
            return flags;
        }

        List<SoakPhase> phases() {
            return List.of(
                            SoakPhase.download(bytes / 2),
                            SoakPhase.upload(bytes / 2),
                            SoakPhase.messages(messages),
                            SoakPhase.connections(connections))
                    .stream()
                    .filter(phase -> phase.units() > 0)
                    .toList();
        }
    }

    /**
     * Runs everything. Whatever it starts has ended when it returns.
     *
     * @return what was not flat; empty: all was
     */
    public List<String> run() throws InterruptedException {
        try (Site site = Site.create(Cores.choose(), options.openssl());
                LoadProcess load =
                        LoadProcess.start(loadCommand(site), site.directory().resolve("load.log"))) {
            int port = Ports.free();
            try (AskedProcess gateway = startGateway(site, port, load.backendPort())) {
                out.println("gateway on " + gateway.library() + ", " + String.join(" ", options.jvmFlags()));
                List<String> faults = new ArrayList<>();
                for (SoakPhase phase : options.phases()) {
                    new Run(phase, load, gateway, port).play().ifPresent(faults::add);
                }
                return faults;
            }
        }
    }

    private static List<String> loadCommand(Site site) {
        List<String> flags = new ArrayList<>(LOAD_FLAGS);
        site.openssl().ifPresent(libraries -> flags.add("-Dsluice.openssl=" + libraries));
        return site.cores().onLoadCore(java(flags, LoadMain.class, List.of()));
    }

    private AskedProcess startGateway(Site site, int port, int backendPort) {
        Path config = site.write("gateway.yaml", """
                loops: 1
                transport: %s
                listeners:
                  - address: 127.0.0.1:%d
                    certificates: [bench]
                    backend: load
                certificates:
                  bench: {chain: %s, key: %s}
                backends:
                  load: {servers: ["127.0.0.1:%d"]}
                """.formatted(
                        options.transport(),
                        port,
                        site.certificate().chain(),
                        site.certificate().key(),
                        backendPort));
        List<String> flags = options.jvmFlags();
        site.openssl().ifPresent(libraries -> flags.add("-Dsluice.openssl=" + libraries));
        return AskedProcess.start(
                "gateway",
                site.cores().onServerCore(java(flags, SoakGateway.class, List.of(config.toString()))),
                site.environment(),
                site.directory().resolve("gateway.log"));
    }

    private static List<String> java(List<String> flags, Class<?> main, List<String> arguments) {
        String module = main.getModule().isNamed() ? main.getModule().getName() : "";
        return JavaCommand.of(flags, module, main.getName(), arguments);
    }

    /** One phase under way. */
    private final class Run {
        private final SoakPhase phase;
        private final LoadProcess load;
        private final AskedProcess gateway;
        private final int port;

        Run(SoakPhase phase, LoadProcess load, AskedProcess gateway, int port) {
            this.phase = phase;
            this.load = load;
            this.gateway = gateway;
            this.port = port;
        }

        /** The first step is the JIT compiler's: what follows it is judged. */
        Optional<String> play() {
            long first = Math.min(phase.step(), phase.units());
            load.prepare(new LoadRequest(phase.scenario(), port, true, phase.connections(), first));
            Memory before = look();
            load.go();
            Memory warm = look();
            tell(first, before, warm);
            Memory last = warm;
            long done = first;
            while (phase.units() - done >= first) {
                load.go();
                Memory now = look();
                done += first;
                tell(done, last, now);
                last = now;
            }
            load.finish();
            summarize(done - first, warm, last);
            return SoakVerdict.judge(phase, warm, last);
        }

        private Memory look() {
            try {
                Answer heap = gateway.ask("heap");
                return new Memory(Usage.residentBytes(List.of(gateway.pid())), (long) heap.number("used"), (long)
                        heap.number("allocated"));
            } catch (BenchException e) {
                throw new BenchException("the gateway did not live through " + phase.name() + ": " + e.getMessage(), e);
            }
        }

        private void tell(long done, Memory before, Memory now) {
            out.printf(
                    Locale.ROOT,
                    "%-12s %,16d %ss  resident %6.1f MiB  heap used %5.1f MiB  allocated %,12d bytes%n",
                    phase.name(),
                    done,
                    phase.unit(),
                    now.resident() / MIB,
                    now.heapUsed() / MIB,
                    now.allocated() - before.allocated());
        }

        private void summarize(long units, Memory warm, Memory last) {
            if (units > 0) {
                out.printf(
                        Locale.ROOT,
                        "%-12s after the first step: %.6f bytes of heap per %s, resident memory %+.1f MiB%n%n",
                        phase.name(),
                        (last.allocated() - warm.allocated()) / (double) units,
                        phase.unit(),
                        (last.resident() - warm.resident()) / MIB);
            }
        }
    }
}
