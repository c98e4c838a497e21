package dev.sluice.gateway.collect;

import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.certificate.UnusableCertificate;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.gateway.ech.EchKeySets;
import dev.sluice.gateway.ech.EchStatus;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricCollector;
import dev.sluice.gateway.metrics.MetricSnapshot;
import dev.sluice.gateway.ocsp.OcspFailure;
import dev.sluice.gateway.ocsp.Stapling;
import dev.sluice.gateway.tickets.SourceStatus;
import dev.sluice.gateway.tickets.TicketKeys;
import dev.sluice.tls.ticket.TicketKeyInfo;
import dev.sluice.tls.ticket.TicketKeyInfo.State;
import dev.sluice.tls.ticket.TicketKeyRing;
import dev.sluice.tls.ticket.TicketKeyRing.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The collector of certificates, their OCSP responses, and session-ticket keys. */
public final class KeyMetrics implements MetricCollector {
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final List<Outcome> OFFERED =
            List.of(Outcome.CURRENT, Outcome.PREVIOUS, Outcome.UNKNOWN, Outcome.EXPIRED);

    private final Supplier<GatewayConfig> config;
    private final @Nullable TicketKeys tickets;
    private final Stapling stapling;
    private final EchKeySets ech;
    private final InstantSource clock;

    /**
     * Creates a collector.
     *
     * @param tickets null without session tickets
     */
    public KeyMetrics(
            Supplier<GatewayConfig> config,
            @Nullable TicketKeys tickets,
            Stapling stapling,
            EchKeySets ech,
            InstantSource clock) {
        this.config = config;
        this.tickets = tickets;
        this.stapling = stapling;
        this.ech = ech;
        this.clock = clock;
    }

    @Override
    public void collect(MetricSnapshot.Builder snapshot) {
        certificates(snapshot);
        unusable(snapshot);
        staples(snapshot);
        encryptedHello(snapshot);
        if (tickets != null) {
            used(snapshot, tickets.ring());
            keys(snapshot, tickets.keys());
            store(snapshot, tickets.status());
        }
    }

    private void certificates(MetricSnapshot.Builder snapshot) {
        for (CertificateConfig certificate : config.get().certificates()) {
            for (KeyPairFiles pair : certificate.keyPairs()) {
                snapshot.add(
                        Metric.TLS_CERTIFICATE_NOT_AFTER,
                        timestamp(pair.notAfter()),
                        certificate.name(),
                        pair.keyType());
            }
        }
    }

    private void unusable(MetricSnapshot.Builder snapshot) {
        Map<List<String>, Integer> counts = new LinkedHashMap<>();
        for (UnusableCertificate each : config.get().sources().unusable()) {
            counts.merge(List.of(each.name(), each.consequence().label()), 1, Integer::sum);
        }
        counts.forEach((labels, count) ->
                snapshot.add(Metric.TLS_CERTIFICATE_FILES_UNUSABLE, count, labels.get(0), labels.get(1)));
    }

    private void staples(MetricSnapshot.Builder snapshot) {
        int stapled = 0;
        List<Stapling.Standing> standings = stapling.standings();
        for (Stapling.Standing standing : standings) {
            Instant until = standing.until();
            if (until != null) {
                stapled++;
                snapshot.add(Metric.TLS_OCSP_NEXT_UPDATE, timestamp(until), standing.name(), standing.keyType());
                snapshot.add(
                        Metric.TLS_OCSP_LIFETIME, seconds(standing.lifetime()), standing.name(), standing.keyType());
            }
            OcspFailure failure = standing.failure();
            if (failure != null) {
                snapshot.add(Metric.TLS_OCSP_FAILURE, 1, standing.name(), standing.keyType(), failure.label());
            }
        }
        snapshot.add(Metric.TLS_OCSP_CERTIFICATES, stapled, "stapled");
        snapshot.add(Metric.TLS_OCSP_CERTIFICATES, standings.size() - stapled, "missing");
        snapshot.add(Metric.TLS_OCSP_REQUESTS, stapling.fetched(), "fetched");
        snapshot.add(Metric.TLS_OCSP_REQUESTS, stapling.failed(), "failed");
    }

    private void encryptedHello(MetricSnapshot.Builder snapshot) {
        for (EchStatus status : ech.statuses()) {
            Duration age = Duration.between(status.since(), clock.instant());
            String directory = status.directory().toString();
            snapshot.add(Metric.TLS_ECH_KEYS, status.keys(), directory);
            snapshot.add(Metric.TLS_ECH_KEY_AGE, seconds(age), directory);
        }
        snapshot.add(Metric.TLS_ECH_FAILURES, ech.failures());
    }

    private static void used(MetricSnapshot.Builder snapshot, TicketKeyRing ring) {
        OFFERED.forEach(outcome -> snapshot.add(Metric.TLS_TICKETS, ring.count(outcome), lowerCase(outcome)));
        snapshot.add(Metric.TLS_TICKETS_ISSUED, ring.count(Outcome.SEALED));
    }

    private void keys(MetricSnapshot.Builder snapshot, List<TicketKeyInfo> keys) {
        Map<State, Integer> byState = new EnumMap<>(State.class);
        for (TicketKeyInfo key : keys) {
            byState.merge(key.state(), 1, Integer::sum);
            if (key.state() == State.CURRENT) {
                Duration age = Duration.between(key.notBefore(), clock.instant());
                snapshot.add(Metric.TLS_TICKET_KEY_AGE, seconds(age));
            }
        }
        for (State state : State.values()) {
            snapshot.add(Metric.TLS_TICKET_KEYS, byState.getOrDefault(state, 0), lowerCase(state));
        }
    }

    private static void store(MetricSnapshot.Builder snapshot, SourceStatus status) {
        Instant synced = status.synced();
        if (synced != null) {
            snapshot.add(Metric.TLS_TICKET_SYNC, timestamp(synced));
        }
        snapshot.add(Metric.TLS_TICKET_STORE_FAILURES, status.failures());
    }

    /** Does not convert to milliseconds, which overflow for certificates that never expire. */
    private static double timestamp(Instant moment) {
        return moment.getEpochSecond() + moment.getNano() / NANOS_PER_SECOND;
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / MILLIS_PER_SECOND;
    }

    private static String lowerCase(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
