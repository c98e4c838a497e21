package dev.sluice.bench.echo;

import dev.sluice.bench.echo.load.EchoLoadMain;
import dev.sluice.bench.echo.server.EchoServerMain;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.PeerLibraries;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The servers, all on one core, and the load on another. Servers keep running through all experiments, as in
 * production.
 */
final class EchoFleet implements AutoCloseable {
    /**
     * Options common to all: the launcher's collector, a heap that rarely collects, and Netty's fastest settings (no
     * leak detection, sun.misc.Unsafe).
     */
    private static final List<String> JVM_FLAGS = List.of(
            "-Xms256m",
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Dio.netty.leakDetection.level=disabled",
            "--sun-misc-unsafe-memory-access=allow");

    private static final int WARMUP_CONNECTIONS = 50;
    private static final int WARMUP_BYTES = 512;

    private final Cores cores;
    private final Path directory;
    private final int warmupMillis;
    private final AskedProcess load;
    private final Map<EchoServer, Member> members = new HashMap<>();

    /**
     * Starts the load.
     *
     * @param directory directory of the processes' error output
     * @param warmupMillis warm-up time of every server
     */
    EchoFleet(Cores cores, Path directory, int warmupMillis) {
        this.cores = cores;
        this.directory = directory;
        this.warmupMillis = warmupMillis;
        this.load = AskedProcess.start(
                "load generator",
                cores.onLoadCore(
                        JavaCommand.onClassPath(JVM_FLAGS, PeerLibraries.classPath(), EchoLoadMain.class.getName())),
                Map.of(),
                directory.resolve("load.log"));
    }

    /**
     * A running server.
     *
     * @param process its process
     * @param port its port on 127.0.0.1
     */
    record Member(AskedProcess process, int port) {}

    AskedProcess load() {
        return load;
    }

    /** Returns a running, warm server; starts it if there is none, or if it has died. */
    Member running(EchoServer server) {
        Member member = members.get(server);
        if (member == null || !member.process().alive()) {
            member = launch(server);
            members.put(server, member);
            warm(member);
        }
        return member;
    }

    private Member launch(EchoServer server) {
        String name = server.identity().name();
        List<String> command =
                JavaCommand.onClassPath(JVM_FLAGS, PeerLibraries.classPath(), EchoServerMain.class.getName());
        command.add(server.kind().name());
        AskedProcess process = AskedProcess.start(
                name,
                cores.onServerCore(command),
                Map.of(),
                directory.resolve(name.replaceAll("[^A-Za-z0-9]+", "-") + ".log"));
        return new Member(process, (int) process.ask("port").number("port"));
    }

    private void warm(Member member) {
        load.ask("prepare", member.port(), WARMUP_CONNECTIONS, WARMUP_BYTES);
        load.ask("go", warmupMillis);
        load.ask("finish");
    }

    @Override
    public void close() {
        members.values().forEach(member -> member.process().close());
        load.close();
    }
}
