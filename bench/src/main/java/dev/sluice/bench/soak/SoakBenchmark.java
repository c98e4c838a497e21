package dev.sluice.bench.soak;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.load.LoadMain;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.load.LoadRequest;
import dev.sluice.bench.process.Answer;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.GatewayYaml;
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
import java.util.stream.Stream;

/**
 * A run of data through a gateway without garbage collection, in a small heap, with samples of its memory. Any
 * allocation per byte or message would end the process long before the end of a full run.
 */
public final class SoakBenchmark {
    private static final List<String> EPSILON = List.of(
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:+UseEpsilonGC",
            "-XX:+AlwaysPreTouch",
            "-XX:EpsilonMaxTLABSize=64k", // otherwise each starting thread takes up to 4 MB of the heap for itself
            "-XX:-UsePerfData",
            "-XX:+ExitOnOutOfMemoryError");
    private static final List<String> LOAD_FLAGS = List.of("-Xms256m", "-Xmx512m", "-XX:+UseSerialGC");
    private static final double MIB = 1024.0 * 1024;

    private final Options options;
    private final PrintStream out;

    /** Prepares a run without starting anything. */
    public SoakBenchmark(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /**
     * The amount of work.
     *
     * @param bytes bulk data, half in each direction
     * @param messages round trips of 128 bytes
     * @param connections connections opened and closed, with one message on each
     * @param heapMebibytes heap of the gateway that carries data; the gateway for short connections gets additional
     *     heap for them, since nothing is ever collected
     * @param transport the gateway's transport, as named in its configuration
     * @param openssl a directory with libssl.so.3 and libcrypto.so.3; empty for the system's
     */
    public record Options(
            long bytes, long messages, long connections, int heapMebibytes, String transport, Optional<Path> openssl) {
        /** Returns the stages, each with its own gateway. */
        List<Stage> stages() {
            long mebibytes = connections * SoakVerdict.CONNECTION_BYTES_MAX / (1024 * 1024) + 1;
            return Stream.of(
                            new Stage(
                                    heapMebibytes,
                                    List.of(
                                            SoakPhase.download(bytes / 2),
                                            SoakPhase.upload(bytes / 2),
                                            SoakPhase.messages(messages))),
                            new Stage(
                                    heapMebibytes + Math.toIntExact(mebibytes),
                                    List.of(SoakPhase.connections(connections))))
                    .map(Stage::withoutIdlePhases)
                    .filter(stage -> !stage.phases.isEmpty())
                    .toList();
        }
    }

    /**
     * The phases of one gateway.
     *
     * @param heapMebibytes its total heap
     */
    record Stage(int heapMebibytes, List<SoakPhase> phases) {
        Stage withoutIdlePhases() {
            return new Stage(
                    heapMebibytes,
                    phases.stream().filter(phase -> phase.units() > 0).toList());
        }

        List<String> jvmFlags() {
            List<String> flags = new ArrayList<>(EPSILON);
            flags.addAll(List.of("-Xms" + heapMebibytes + "m", "-Xmx" + heapMebibytes + "m"));
            return flags;
        }
    }

    /**
     * Runs everything. Everything that it starts has ended on return.
     *
     * @return the failures; empty if memory stayed flat
     */
    public List<String> run() throws InterruptedException {
        List<String> faults = new ArrayList<>();
        try (Site site = Site.create(Cores.choose(), options.openssl());
                LoadProcess load =
                        LoadProcess.start(loadCommand(site), site.directory().resolve("load.log"))) {
            for (Stage stage : options.stages()) {
                int port = Ports.free();
                try (AskedProcess gateway = startGateway(stage, site, port, load.backendPort())) {
                    out.println("gateway on " + gateway.library() + ", " + String.join(" ", stage.jvmFlags()));
                    for (SoakPhase phase : stage.phases) {
                        new Run(phase, load, gateway, port).play().ifPresent(faults::add);
                    }
                }
            }
        }
        return faults;
    }

    private static List<String> loadCommand(Site site) {
        List<String> flags = new ArrayList<>(LOAD_FLAGS);
        site.openssl().ifPresent(libraries -> flags.add("-Dsluice.openssl=" + libraries));
        return site.cores().onLoadCore(java(flags, LoadMain.class, List.of()));
    }

    private AskedProcess startGateway(Stage stage, Site site, int port, int backendPort) {
        Path config = site.write("gateway.yaml", GatewayYaml.of(site, options.transport(), port, backendPort));
        List<String> flags = stage.jvmFlags();
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

    /** One running phase. */
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

        /** Runs the phase; the first step is for the JIT compiler, later ones are judged. */
        Optional<String> play() {
            long step = Math.min(phase.step(), phase.units());
            MemorySeries series = new MemorySeries(step);
            load.prepare(new LoadRequest(phase.scenario(), port, true, phase.connections(), step));
            Memory before = look();
            for (long done = step; done <= phase.units(); done += step) {
                load.go();
                Memory now = look();
                series.add(now);
                tell(done, before, now);
                before = now;
            }
            load.finish();
            summarize(series);
            return SoakVerdict.judge(phase, series);
        }

        private Memory look() {
            try {
                Answer heap = gateway.ask("heap");
                return Memory.of(Usage.residentBytes(List.of(gateway.pid())), heap);
            } catch (BenchException e) {
                throw new BenchException("the gateway did not survive " + phase.name() + ": " + e.getMessage(), e);
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

        private void summarize(MemorySeries series) {
            if (series.units() > 0) {
                out.printf(
                        Locale.ROOT,
                        "%-12s after the first step: %,d bytes of heap in total (by thread: %s), %.6f per %s, "
                                + "typically %.6f; resident memory %+.1f MiB at most%n%n",
                        phase.name(),
                        series.allocated(),
                        series.allocators(),
                        series.allocated() / (double) series.units(),
                        phase.unit(),
                        series.typicalPerUnit(),
                        series.residentGrowth() / MIB);
            }
        }
    }
}
