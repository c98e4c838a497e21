package dev.sluice.gateway.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.monitoring.AlertConfig;
import dev.sluice.config.monitoring.AlertName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the way from pages of metrics to alerts, by a clock of its own. */
class AlertBoardTest {
    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final List<String> changes = new ArrayList<>();
    private AlertBoard board = new AlertBoard(AlertConfig.DEFAULT);
    /** The error of the time-of-day clock. */
    private Duration wrong = Duration.ZERO;

    private void at(int seconds, String... lines) {
        board.update(MetricLines.at(START.plusSeconds(seconds).plus(wrong), lines), seconds * 1_000_000_000L)
                .forEach(status -> changes.add(
                        seconds + " " + status.name() + " " + status.state().word()));
    }

    private static AlertConfig only(AlertName alert, double threshold, Duration hold) {
        return new AlertConfig(MINUTE, hold, MINUTE, 100, Map.of(alert, threshold), List.of());
    }

    private AlertStatus status(AlertName alert) {
        return board.statuses().stream()
                .filter(status -> status.name().equals(alert.key()))
                .findFirst()
                .orElseThrow();
    }

    /** Handshakes, of which so many resume, and the full ones do not since their keys are unknown. */
    private static String[] handshakes(int full, int resumed) {
        return handshakes(full, resumed, "unknown_key");
    }

    private static String[] handshakes(int full, int resumed, String miss) {
        return new String[] {
            "sluice_tls_handshakes_total{kind=\"full\"} " + full,
            "sluice_tls_handshakes_total{kind=\"resumed\"} " + resumed,
            "sluice_tls_resumption_misses_total{reason=\"" + miss + "\"} " + full
        };
    }

    @Test
    void theResumptionRatioFiresAndClears() {
        int full = 0;
        int resumed = 0;
        for (int second = 0; second <= 330; second++) {
            boolean broken = second > 100 && second <= 200;
            full += broken ? 100 : 10;
            resumed += broken ? 0 : 90;
            at(second, handshakes(full, resumed));
        }

        // Below 0.7 from the 14th second on, and held for 30. Above 0.77 from the 52nd on, and clear for 60.
        assertThat(changes).containsExactly("144 resumption-ratio firing", "312 resumption-ratio ok");
    }

