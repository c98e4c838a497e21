package dev.sluice.doctor.audit;

import java.util.OptionalDouble;

/** What CPU time one connection takes a server. */
public interface ServerCosts {
    /** The medians of the table "What a handshake costs" in BENCHMARKS.md: the gateway on OpenSSL 3.5.8. */
    ServerCosts OF_BENCHMARKS = new PublishedCosts();

    /**
     * The time of one connection with its handshake.
     *
     * @param tls13 whether by TLS 1.3; else by TLS 1.2
     * @param key such as {@code "EC 256"} or {@code "RSA 2048"}
     * @return microseconds; empty where it was not measured
     */
    OptionalDouble micros(boolean tls13, String key, boolean resumed);

    /** Where the figures are from, for people. */
    String source();
}
