package dev.sluice.gateway.collect;

import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.ffi.x25519.X25519Library;
import dev.sluice.gateway.log.LogControl;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricCollector;
import dev.sluice.gateway.metrics.MetricSnapshot;
import dev.sluice.gateway.reload.ReloadHistory;
import dev.sluice.memory.Ledger;
import dev.sluice.net.EventLoop;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The collector of versions, reloads and native memory. */
public final class LifeMetrics implements MetricCollector {
    private static final double MILLIS_PER_SECOND = 1e3;

    private final EventLoop first;
    private final ReloadHistory reloads;
    private final Supplier<@Nullable LogControl> log;
    private final BooleanSupplier draining;
    /** Looked up by the first snapshot, since that takes a while. */
    private volatile @Nullable String library;

    /**
     * Creates a collector.
     *
     * @param first one of the loops, all of which have the same transport
     * @param log null: another program has the log
     */
    public LifeMetrics(
            EventLoop first, ReloadHistory reloads, Supplier<@Nullable LogControl> log, BooleanSupplier draining) {
        this.first = first;
        this.reloads = reloads;
        this.log = log;
        this.draining = draining;
    }

    @Override
    public void collect(MetricSnapshot.Builder snapshot) {
        Ledger.process().balances().forEach((owner, balance) -> {
            snapshot.add(Metric.MEMORY_BYTES, balance.bytes(), owner);
            snapshot.add(Metric.MEMORY_HANDLES, balance.count(), owner);
        });
        reloads(snapshot);
        LogControl control = log.get();
        if (control != null) {
            snapshot.add(Metric.LOG_LINES_LOST, control.lost());
        }
        snapshot.add(Metric.DRAINING, draining.getAsBoolean() ? 1 : 0);
        snapshot.info(Metric.BUILD, version());
        snapshot.info(Metric.OPENSSL, OpenSsl.require().version(), library());
        snapshot.info(Metric.X25519, X25519Library.ofProcess().description());
        snapshot.info(Metric.TRANSPORT, first.backend().name().toLowerCase(Locale.ROOT), first.backendReason());
    }

    private void reloads(MetricSnapshot.Builder snapshot) {
        ReloadHistory.Standing standing = reloads.standing();
        snapshot.add(Metric.CONFIG_RELOADS, standing.served(), "served");
        snapshot.add(Metric.CONFIG_RELOADS, standing.refused(), "refused");
        snapshot.add(Metric.CONFIG_RELOAD_SUCCESSFUL, standing.successful() ? 1 : 0);
        snapshot.add(Metric.CONFIG_RELOAD_TIMESTAMP, standing.servedSince().toEpochMilli() / MILLIS_PER_SECOND);
    }

    private static String version() {
        return LifeMetrics.class.getModule().getDescriptor() == null
                ? ""
                : LifeMetrics.class.getModule().getDescriptor().rawVersion().orElse("");
    }

    private String library() {
        String known = library;
        if (known == null) {
            known = OpenSsl.require().libraryFile();
            library = known;
        }
        return known;
    }
}
