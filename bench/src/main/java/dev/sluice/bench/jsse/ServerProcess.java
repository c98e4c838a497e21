package dev.sluice.bench.jsse;

import dev.sluice.bench.jsse.server.ServerMain;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.PeerLibraries;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.process.Usage;
import java.util.ArrayList;
import java.util.List;

/** The process of a server, on the servers' core. */
final class ServerProcess implements AutoCloseable {
    private static final List<String> FLAGS =
            List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "-Dio.netty.leakDetection.level=disabled");

    private final AskedProcess process;
    private final int port;

    private ServerProcess(AskedProcess process) {
        this.process = process;
        this.port = (int) process.ask("port").number("port");
    }

    /**
     * Starts a server.
     *
     * @param heap options that size its heap
     */
    static ServerProcess start(Site site, Contender contender, List<String> heap) {
        List<String> flags = new ArrayList<>(FLAGS);
        flags.addAll(heap);
        site.openssl().ifPresent(libraries -> flags.add("-Dsluice.openssl=" + libraries));
        List<String> command = JavaCommand.onClassPath(flags, PeerLibraries.classPath(), ServerMain.class.getName());
        command.add(contender.kind().name());
        command.add(site.certificate().chain().toString());
        command.add(site.certificate().key().toString());
        String name = contender.identity().name();
        return new ServerProcess(AskedProcess.start(
                name,
                site.cores().onServerCore(command),
                site.environment(),
                site.directory().resolve(name.replaceAll("[^A-Za-z0-9]+", "-") + ".log")));
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    String library() {
        return process.library();
    }

    /** Returns the bytes that it has allocated on the heap since its start. */
    double allocatedBytes() {
        return process.ask("allocated").number("bytes");
    }

    /** Returns its CPU time since its start, in nanoseconds. */
    long cpuNanos() {
        return Usage.cpuNanos(List.of(pid()));
    }

    /** Returns that of its JIT compiler. */
    long compilerNanos() {
        return Usage.compilerNanos(List.of(pid()));
    }

    @Override
    public void close() {
        process.close();
    }
}
