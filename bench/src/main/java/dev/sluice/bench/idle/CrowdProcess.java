package dev.sluice.bench.idle;

import dev.sluice.bench.process.Answer;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A process of {@link CrowdMain}, on the load's core. */
public final class CrowdProcess implements AutoCloseable {
    /** Most connections from one source address and to one backend: below the 28,232 ephemeral ports. */
    static final int CONNECTIONS_MAX = 20_000;

    /** Connections for messages. */
    static final int KEPT = 16;

    /** A small heap, compiled once: memory and CPU time are for the servers. */
    private static final List<String> FLAGS = List.of(
            "-Xms8m", "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xlog:disable");

    private static final Map<String, String> ENVIRONMENT = Map.of("MALLOC_ARENA_MAX", "1");

    private final AskedProcess process;
    private final String source;
    private final int backendPort;

    private CrowdProcess(AskedProcess process, String source) {
        this.process = process;
        this.source = source;
        this.backendPort = (int) process.ask("backend").number("port");
    }

    /**
     * Starts a process.
     *
     * @param number from 0, unique among running ones; selects the source address
     */
    public static CrowdProcess start(Site site, int number) {
        List<String> flags = new ArrayList<>(FLAGS);
        site.openssl().ifPresent(libraries -> flags.add("-Dsluice.openssl=" + libraries));
        Class<?> main = CrowdMain.class;
        String module = main.getModule().isNamed() ? main.getModule().getName() : "";
        List<String> command = site.cores().onLoadCore(JavaCommand.of(flags, module, main.getName(), List.of()));
        String name = "crowd-" + number;
        AskedProcess process =
                AskedProcess.start(name, command, ENVIRONMENT, site.directory().resolve(name + ".log"));
        return new CrowdProcess(process, sourceOf(number));
    }

    /** Returns an address of the loopback network, not 127.0.0.1. */
    static String sourceOf(int number) {
        return "127.1." + (number >> 8) + "." + (number & 0xFF);
    }

    /** Returns its TLS library. */
    public String library() {
        return process.library();
    }

    int backendPort() {
        return backendPort;
    }

    long pid() {
        return process.pid();
    }

    /** Opens connections for messages. */
    public void keep(int port, int count) {
        process.ask("keep", port, count, source);
    }

    /** Exchanges messages of 128 bytes on the connections for messages, in turn. */
    public void talk(int count) {
        process.ask("talk", count);
    }

    /** Opens resting connections. */
    void rest(int port, int count) {
        process.ask("rest", port, count, source);
    }

    /** Returns percentiles of round trips, {@code p50} and {@code p99}, in nanoseconds. */
    Answer probe(int count) {
        return process.ask("probe", count);
    }

    /** Returns the number of resting connections that the server has not ended. */
    int resting() {
        return (int) process.ask("count").number("resting");
    }

    @Override
    public void close() {
        process.close();
    }
}
