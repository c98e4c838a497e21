package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The places where the providers differ on purpose. A case that meets one states what it saw; a difference that is not
 * listed fails, as does an entry that has ceased to be one.
 */
enum Difference {
    FINISHED_AFTER_A_TICKET(
            "FINISHED for each ticket",
            "FINISHED once",
            "FINISHED is for the call that finishes a handshake; a ticket of TLS 1.3 belongs to none."),
    RENEGOTIATION(
            "renegotiated",
            "refused",
            "Renegotiation has been a source of attacks, RFC 9325 section 3.5 advises against it, TLS 1.3 has none."),
    NO_COMMON_GROUP(
            "unexpected_message",
            "handshake_failure",
            "RFC 8446 section 4.1.1 demands handshake_failure or insufficient_security."),
    ALERT_OF_A_DISTRUSTFUL_CLIENT(
            "protected",
            "plain",
            "OpenSSL's clients send with their handshake keys from their first flight on, which a refusal forestalls."),
    CLOSE_AFTER_A_FLIGHT(
            "an alert",
            "no alert",
            "libssl sends no close_notify before its handshake is complete, and an alert has to be protected by then."),
    EMPTY_HANDSHAKE_RECORD("rejected", "skipped", "OpenSSL skips up to 32 empty records in a row."),
    TARGET_SMALLER_THAN_A_PACKET(
            "BUFFER_OVERFLOW", "OK", "A record that fits is written; the packet size is only what always suffices."),
    STAPLE_UNDER_TLS12(
            "seen",
            "not yet seen",
            "OpenSSL verifies the chain before it reads the message with the stapled response."),
    CHAIN_OF_A_RESUMED_CLIENT(
            "the chain", "one certificate", "Tickets of OpenSSL hold the client's certificate without intermediates."),
    RECORD_OF_VERSION_9("read", "rejected", "OpenSSL reads records of major version 3 only, which is all there are."),
    PLAIN_KEY_MANAGER(
            "not asked by engines",
            "asked",
            "A key manager of the old interface knows no engine, but can choose without one.");

    private final String sun;
    private final String sluice;
    private final String reason;

    Difference(String sun, String sluice, String reason) {
        this.sun = sun;
        this.sluice = sluice;
        this.reason = reason;
    }

    /** Asserts that a provider behaves as listed. */
    void check(JsseProvider provider, String seen) {
        assertThat(seen)
                .as("%s on %s; %s", this, provider, reason)
                .isEqualTo(provider == JsseProvider.SUN ? sun : sluice);
    }

    String sun() {
        return sun;
    }

    String sluice() {
        return sluice;
    }

    String reason() {
        return reason;
    }
}