    /** New clients, monitors, clients that keep no sessions: none of them could have resumed. */
    @Test
    void clientsThatOfferNoTicketDoNotCountAgainstTheResumptionRatio() {
        for (int second = 0; second <= 200; second++) {
            at(second, handshakes(100 * second, 0, "none_offered"));
        }
        assertThat(changes).isEmpty();
        assertThat(status(AlertName.RESUMPTION_RATIO).value()).isNaN();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tickets_off | tickets must not be off",
                "unknown_key | local:FILE",
                "expired | keep: 48h",
                "other_host | one certificate for these names",
                "other_context | after a renewal",
                "other_version | min-version",
                "other_suite | leave ciphers out",
                "damaged | changed or made up",
                "unknown | has the reasons"
            })
    void theAdviceIsAboutTheReasonThatLeads(String miss, String first) {
        board = new AlertBoard(
                only(AlertName.RESUMPTION_RATIO, 0.7, Duration.ZERO).with(AlertName.FULL_HANDSHAKES_PER_SECOND, 100));
        at(0, handshakes(0, 0, miss));
        at(1, handshakes(200, 0, miss));
        assertThat(changes).containsExactly("1 full-handshakes-per-second firing", "1 resumption-ratio firing");
        assertThat(status(AlertName.RESUMPTION_RATIO).advice().getFirst()).contains(first);
        assertThat(status(AlertName.FULL_HANDSHAKES_PER_SECOND).advice().getFirst())
                .contains(first);
    }

    @Test
    void fullHandshakesOfClientsThatOfferNothingAreNotAdvisedToTurnTicketsOn() {
        board = new AlertBoard(only(AlertName.FULL_HANDSHAKES_PER_SECOND, 100, Duration.ZERO));
        at(0, handshakes(0, 0, "none_offered"));
        at(1, handshakes(200, 0, "none_offered"));
        AlertStatus status = status(AlertName.FULL_HANDSHAKES_PER_SECOND);
        assertThat(status.advice().getFirst()).contains("none_offered");
        assertThat(status.advice()).noneMatch(line -> line.contains("tickets must not be off"));
    }

    @Test
    void aFewHandshakesTellNothing() {
        for (int second = 0; second <= 200; second++) {
            at(second, handshakes(second, 0));
        }
        assertThat(changes).isEmpty();
        assertThat(status(AlertName.RESUMPTION_RATIO).state()).isEqualTo(AlertState.OK);
        assertThat(status(AlertName.RESUMPTION_RATIO).value()).isNaN();
        assertThat(status(AlertName.RESUMPTION_RATIO).message()).isEqualTo("too few events to decide");
    }

    @Test
    void anAlertClearsWhenNobodyComesAnyMore() {
        int full = 0;
        for (int second = 0; second <= 300; second++) {
            full += second < 100 ? 100 : 0;
            at(second, handshakes(full, 0));
        }
        assertThat(changes).hasSize(2).last().asString().endsWith("resumption-ratio ok");
    }

    /** A second has as many nanoseconds whatever the clock of the day says. */
    @ParameterizedTest
    @CsvSource({"P1D", "-P1D"})
    void ratesAndHoldTimesDoNotCareForTheClockOfTheDay(Duration step) {
        int full = 0;
        for (int second = 0; second <= 60; second++) {
            wrong = second >= 20 ? step : Duration.ZERO;
            full += 6000;
            at(second, handshakes(full, 20 * full));
        }
        assertThat(changes).containsExactly("31 full-handshakes-per-second firing");
        assertThat(status(AlertName.FULL_HANDSHAKES_PER_SECOND).value()).isEqualTo(6000);
        assertThat(status(AlertName.FULL_HANDSHAKES_PER_SECOND).message())
                .isEqualTo("6000 full handshakes per second (threshold: more than 5000)");
    }

    @Test
    void sinceIsWhenTheStateBegan() {
        int full = 0;
        for (int second = 0; second <= 60; second++) {
            full += 6000;
            at(second, handshakes(full, 20 * full));
        }
        assertThat(status(AlertName.FULL_HANDSHAKES_PER_SECOND).since()).isEqualTo(START.plusSeconds(31));
        assertThat(status(AlertName.RESUMPTION_RATIO).since()).isEqualTo(START);
    }

    /** Checks which values of a metric make an alert fire at once, and which do not. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CERTIFICATE_EXPIRY | 1772323200 + 1209500 | 1772323200 + 1400000"
                        + " | sluice_tls_certificate_not_after_timestamp_seconds{name=shop} | certificate shop"
                        + " lasts for 13d 23h",
                "CERTIFICATES_UNUSABLE | 2 | 0 | sluice_tls_certificate_files_unusable{name=sites,consequence=skipped}"
                        + " | certificates whose files cannot be used: 2 (sites)",
                "TICKET_KEY_AGE | 86401 | 70000 | sluice_tls_ticket_key_age_seconds | the current ticket key has"
                        + " sealed for 1d",
                "TICKET_SYNC_AGE | 1772323200 - 301 | 1772323200 - 200 | sluice_tls_ticket_sync_timestamp_seconds"
                        + " | ticket keys were compared with the store 5m 1s ago",
                "RELOAD_FAILED | 0 | 1 | sluice_config_reload_successful | the last reload of the configuration"
                        + " was rejected"
            })
    void whatIsReadOffOnePage(AlertName alert, String bad, String good, String series, String message) {
        board = new AlertBoard(new AlertConfig(
                MINUTE, Duration.ZERO, Duration.ZERO, 100, Map.of(alert, alert.defaultThreshold()), List.of()));
        at(0, series + ' ' + sum(bad));
        assertThat(changes).containsExactly("0 " + alert.key() + " firing");
        assertThat(status(alert).message()).startsWith(message);
        at(0, series + ' ' + sum(good));
        assertThat(status(alert).state()).isEqualTo(AlertState.OK);
        at(0);
        assertThat(status(alert).state()).isEqualTo(AlertState.OK);
    }

    /**
     * A response of so many seconds, of which so many are left, and what has become of the last attempt to renew it.
     */
    private void staple(int second, int lifetime, int left, String failure) {
        String labels = "{name=shop,key_type=EC}";
        List<String> lines = new ArrayList<>(List.of(
                "sluice_tls_ocsp_next_update_timestamp_seconds" + labels + ' '
                        + (START.getEpochSecond() + second + left),
                "sluice_tls_ocsp_lifetime_seconds" + labels + ' ' + lifetime));
        if (!failure.isEmpty()) {
            lines.add("sluice_tls_ocsp_failure{name=shop,key_type=EC,cause=" + failure + "} 1");
        }
        at(second, lines.toArray(String[]::new));
    }

    /** Three hours at most, a quarter of its life at most, and only if it is not renewed. */
    @ParameterizedTest
    @CsvSource({
        "86400, 10700, http_status, FIRING",
        "86400, 10900, http_status, OK",
        "86400, 10700, '', OK",
        "3600, 1000, '', OK",
        "3600, 1000, no_connection, OK",
        "3600, 899, no_connection, FIRING",
        "3600, 899, not_renewed, FIRING"
    })
    void aStapleIsNearItsEndWhenItsRenewalFails(int lifetime, int left, String failure, AlertState expected) {
        board = new AlertBoard(
                only(AlertName.STAPLE_EXPIRY, AlertName.STAPLE_EXPIRY.defaultThreshold(), Duration.ZERO));
        staple(0, lifetime, left, failure);
        assertThat(status(AlertName.STAPLE_EXPIRY).state()).isEqualTo(expected);
        if (expected == AlertState.FIRING) {
            assertThat(status(AlertName.STAPLE_EXPIRY).message())
                    .startsWith("the OCSP response of certificate shop is not renewed and lasts for ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "no_connection, firewall",
        "no_answer, does not answer",
        "http_status, HTTP error",
        "malformed, no OCSP responder",
        "refused, refuses",
        "other_certificate, about another certificate",
        "signature, signature",
        "certificate_unknown, does not know the certificate",
        "outdated, have ended",
        "not_renewed, same answer again",
        "not_yet_valid, clock is behind",
        "revoked, 'is revoked, and clients'",
        "issuer_unknown, put it into the chain",
        "internal, report"
    })
    void adviceAboutStaplesFollowsFromWhatTheResponderDid(String cause, String first) {
        board = new AlertBoard(only(AlertName.STAPLES_MISSING, 0, Duration.ZERO));
        at(
                0,
                "sluice_tls_ocsp_certificates{state=missing} 1",
                "sluice_tls_ocsp_failure{name=shop,key_type=EC,cause=" + cause + "} 1");
        AlertStatus status = status(AlertName.STAPLES_MISSING);
        assertThat(status.state()).isEqualTo(AlertState.FIRING);
        assertThat(status.advice().getFirst()).contains(first);
        assertThat(status.advice().stream().anyMatch(line -> line.contains("firewall")))
                .isEqualTo(cause.equals("no_connection"));
    }

    @Test
    void severalCausesAreToldTheMostFrequentFirst() {
        board = new AlertBoard(only(AlertName.STAPLES_MISSING, 0, Duration.ZERO));
        String failure = "sluice_tls_ocsp_failure{name=%s,key_type=EC,cause=%s} 1";
        at(
                0,
                "sluice_tls_ocsp_certificates{state=missing} 3",
                failure.formatted("a", "no_answer"),
                failure.formatted("b", "signature"),
                failure.formatted("c", "signature"));
        assertThat(status(AlertName.STAPLES_MISSING).advice().getFirst()).contains("signature");
        assertThat(status(AlertName.STAPLES_MISSING).advice().get(1)).contains("does not answer");
    }

    private static long sum(String text) {
        String[] parts = text.replace("- ", "+ -").split(" \\+ ", -1);
        long sum = 0;
        for (String part : parts) {
            sum += Long.parseLong(part.strip());
        }
        return sum;
    }

    @Test
    void aBackendIsDownWhenNoServerOfItIsUp() {
        board = new AlertBoard(only(AlertName.BACKEND_DOWN, 0, Duration.ZERO).with(AlertName.SERVERS_DOWN, 0));
        at(0, server("web", "a", 1), server("web", "b", 0), server("api", "c", 1));
        assertThat(changes).containsExactly("0 servers-down firing");
        assertThat(status(AlertName.SERVERS_DOWN).message())
                .isEqualTo("servers that are not up: 1 (b) (threshold: more than 0)");
        at(1, server("web", "a", 0), server("web", "b", 0), server("api", "c", 1));
        assertThat(changes).contains("1 backend-down firing");
        assertThat(status(AlertName.BACKEND_DOWN).message()).isEqualTo("backends without a server that is up: 1 (web)");
    }

    @Test
    void aNameThatIsFoundNoMoreIsReportedWithItsBackend() {
        board = new AlertBoard(only(AlertName.BACKEND_NAMES, 0, Duration.ZERO));
        at(0, "sluice_backend_names_failing{backend=web} 0", "sluice_backend_names_failing{backend=api} 0");
        assertThat(changes).isEmpty();
        at(1, "sluice_backend_names_failing{backend=web} 2", "sluice_backend_names_failing{backend=api} 0");
        assertThat(changes).containsExactly("1 backend-names firing");
        assertThat(status(AlertName.BACKEND_NAMES).message())
                .isEqualTo("names of servers whose lookup fails: 2 (backend web) (threshold: more than 0)");
    }

    private static String server(String backend, String name, int up) {
        return "sluice_backend_up{backend=" + backend + ",server=" + name + "} " + up;
    }

    /** Two loops: two seconds of cryptography in a second are all that there can be. */
    @Test
    void cryptographyIsAShareOfTheLoops() {
        board = new AlertBoard(only(AlertName.CRYPTO_CPU_RATIO, 0.25, Duration.ZERO));
        String[] loops = {"sluice_loop_turns_total{loop=0} 1", "sluice_loop_turns_total{loop=1} 1"};
        at(0, loops[0], loops[1], "sluice_tls_crypto_cpu_seconds_total{phase=seal} 7");
        at(10, loops[0], loops[1], "sluice_tls_crypto_cpu_seconds_total{phase=seal} 12.2");
        assertThat(status(AlertName.CRYPTO_CPU_RATIO).value()).isCloseTo(0.26, Offset.offset(1e-9));
        assertThat(changes).containsExactly("10 crypto-cpu-ratio firing");
    }

    /** Clients of TLS 1.2 may have no ECDSA; those of TLS 1.3 have it. */
    @ParameterizedTest
    @CsvSource({
        "TLSv1.3, rsa_pss_rsae_sha256, FIRING",
        "TLSv1.3, ecdsa_secp256r1_sha256, OK",
        "TLSv1.2, rsa_pss_rsae_sha256, OK"
    })
    void rsaIsToldOfWhereEcdsaCouldServe(String version, String signature, AlertState expected) {
        board = new AlertBoard(only(AlertName.RSA_RATIO, 0.5, Duration.ZERO));
        String series = "sluice_tls_handshakes_total{kind=full,version=" + version + ",signature=" + signature + "} ";
        at(0, series + 0);
        at(1, series + 100);
        assertThat(status(AlertName.RSA_RATIO).state()).isEqualTo(expected);
    }

    /** Compares clients that want ChaCha20 with those that get it; some may get it without wanting it. */
    @ParameterizedTest
    @CsvSource({"100, 40, FIRING", "100, 100, OK", "100, 140, OK", "50, 0, OK"})
    void whoWantsChaCha20ShouldGetIt(int wanted, int served, AlertState expected) {
        board = new AlertBoard(only(AlertName.CHACHA20_MISSED_RATIO, 0.5, Duration.ZERO));
        String want = "sluice_tls_client_preference_total{cipher=chacha20} ";
        String got = "sluice_tls_handshakes_total{cipher=TLS_CHACHA20_POLY1305_SHA256} ";
        at(0, want + 0, got + 0);
        at(1, want + wanted, got + served);
        assertThat(status(AlertName.CHACHA20_MISSED_RATIO).state()).isEqualTo(expected);
    }

    @Test
    void anotherConfigurationKeepsWhatFiresAndForgetsWhatIsOff() {
        board = new AlertBoard(only(AlertName.BACKEND_DOWN, 0, Duration.ZERO).with(AlertName.SERVERS_DOWN, 0));
        at(0, server("web", "a", 0));
        assertThat(changes).hasSize(2);

        board.configure(only(AlertName.SERVERS_DOWN, 0, Duration.ofHours(1)));
        at(1, server("web", "a", 0));
        assertThat(changes).hasSize(2);
        assertThat(board.statuses()).singleElement().satisfies(status -> {
            assertThat(status.name()).isEqualTo("servers-down");
            assertThat(status.state()).isEqualTo(AlertState.FIRING);
        });

        board.configure(only(AlertName.SERVERS_DOWN, 1, Duration.ofHours(1)));
        at(2, server("web", "a", 0));
        at(120, server("web", "a", 0));
        assertThat(changes).last().isEqualTo("120 servers-down ok");
    }

    @ParameterizedTest
    @EnumSource
    void eachAlertTellsWhatToDoFirst(AlertName alert) {
        at(0);
        assertThat(status(alert).advice())
                .isNotEmpty()
                .allSatisfy(advice -> assertThat(advice).endsWith("."));
    }

    @ParameterizedTest
    @CsvSource({
        "RESUMPTION_RATIO, 0.7, 0.77",
        "RESUMPTION_RATIO, 0.95, 0.975",
        "RSA_RATIO, 0.5, 0.45",
        "SERVERS_DOWN, 1, 1"
    })
    void whatIsClearlyBetterCanBeReached(AlertName alert, double threshold, double clearing) {
        assertThat(new Threshold(alert, threshold).clearing()).isCloseTo(clearing, Offset.offset(1e-9));
    }
}
