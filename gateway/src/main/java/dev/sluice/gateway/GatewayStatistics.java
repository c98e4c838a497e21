package dev.sluice.gateway;

import dev.sluice.gateway.accesslog.AccessLogCounters;
import dev.sluice.gateway.ocsp.Stapling;
import dev.sluice.tls.Detach;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a gateway has counted since its start, over all its loops. May be read from any thread at any time; figures read
 * together may differ by a few events.
 */
public final class GatewayStatistics {
    /** What is counted. */
    public enum Counter {
        /** Client connections accepted, those included that were refused at once because of a limit. */
        ACCEPTED,
        /** Client connections that have ended; {@link #ends()} tells why. */
        ENDED,
        /** Full handshakes. */
        HANDSHAKES_FULL,
        /** Handshakes that resumed a session. */
        HANDSHAKES_RESUMED,
        /** Handshakes that failed, time-outs included; not those that were not let begin. */
        HANDSHAKES_FAILED,
        /** Handshakes that were let begin. */
        HANDSHAKES_ADMITTED,
        /** Clients that had to wait for their handshake to begin, since others did already, or a limit was met. */
        HANDSHAKES_QUEUED,
        /** Clients whose handshake was not let begin; {@link #ends()} tells which limit they met. */
        HANDSHAKES_REFUSED,
        /** Handshakes in which a client offered a ticket with a key of ours, and no session was resumed all the same. */
        TICKETS_REFUSED,
        /** Connections whose early data was taken. */
        EARLY_DATA_ACCEPTED,
        /** Of these, connections of which some went to the backend before the client had proven to be there. */
        EARLY_DATA_FORWARDED,
        /** Microseconds that the TLS library took for handshakes. */
        HANDSHAKE_MICROS,
        /** Backend connections opened. */
        BACKEND_CONNECTS,
        /** Attempts to open a backend connection that failed; another server may have been tried then. */
        BACKEND_CONNECT_FAILURES,
        /** Full TLS handshakes with backends, those of health checks included. */
        BACKEND_HANDSHAKES_FULL,
        /** TLS handshakes with backends that resumed a session. */
        BACKEND_HANDSHAKES_RESUMED,
        /** How often a server was passed over for a while, since it took no connections. */
        BACKEND_EJECTIONS,
        /** Health checks begun. */
        HEALTH_CHECKS,
        /** Health checks that failed. */
        HEALTH_CHECKS_FAILED,
        /** Bytes of plaintext that went from clients to backends. */
        BYTES_TO_BACKEND,
        /** Bytes of plaintext that went from backends to clients. */
        BYTES_TO_CLIENT;

        @SuppressWarnings("EnumOrdinal") // a place in memory, never stored or sent
        private final int slot = ordinal();

        int slot() {
            return slot;
        }
    }

    /**
     * How OCSP stapling stands.
     *
     * @param certificates those that are to have an OCSP response
     * @param stapled those of them that have one now
     * @param oldest how long ago the oldest of these was fetched; zero when there is none
     * @param given clients that got one, with the certificates that are served now
     * @param fetched responses that came and are good, since the start
     * @param failed attempts to get one that came to nothing, since the start
     */
    public record Staples(int certificates, int stapled, Duration oldest, long given, long fetched, long failed) {}

    private final List<LoopCounters> loops;
    private final EarlyDataPolicies earlyData;
    private final Backends backends;
    private final Stapling stapling;
    private final AccessLogCounters accessLog;

    GatewayStatistics(
            List<LoopCounters> loops,
            EarlyDataPolicies earlyData,
            Backends backends,
            Stapling stapling,
            AccessLogCounters accessLog) {
        this.accessLog = accessLog;
        this.loops = List.copyOf(loops);
        this.earlyData = earlyData;
        this.backends = backends;
        this.stapling = stapling;
    }

    /**
     * How each server is that routes lead to, by backend and address, such as {@code web 127.0.0.1:8080}: {@code up}, or
     * {@code down} or {@code ejected} with the reason behind a colon.
     */
    public Map<String, String> servers() {
        Map<String, String> servers = new TreeMap<>();
        backends.statuses().forEach(status -> servers.put(status.name(), status.text()));
        return servers;
    }

    /** What a counter stands at. */
    public long get(Counter counter) {
        long sum = 0;
        for (LoopCounters loop : loops) {
            sum += loop.get(counter);
        }
        return sum;
    }

    /** Client connections that are open now. */
    public long openConnections() {
        return get(Counter.ACCEPTED) - get(Counter.ENDED);
    }

    /** How many client connections ended for each reason, by the reason's name, such as {@code completed}. */
    public Map<String, Long> ends() {
        Map<String, Long> sum = new TreeMap<>();
        for (LoopCounters loop : loops) {
            loop.ends().forEach((reason, count) -> sum.merge(reason, count, Long::sum));
        }
        return sum;
    }

    /**
     * Who has the records of connections with TLS, clients' and backends', behind the handshake, by the lower-case names of {@link Detach}:
     * {@code direct} for those that detached from libssl, or why they did not.
     */
    public Map<String, Long> records() {
        Map<String, Long> sum = new TreeMap<>();
        for (LoopCounters loop : loops) {
            for (Detach outcome : Detach.values()) {
                if (loop.get(outcome) > 0) {
                    sum.merge(outcome.name().toLowerCase(Locale.ROOT), loop.get(outcome), Long::sum);
                }
            }
        }
        return sum;
    }

    /**
     * How often early data was refused, by reason: {@code unfit} where the ticket was too old, or made under another name,
     * protocol or suite; else the lower-case names of {@link dev.sluice.gateway.earlydata.ReplayVerdict}.
     */
    public Map<String, Long> earlyDataRefused() {
        return earlyData.refused();
    }

    /** What is stapled to certificates, and what was done for it. */
    public Staples staples() {
        return new Staples(
                stapling.certificates(),
                stapling.stapled(),
                stapling.oldest(),
                stapling.given(),
                stapling.fetched(),
                stapling.failed());
    }

    /** Lines of the access log that were written. */
    public long accessLogWritten() {
        return accessLog.written();
    }

    /** Lines of the access log that were lost, since its writer was too slow, or the disk failed for too long. */
    public long accessLogDropped() {
        return accessLog.dropped();
    }

    /** Attempts to write the access log, or to rotate it, that failed. */
    public long accessLogFailures() {
        return accessLog.failures();
    }

    /** How many client connections ended for one reason. */
    public long ended(String reason) {
        return ends().getOrDefault(reason, 0L);
    }
}
