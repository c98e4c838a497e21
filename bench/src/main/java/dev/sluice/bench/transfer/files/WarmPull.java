package dev.sluice.bench.transfer.files;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.Site;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Pulls in a process that stays, so that no start of a JVM is measured; connections and handshakes are. */
final class WarmPull implements Mover {
    /** The JIT compiler needs more than a second of transfer. */
    static final long WARMUP_NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);

    private final Identity identity;
    private final Site site;
    private final SluiceServer server;
    private final int port;
    private final int streams;
    private final long windowBytes;
    private @Nullable AskedProcess process;

    /**
     * Creates a mover.
     *
     * @param server shared
     * @param port that of the server, or of a relay before it
     */
    WarmPull(Identity identity, Site site, SluiceServer server, int port, int streams, long windowBytes) {
        this.identity = identity;
        this.site = site;
        this.server = server;
        this.port = port;
        this.streams = streams;
        this.windowBytes = windowBytes;
    }

    @Override
    public Identity identity() {
        return identity;
    }

    @Override
    public void start() {
        List<String> flags = new ArrayList<>(JavaCommand.flagsOfThisProcess());
        site.openssl().ifPresent(libraries -> flags.add("-Dsluice.openssl=" + libraries));
        List<String> command = JavaCommand.of(
                flags,
                WarmPull.class.getModule().getName(),
                PullWorker.class.getName(),
                List.of(server.clientKey().toString(), server.fingerprint()));
        Path log = site.directory().resolve("warm-" + port + "-" + windowBytes + ".log");
        process = AskedProcess.start(identity.name(), command, site.environment(), log);
    }

    @Override
    public long warmupNanos() {
        return WARMUP_NANOS;
    }

    @Override
    public long move(Workload workload, Path into) {
        AskedProcess running = process;
        if (running == null) {
            throw new IllegalStateException("not started");
        }
        return (long) running.ask("pull", port, workload.name(), into, streams, windowBytes)
                .number("nanos");
    }

    @Override
    public void close() {
        AskedProcess running = process;
        if (running != null) {
            running.close();
            process = null;
        }
    }
}
