package dev.sluice.gateway.collect;

import dev.sluice.gateway.acme.AcmeCertificates;
import dev.sluice.gateway.acme.AcmeStatus;
import dev.sluice.gateway.acme.AcmeStoreStatus;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricCollector;
import dev.sluice.gateway.metrics.MetricSnapshot;
import java.time.Instant;

/** The collector of certificates that are ordered by ACME. */
public final class AcmeMetrics implements MetricCollector {
    private final AcmeCertificates certificates;

    public AcmeMetrics(AcmeCertificates certificates) {
        this.certificates = certificates;
    }

    @Override
    public void collect(MetricSnapshot.Builder snapshot) {
        for (AcmeStatus status : certificates.statuses()) {
            snapshot.add(Metric.ACME_NEXT_ATTEMPT, status.next().toEpochMilli() / 1e3, status.name(), status.keyType());
            snapshot.add(Metric.ACME_FAILURES, status.failures(), status.name(), status.keyType());
        }
        snapshot.add(Metric.ACME_ORDERS, certificates.counters().issued(), "issued");
        snapshot.add(Metric.ACME_ORDERS, certificates.counters().failed(), "failed");
        AcmeStoreStatus store = certificates.store();
        if (store != null) {
            snapshot.add(Metric.ACME_STORE_FAILURES, store.failures());
            Instant synced = store.synced();
            if (synced != null) {
                snapshot.add(Metric.ACME_STORE_SYNC, synced.toEpochMilli() / 1e3);
            }
        }
    }
}
