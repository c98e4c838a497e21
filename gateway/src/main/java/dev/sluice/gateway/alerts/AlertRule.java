package dev.sluice.gateway.alerts;

import dev.sluice.config.monitoring.AlertName;
import dev.sluice.gateway.metrics.Metric;
import java.util.List;
import java.util.function.Function;

/**
 * The measurement of an alert, and the advice that goes with it.
 *
 * @param measure what is compared with the threshold
 * @param sentence tells the value: {@code {}} stands for it, and {@code {of}} for whose it is
 * @param advice what to do first, the most useful first; where the metrics tell the cause, about that cause
 */
record AlertRule(Function<Situation, Measured> measure, String sentence, Function<Situation, List<String>> advice) {
    /** The advice is the same whatever has caused it. */
    AlertRule(Function<Situation, Measured> measure, String sentence, List<String> advice) {
        this(measure, sentence, _ -> advice);
    }

    /** The rule of an alert. */
    static AlertRule of(AlertName alert) {
        return switch (alert) {
            case FULL_HANDSHAKES_PER_SECOND ->
                new AlertRule(
                        now -> now.rate(Tally.FULL),
                        "{} full handshakes per second",
                        ResumptionAdvice::forFullHandshakes);
            case RESUMPTION_RATIO ->
                new AlertRule(
                        now -> now.share(Tally.RESUMED, Tally.RESUMED, Tally.MISSED),
                        "{} of the handshakes whose client offered a ticket resumed a session",
                        ResumptionAdvice::forMisses);
            case CRYPTO_CPU_RATIO ->
                new AlertRule(
                        Situation::cryptography,
                        "cryptography takes {} of the event loops' time",
                        ResumptionAdvice::forFullHandshakes);
            case RSA_RATIO ->
                new AlertRule(
                        now -> now.share(Tally.FULL_TLS13_RSA, Tally.FULL_TLS13),
                        "{} of the full handshakes of TLS 1.3 clients, who all can verify ECDSA, are signed with RSA",
                        Advice.RSA);
            case CHACHA20_RATIO ->
                new AlertRule(
                        now -> now.share(Tally.CHACHA20, Tally.HANDSHAKES),
                        "{} of all handshakes agreed on ChaCha20",
                        Advice.CHACHA20);
            case CHACHA20_MISSED_RATIO ->
                new AlertRule(
                        Situation::chaCha20Missed,
                        "{} of the clients that put ChaCha20 first get another cipher",
                        Advice.CHACHA20_MISSED);
            case HANDSHAKE_FAILURE_RATIO ->
                new AlertRule(
                        now -> now.share(Tally.FAILURES, Tally.FAILURES, Tally.HANDSHAKES),
                        "{} of all handshakes failed",
                        Advice.FAILURES);
            case INTERNAL_FAILURES ->
                new AlertRule(
                        now -> now.increase(Tally.INTERNAL_FAILURES),
                        "handshakes that failed by a fault of the gateway: {}",
                        Advice.INTERNAL_FAILURES);
            default -> ofThings(alert);
        };
    }

    /** Returns the rule of an alert about certificates, keys, servers or limits. */
    private static AlertRule ofThings(AlertName alert) {
        return switch (alert) {
            case CERTIFICATE_EXPIRY ->
                new AlertRule(
                        now -> now.secondsLeft(Metric.TLS_CERTIFICATE_NOT_AFTER, "name"),
                        "certificate {of} lasts for {}",
                        Advice.CERTIFICATE);
            case CERTIFICATES_UNUSABLE ->
                new AlertRule(
                        Situation::certificatesUnusable,
                        "certificates whose files cannot be used: {} ({of})",
                        Advice.CERTIFICATE_FILES);
            case ACME_FAILURES ->
                new AlertRule(
                        Situation::acmeFailures,
                        "attempts to order certificate {of} that failed in a row: {}",
                        Advice.ACME_FAILURES);
            case STAPLE_EXPIRY ->
                new AlertRule(
                        now -> now.staples().secondsLeft(),
                        "the OCSP response of certificate {of} is not renewed and lasts for {}",
                        now -> StapleAdvice.of(now.staples()));
            case STAPLES_MISSING ->
                new AlertRule(
                        now -> now.staples().missing(),
                        "certificates that are to have an OCSP response and have none: {}",
                        now -> StapleAdvice.of(now.staples()));
            case TICKET_KEY_AGE ->
                new AlertRule(
                        now -> now.value(Metric.TLS_TICKET_KEY_AGE),
                        "the current ticket key has sealed for {}",
                        Advice.TICKET_KEY);
            case TICKET_SYNC_AGE ->
                new AlertRule(
                        now -> now.secondsSince(Metric.TLS_TICKET_SYNC),
                        "ticket keys were compared with the store {} ago",
                        Advice.TICKET_SYNC);
            case BACKEND_DOWN ->
                new AlertRule(
                        Situation::backendsDown,
                        "backends without a server that is up: {} ({of})",
                        Advice.BACKEND_DOWN);
            case SERVERS_DOWN ->
                new AlertRule(Situation::serversDown, "servers that are not up: {} ({of})", Advice.SERVERS_DOWN);
            case BACKEND_NAMES ->
                new AlertRule(
                        Situation::namesFailing,
                        "names of servers whose lookup fails: {} (backend {of})",
                        Advice.BACKEND_NAMES);
            case CONNECTIONS_RATIO ->
                new AlertRule(
                        Situation::connections, "{} of the connections that there may be are open", Advice.CONNECTIONS);
            case REFUSALS_PER_SECOND ->
                new AlertRule(
                        now -> now.rate(Tally.REFUSALS),
                        "{} clients per second are refused before their handshake",
                        ResumptionAdvice::forRefusals);
            case BUFFER_SHORTAGES_PER_SECOND ->
                new AlertRule(
                        now -> now.rate(Tally.BUFFER_SHORTAGES),
                        "{} receives per second wait for a buffer",
                        Advice.BUFFERS);
            case ACCESS_LOG_DROPS ->
                new AlertRule(
                        now -> now.increase(Tally.ACCESS_LOG_DROPS),
                        "lines that the access log lost: {}",
                        Advice.ACCESS_LOG);
            case RELOAD_FAILED ->
                new AlertRule(
                        Situation::reloadFailed, "the last reload of the configuration was rejected", Advice.RELOAD);
            default -> throw new IllegalArgumentException("no rule for " + alert);
        };
    }
}
