package dev.sluice.bench.transfer.files;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.process.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A pull over one stream through a {@link DelayRelay}. */
final class DelayedPull implements Mover {
    private final Identity identity;
    private final Site site;
    private final SluiceServer server;
    private final long delayMillis;
    private final long windowBytes;
    private @Nullable DelayRelay relay;
    private @Nullable WarmPull pull;

    /**
     * Creates a mover.
     *
     * @param server shared
     * @param delayMillis the delay of each direction
     */
    DelayedPull(Identity identity, Site site, SluiceServer server, long delayMillis, long windowBytes) {
        this.identity = identity;
        this.site = site;
        this.server = server;
        this.delayMillis = delayMillis;
        this.windowBytes = windowBytes;
    }

    @Override
    public Identity identity() {
        return identity;
    }

    @Override
    public void start() {
        try {
            DelayRelay started = new DelayRelay(server.port(), TimeUnit.MILLISECONDS.toNanos(delayMillis));
            relay = started;
            WarmPull puller = new WarmPull(identity, site, server, started.port(), 1, windowBytes);
            pull = puller;
            puller.start();
        } catch (IOException e) {
            throw new BenchException("cannot start the relay: " + e.getMessage(), e);
        }
    }

    @Override
    public long warmupNanos() {
        return WarmPull.WARMUP_NANOS;
    }

    @Override
    public long move(Workload workload, Path into) {
        WarmPull puller = pull;
        if (puller == null) {
            throw new IllegalStateException("not started");
        }
        return puller.move(workload, into);
    }

    @Override
    public void close() {
        try {
            if (pull != null) {
                pull.close();
            }
            if (relay != null) {
                relay.close();
            }
        } catch (IOException e) {
            throw new BenchException("cannot end the relay: " + e.getMessage(), e);
        }
    }
}
