package dev.sluice.bench.record;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.PeerLibraries;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.record.path.PathKind;
import dev.sluice.bench.record.path.PathWorker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The processes of all rows: all on the same core, used one at a time. */
public final class Rows implements AutoCloseable {
    private static final List<String> JVM_FLAGS =
            List.of("-Xms256m", "-Xmx256m", "-XX:-UsePerfData", "-Djmh.ignoreLock=true");

    private final Site site;
    private final Collector collector;
    private final Path baseline;
    private final Path allocations;
    private final Map<Row, AskedProcess> processes = new LinkedHashMap<>();

    /** Compiles the programs in C. */
    public Rows(Site site, Collector collector) throws InterruptedException {
        this.site = site;
        this.collector = collector;
        NativeProgram program = new NativeProgram(site.directory(), site.openssl());
        this.baseline = program.baseline();
        this.allocations = program.allocations();
    }

    /** Returns the process of a row; started and warmed up on first use. */
    AskedProcess of(Row row) {
        boolean begins = !processes.containsKey(row);
        AskedProcess process = cold(row);
        if (begins && row.kind() != null) {
            process.ask("compile");
        }
        return process;
    }

    /** Returns the process of a row without warm-up, for uses without figures. */
    AskedProcess cold(Row row) {
        return processes.computeIfAbsent(row, missing -> start(missing, Map.of()));
    }

    /**
     * Starts a process for a row with counted OpenSSL allocations.
     *
     * @return the caller closes it
     */
    CountedProcess counted(Row row) {
        return CountedProcess.start(site, allocations, environment -> start(row, environment));
    }

    private AskedProcess start(Row row, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(site.environment());
        environment.putAll(more);
        String log = row.name().replaceAll("[^A-Za-z0-9]+", "-") + more.size() + ".log";
        try {
            return AskedProcess.start(
                    row.name(),
                    site.cores().onServerCore(command(row)),
                    environment,
                    site.directory().resolve(log));
        } catch (BenchException e) {
            throw new BenchException(row.name() + " cannot be measured: " + e.getMessage(), e);
        }
    }

    private List<String> command(Row row) {
        List<String> credentials = List.of(
                site.certificate().chain().toString(), site.certificate().key().toString());
        List<String> command = new ArrayList<>();
        PathKind kind = row.kind();
        if (kind == null) {
            command.addAll(List.of(baseline.toString(), String.valueOf(row.baseline())));
        } else {
            List<String> flags = new ArrayList<>(JVM_FLAGS);
            flags.add(collector.flag());
            site.openssl().ifPresent(libraries -> flags.add("-Dsluice.openssl=" + libraries));
            command.addAll(JavaCommand.onClassPath(flags, PeerLibraries.classPath(), PathWorker.class.getName()));
            command.add(kind.name());
        }
        command.addAll(credentials);
        return command;
    }

    /** The collectors of the measured JVMs. */
    public enum Collector {
        /** Serial: one thread, which runs between iterations, so that JMH's heap counts are exact. */
        SERIAL("-XX:+UseSerialGC"),
        /** ZGC, which runs beside the measured thread, on its core. */
        Z("-XX:+UseZGC");

        private final String flag;

        Collector(String flag) {
            this.flag = flag;
        }

        private String flag() {
            return flag;
        }
    }

    @Override
    public void close() {
        processes.values().forEach(AskedProcess::close);
    }
}
