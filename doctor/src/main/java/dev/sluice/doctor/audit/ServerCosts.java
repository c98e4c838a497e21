package dev.sluice.doctor.audit;

import java.util.OptionalDouble;

/** The CPU time of one connection at a server. */
public interface ServerCosts {
    /** The medians in docs/benchmarks/handshakes.md: the gateway on OpenSSL 3.5.8. */
    ServerCosts OF_BENCHMARKS = new PublishedCosts();

    /**
     * Returns the time of one connection with its handshake.
     *
     * @param tls13 true for TLS 1.3, false for TLS 1.2
     * @param key such as {@code "EC 256"} or {@code "RSA 2048"}
     * @return microseconds; empty if it was not measured
     */
    OptionalDouble micros(boolean tls13, String key, boolean resumed);

    /** Returns the source of the figures, for people. */
    String source();
}
