package dev.sluice.gateway.config;

import java.time.Duration;

/** What the gateway can watch for. The order is that of the pages which show alerts: what costs most first. */
public enum AlertName {
    /** Full handshakes, each with a signature of ours. */
    FRESH_HANDSHAKES_PER_SECOND(Kind.RATE, true, 5_000),
    /** The share of handshakes that resumed a session, of those whose client offered one. */
    RESUMPTION_RATIO(Kind.RATIO, false, 0.7),
    /** The share of the event loops' time that goes to cryptography. */
    CRYPTO_CPU_RATIO(Kind.RATIO, true, 0.25),
    /** The share of full handshakes signed with RSA, of clients that could verify ECDSA. */
    RSA_RATIO(Kind.RATIO, true, 0.5),
    /** The share of handshakes that agreed on ChaCha20. */
    CHACHA20_RATIO(Kind.RATIO, true, 0.5),
    /** The share of clients that want ChaCha20 and get something else. */
    CHACHA20_MISSED_RATIO(Kind.RATIO, true, 0.5),
    /** The share of handshakes that failed, whoever is to blame. */
    HANDSHAKE_FAILURE_RATIO(Kind.RATIO, true, 0.2),
    /** Handshakes that failed by a fault of ours, in a window. */
    INTERNAL_FAILURES(Kind.NUMBER, true, 0),
    /** How long the certificate lasts that ends first. */
    CERTIFICATE_EXPIRY(Kind.DURATION, false, days(14)),
    /** Certificates whose files cannot be used. */
    CERTIFICATES_UNUSABLE(Kind.NUMBER, true, 0),
    /** How long the OCSP response lasts that ends first of those that are not renewed. */
    STAPLE_EXPIRY(Kind.DURATION, false, hours(3)),
    /** Certificates that are to have an OCSP response, and have none. */
    STAPLES_MISSING(Kind.NUMBER, true, 0),
    /** How long the current ticket key has sealed. */
    TICKET_KEY_AGE(Kind.DURATION, true, hours(24)),
    /** How long ago the ticket keys were last compared with the store. */
    TICKET_SYNC_AGE(Kind.DURATION, true, 300),
    /** Backends without a server that is up. */
    BACKEND_DOWN(Kind.SWITCH, true, 0),
    /** Servers of backends that are not up. */
    SERVERS_DOWN(Kind.NUMBER, true, 0),
    /** Open client connections, as a share of how many there may be. */
    CONNECTIONS_RATIO(Kind.RATIO, true, 0.8),
    /** Clients whose handshake was not let begin. */
    REFUSALS_PER_SECOND(Kind.RATE, true, 10),
    /** How often a loop had no buffer for what had come. */
    BUFFER_SHORTAGES_PER_SECOND(Kind.RATE, true, 10),
    /** Lines that the access log lost in a window. */
    ACCESS_LOG_DROPS(Kind.NUMBER, true, 0),
    /** Whether the last reload was refused. */
    RELOAD_FAILED(Kind.SWITCH, true, 0);

    /** What a threshold is, and how the configuration writes it. */
    public enum Kind {
        /** From 0 to 1. */
        RATIO,
        /** Per second. */
        RATE,
        /** How many. */
        NUMBER,
        /** A duration; its figure is in seconds. */
        DURATION,
        /** {@code on} or {@code off}: what is counted is one too many already when it is one. */
        SWITCH
    }

    private final Kind kind;
    private final boolean firesAbove;
    private final double threshold;

    AlertName(Kind kind, boolean firesAbove, double threshold) {
        this.kind = kind;
        this.firesAbove = firesAbove;
        this.threshold = threshold;
    }

    /** The key of the configuration, and the alert's name everywhere: lower case with dashes. */
    public String key() {
        return Section.dashed(this);
    }

    /** What its threshold is. */
    public Kind kind() {
        return kind;
    }

    /** Whether it fires above its threshold, not below. */
    public boolean firesAbove() {
        return firesAbove;
    }

    /** What holds unless configured; of {@link #TICKET_KEY_AGE} where {@code tickets.rotate} is not configured either. */
    public double defaultThreshold() {
        return threshold;
    }

    private static double days(long days) {
        return Duration.ofDays(days).toSeconds();
    }

    private static double hours(long hours) {
        return Duration.ofHours(hours).toSeconds();
    }
}
