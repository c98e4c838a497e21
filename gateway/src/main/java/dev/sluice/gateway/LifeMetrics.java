package dev.sluice.gateway;

import dev.sluice.ffi.openssl.OpenSsl;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.PageBuilder;
import dev.sluice.memory.Ledger;
import dev.sluice.net.EventLoop;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What runs here, since when under which configuration, and what native memory it has. */
final class LifeMetrics implements GatewayMetrics.Part {
    private static final double MILLIS_PER_SECOND = 1e3;

    private final EventLoop first;
    private final ReloadHistory reloads;
    private final BooleanSupplier draining;
    /** Known when somebody has asked: to find it takes a while. */
    private volatile @Nullable String library;

    /** @param first one of the loops, all of which run on the same */
    LifeMetrics(EventLoop first, ReloadHistory reloads, BooleanSupplier draining) {
        this.first = first;
        this.reloads = reloads;
        this.draining = draining;
    }

    @Override
    public void collect(PageBuilder page) {
        Ledger.process().balances().forEach((owner, balance) -> {
            page.add(Metric.MEMORY_BYTES, balance.bytes(), owner);
            page.add(Metric.MEMORY_HANDLES, balance.count(), owner);
        });
        reloads(page);
        page.add(Metric.DRAINING, draining.getAsBoolean() ? 1 : 0);
        page.info(Metric.BUILD, version());
        page.info(Metric.OPENSSL, OpenSsl.require().version(), library());
        page.info(Metric.TRANSPORT, first.backend().name().toLowerCase(Locale.ROOT), first.backendReason());
    }

    private void reloads(PageBuilder page) {
        ReloadHistory.Standing standing = reloads.standing();
        page.add(Metric.CONFIG_RELOADS, standing.served(), "served");
        page.add(Metric.CONFIG_RELOADS, standing.refused(), "refused");
        page.add(Metric.CONFIG_RELOAD_SUCCESSFUL, standing.successful() ? 1 : 0);
        page.add(Metric.CONFIG_RELOAD_TIMESTAMP, standing.servedSince().toEpochMilli() / MILLIS_PER_SECOND);
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
