package dev.sluice.gateway.admin;

import dev.sluice.gateway.metrics.Metric;
import dev.sluice.tls.ResumptionMiss;
import java.util.Locale;

/** What the history keeps. Each is derived from two pages of metrics; NaN where nothing happened that could be told of. */
enum Series {
    /** Full handshakes a second: what TLS costs. */
    FRESH {
        @Override
        double over(Interval interval) {
            return interval.rate(Metric.TLS_HANDSHAKES, "kind", "full");
        }
    },
    /** Handshakes a second that resumed a session, with early data or without. */
    RESUMED {
        @Override
        double over(Interval interval) {
            return interval.rate(Metric.TLS_HANDSHAKES, "kind", "resumed")
                    + interval.rate(Metric.TLS_HANDSHAKES, "kind", "early");
        }
    },
    /** Full handshakes a second whose clients have offered a ticket, or have got none since tickets are off. */
    MISSED {
        @Override
        double over(Interval interval) {
            return interval.rate(Metric.TLS_RESUMPTION_MISSES)
                    - interval.rate(Metric.TLS_RESUMPTION_MISSES, "reason", ResumptionMiss.NONE_OFFERED.label());
        }
    },
    /** Handshakes a second that failed. */
    FAILED {
        @Override
        double over(Interval interval) {
            return interval.rate(Metric.TLS_HANDSHAKE_FAILURES);
        }
    },
    /** Processors' seconds a second that went into cryptography. */
    CRYPTO_CPU {
        @Override
        double over(Interval interval) {
            return interval.rate(Metric.TLS_CRYPTO_CPU);
        }
    },
    /** Processors' seconds a second that the whole process took. */
    CPU {
        @Override
        double over(Interval interval) {
            return interval.rate(Metric.PROCESS_CPU);
        }
    },
    /** Client connections that are open. */
    CONNECTIONS {
        @Override
        double over(Interval interval) {
            return interval.now(Metric.CONNECTIONS);
        }
    },
    /** Bytes of plaintext a second from clients to backends. */
    RECEIVED {
        @Override
        double over(Interval interval) {
            return interval.rate(Metric.CONNECTION_BYTES, "direction", "to_backend");
        }
    },
    /** Bytes of plaintext a second from backends to clients. */
    SENT {
        @Override
        double over(Interval interval) {
            return interval.rate(Metric.CONNECTION_BYTES, "direction", "to_client");
        }
    },
    /** Bytes outside the Java heap that have an owner. */
    MEMORY {
        @Override
        double over(Interval interval) {
            return interval.now(Metric.MEMORY_BYTES);
        }
    },
    /**
     * Of the handshakes of the last {@link #RATIO_SAMPLES} samples whose clients offered a ticket, those that
     * resumed.
     */
    RESUMPTION {
        @Override
        double over(Interval interval) {
            double resumed = interval.recentMean(RESUMED, RATIO_SAMPLES);
            return resumed / (resumed + interval.recentMean(MISSED, RATIO_SAMPLES));
        }
    },
    /** Of the time that event loops have, in the last {@link #RATIO_SAMPLES} samples, what went into cryptography. */
    CRYPTO {
        @Override
        double over(Interval interval) {
            int loops = interval.after().samples(Metric.LOOP_TURNS.family()).size();
            return interval.recentMean(CRYPTO_CPU, RATIO_SAMPLES) / loops;
        }
    };

    /** A ratio of a few events is noise: it is taken over so many samples. */
    static final int RATIO_SAMPLES = 10;

    /** Its value for one interval. Those that need others come behind them. */
    abstract double over(Interval interval);

    /** The name in JSON: lower case with underscores. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
