package dev.sluice.gateway.admin;

import dev.sluice.gateway.metrics.Metric;
import dev.sluice.tls.engine.ResumptionMiss;
import java.util.Locale;

/** The series of the history, each derived from two metric snapshots; NaN if nothing relevant happened between them. */
enum Series {
    /** Full handshakes per second. */
    FULL {
        @Override
        double over(Interval interval) {
            return interval.rate(Metric.TLS_HANDSHAKES, "kind", "full");
        }
    },
    /** Handshakes per second that resumed a session, with or without early data. */
    RESUMED {
        @Override
        double over(Interval interval) {
            return interval.rate(Metric.TLS_HANDSHAKES, "kind", "resumed")
                    + interval.rate(Metric.TLS_HANDSHAKES, "kind", "early");
        }
    },
    /** Full handshakes per second whose clients offered a ticket, or got none because tickets are off. */
    MISSED {
        @Override
        double over(Interval interval) {
            return interval.rate(Metric.TLS_RESUMPTION_MISSES)
                    - interval.rate(Metric.TLS_RESUMPTION_MISSES, "reason", ResumptionMiss.NONE_OFFERED.label());
        }
    },
    /** Failed handshakes per second. */
    FAILED {
        @Override
        double over(Interval interval) {
            return interval.rate(Metric.TLS_HANDSHAKE_FAILURES);
        }
    },
    /** CPU seconds per second for cryptography. */
    CRYPTO_CPU {
        @Override
        double over(Interval interval) {
            return interval.rate(Metric.TLS_CRYPTO_CPU);
        }
    },
    /** CPU seconds per second of the whole process. */
    CPU {
        @Override
        double over(Interval interval) {
            return interval.rate(Metric.PROCESS_CPU);
        }
    },
    /** Open client connections. */
    CONNECTIONS {
        @Override
        double over(Interval interval) {
            return interval.now(Metric.CONNECTIONS);
        }
    },
    /** Plaintext bytes per second from clients to backends. */
    RECEIVED {
        @Override
        double over(Interval interval) {
            return interval.rate(Metric.CONNECTION_BYTES, "direction", "to_backend");
        }
    },
    /** Plaintext bytes per second from backends to clients. */
    SENT {
        @Override
        double over(Interval interval) {
            return interval.rate(Metric.CONNECTION_BYTES, "direction", "to_client");
        }
    },
    /** Native bytes with an owner. */
    MEMORY {
        @Override
        double over(Interval interval) {
            return interval.now(Metric.MEMORY_BYTES);
        }
    },
    /** Ratio of resumed handshakes to those whose clients offered a ticket, over {@link #RATIO_SAMPLES} samples. */
    RESUMPTION {
        @Override
        double over(Interval interval) {
            double resumed = interval.recentMean(RESUMED, RATIO_SAMPLES);
            return resumed / (resumed + interval.recentMean(MISSED, RATIO_SAMPLES));
        }
    },
    /** Ratio of the CPU time for cryptography to the time of event loops, over {@link #RATIO_SAMPLES} samples. */
    CRYPTO {
        @Override
        double over(Interval interval) {
            int loops = interval.after().samples(Metric.LOOP_TURNS).size();
            return interval.recentMean(CRYPTO_CPU, RATIO_SAMPLES) / loops;
        }
    };

    /** Samples that a ratio covers: of a few events it would be noise. */
    static final int RATIO_SAMPLES = 10;

    /** Returns its value for one interval. Series that need others are declared after them. */
    abstract double over(Interval interval);

    /** Returns its name in JSON: lower case with underscores. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
