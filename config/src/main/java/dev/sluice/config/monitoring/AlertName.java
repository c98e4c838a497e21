package dev.sluice.config.monitoring;

import dev.sluice.config.yaml.Words;
import java.time.Duration;

/** The alerts, in the order of the pages that list them: the most expensive first. */
public enum AlertName {
    /** Full handshakes, each with a signature by the gateway. */
    FULL_HANDSHAKES_PER_SECOND(Kind.RATE, true, 5_000, "Full handshakes per second."),
    /** The share of handshakes that resumed a session, of those whose client offered one. */
    RESUMPTION_RATIO(
            Kind.RATIO, false, 0.7, "Fires below this share of resumed handshakes, of those that offered a ticket."),
    /** The share of the event loops' time that goes to cryptography. */
    CRYPTO_CPU_RATIO(Kind.RATIO, true, 0.25, "Share of the event loops' time spent on cryptography."),
    /** The share of full handshakes signed with RSA, of clients that could verify ECDSA. */
    RSA_RATIO(Kind.RATIO, true, 0.5, "Share of the full handshakes of TLS 1.3 clients signed with RSA."),
    /** The share of handshakes that negotiated ChaCha20. */
    CHACHA20_RATIO(Kind.RATIO, true, 0.5, "Share of handshakes that negotiated ChaCha20."),
    /** The share of clients that prefer ChaCha20 and get another cipher. */
    CHACHA20_MISSED_RATIO(Kind.RATIO, true, 0.5, "Share of clients that put ChaCha20 first and get another cipher."),
    /** The share of handshakes that failed, whatever the fault. */
    HANDSHAKE_FAILURE_RATIO(Kind.RATIO, true, 0.2, "Share of handshakes that failed."),
    /** Handshakes in a window that failed by a fault of the gateway. */
    INTERNAL_FAILURES(Kind.NUMBER, true, 0, "Handshakes in a window that failed by a fault of the gateway."),
    /** The time until the first certificate expires. */
    CERTIFICATE_EXPIRY(Kind.DURATION, false, days(14), "Fires when a certificate expires sooner than this."),
    /** Certificates whose files cannot be used. */
    CERTIFICATES_UNUSABLE(Kind.NUMBER, true, 0, "Certificates whose files cannot be used."),
    /** Attempts in a row that failed to order a certificate by ACME. */
    ACME_FAILURES(Kind.NUMBER, true, 3, "Attempts in a row to order a certificate by ACME that failed."),
    /** The time until the first OCSP response expires that is not refreshed. */
    STAPLE_EXPIRY(
            Kind.DURATION,
            false,
            hours(3),
            "Fires when an OCSP response that is not refreshed expires sooner, or is in its last quarter."),
    /** Certificates that should have an OCSP response, and have none. */
    STAPLES_MISSING(Kind.NUMBER, true, 0, "Certificates without the OCSP response that they should have."),
    /** The time for which the current ticket key has sealed. */
    TICKET_KEY_AGE(Kind.DURATION, true, hours(24), "Age of the current ticket key."),
    /** The time since the ticket keys were last compared with the store. */
    TICKET_SYNC_AGE(Kind.DURATION, true, 300, "Time since the ticket store was last reached."),
    /** Backends without a server that is up. */
    BACKEND_DOWN(Kind.SWITCH, true, 0, "Reports backends without a server that is up."),
    /** Servers of backends that are not up. */
    SERVERS_DOWN(Kind.NUMBER, true, 0, "Servers that are not up."),
    /** Names of servers whose last lookup failed. */
    BACKEND_NAMES(Kind.NUMBER, true, 0, "Names of backends' servers whose lookup fails."),
    /** Open client connections, as a share of the limit. */
    CONNECTIONS_RATIO(Kind.RATIO, true, 0.8, "Open connections as a share of their limit."),
    /** Clients rejected before their handshake. */
    REFUSALS_PER_SECOND(Kind.RATE, true, 10, "Clients per second rejected before their handshake."),
    /** Receives that waited for a buffer. */
    BUFFER_SHORTAGES_PER_SECOND(Kind.RATE, true, 10, "Receives per second that wait for a buffer."),
    /** Lines that the access log dropped in a window. */
    ACCESS_LOG_DROPS(Kind.NUMBER, true, 0, "Access-log lines dropped in a window."),
    /** True when the last reload was rejected. */
    RELOAD_FAILED(Kind.SWITCH, true, 0, "Reports a reload that was rejected.");

    /** The kinds of thresholds, each with its spelling in the configuration. */
    public enum Kind {
        /** From 0 to 1. */
        RATIO,
        /** Per second. */
        RATE,
        /** A number of things. */
        NUMBER,
        /** A duration, in seconds. */
        DURATION,
        /** {@code on} or {@code off}: one event is one too many. */
        SWITCH
    }

    private final Kind kind;
    private final boolean firesAbove;
    private final double threshold;
    private final String text;

    AlertName(Kind kind, boolean firesAbove, double threshold, String text) {
        this.kind = kind;
        this.firesAbove = firesAbove;
        this.threshold = threshold;
        this.text = text;
    }

    /** Returns the key of the configuration, and the alert's name everywhere: lower case with dashes. */
    public String key() {
        return Words.dashed(this);
    }

    /** Returns the kind of the threshold. */
    public Kind kind() {
        return kind;
    }

    /** Returns true where the alert fires above its threshold, not below. */
    public boolean firesAbove() {
        return firesAbove;
    }

    /** Returns the default threshold; of {@link #TICKET_KEY_AGE} the one for the default of {@code tickets.rotate}. */
    public double defaultThreshold() {
        return threshold;
    }

    /** Returns the line of the configuration's reference page. */
    public String text() {
        return text;
    }

    private static double days(long days) {
        return Duration.ofDays(days).toSeconds();
    }

    private static double hours(long hours) {
        return Duration.ofHours(hours).toSeconds();
    }
}
