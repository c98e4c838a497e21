package dev.sluice.cost.plan;

import dev.sluice.cost.figures.CostException;
import dev.sluice.cost.measure.KeyKind;
import dev.sluice.tls.context.ProtocolVersion;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The load of a running gateway from its metrics: counters of two pages, or of one since the gateway's start. Version,
 * certificate and group are the most frequent ones.
 */
public final class ScrapedMetrics {
    private static final String HANDSHAKES = "sluice_tls_handshakes_total";
    private static final String BYTES = "sluice_connection_bytes_total";
    private static final String CPU = "process_cpu_seconds_total";
    private static final String STARTED = "process_start_time_seconds";

    private final PrometheusParser first;
    private final PrometheusParser last;
    private final double seconds;

    private ScrapedMetrics(PrometheusParser first, PrometheusParser last, double seconds) {
        this.first = first;
        this.last = last;
        this.seconds = seconds;
        if (!last.has(HANDSHAKES)) {
            throw new CostException("the metrics lack " + HANDSHAKES + "; use those of a Sluice gateway");
        }
        if (!(seconds > 0)) {
            throw new CostException(
                    "the counters' time must be more than 0 s, not " + seconds + "; set it with --seconds");
        }
    }

    /** Returns the load between two pages. */
    public static ScrapedMetrics between(String first, String last, double seconds) {
        return new ScrapedMetrics(
                PrometheusParser.parse(first, "the first page"),
                PrometheusParser.parse(last, "the second page"),
                seconds);
    }

    /**
     * Returns the load since the gateway's start.
     *
     * @param source the page's name in messages
     * @param nowSeconds time of the page, in seconds since 1970
     */
    public static ScrapedMetrics sinceStart(String page, String source, double nowSeconds) {
        PrometheusParser read = PrometheusParser.parse(page, source);
        double started = read.sum(STARTED);
        if (started == 0) {
            throw new CostException(
                    source + " lacks the gateway's start time (" + STARTED + "); set its running time with --seconds");
        }
        return new ScrapedMetrics(PrometheusParser.parse("", source), read, nowSeconds - started);
    }

    /** Returns the load since the gateway's start, a known time ago. */
    public static ScrapedMetrics since(String page, String source, double seconds) {
        return new ScrapedMetrics(PrometheusParser.parse("", source), PrometheusParser.parse(page, source), seconds);
    }

    /** Returns the cores used by the gateway's process, if reported. */
    public OptionalDouble measuredCores() {
        return last.has(CPU) ? OptionalDouble.of(rate(CPU)) : OptionalDouble.empty();
    }

    /** Returns the load; values missing from the metrics are taken from another load. */
    public Load load(Load otherwise) {
        double handshakes = rate(HANDSHAKES);
        double full = rate(HANDSHAKES, "kind", "full");
        double resumption = handshakes == 0 ? 0 : Math.clamp(1 - full / handshakes, 0, 1);
        return new Load(
                Math.round(last.sum("sluice_connections")),
                handshakes,
                resumption,
                down(),
                up(),
                otherwise.recordBytes(),
                settings(otherwise.settings()));
    }

    private double down() {
        return rate(BYTES, "direction", "to_client");
    }

    private double up() {
        return rate(BYTES, "direction", "to_backend");
    }

    private Load.Settings settings(Load.Settings otherwise) {
        String version = most("version");
        String signature = most("signature").toLowerCase(Locale.ROOT);
        Load.Settings settings = otherwise;
        if (!version.isEmpty()) {
            settings =
                    settings.withVersion(version.endsWith("1.2") ? ProtocolVersion.TLS_1_2 : ProtocolVersion.TLS_1_3);
        }
        boolean hybrid = most("group").toUpperCase(Locale.ROOT).contains("MLKEM");
        settings = settings.withPostQuantum(hybrid && settings.version() == ProtocolVersion.TLS_1_3);
        return settings.withKey(key(signature, settings.key()));
    }

    /** Returns the key type; the metrics report the signature algorithm but not the length of an RSA key. */
    private static KeyKind key(String signature, KeyKind otherwise) {
        if (signature.contains("rsa")) {
            return otherwise.isRsa() ? otherwise : KeyKind.RSA_2048;
        }
        if (signature.contains("ed25519")) {
            return KeyKind.ED25519;
        }
        if (signature.contains("384")) {
            return KeyKind.ECDSA_P384;
        }
        return signature.contains("ecdsa") ? KeyKind.ECDSA_P256 : otherwise;
    }

    /** Returns the most frequent value of a label over full handshakes. */
    private String most(String label) {
        return last.sumBy(HANDSHAKES, label).entrySet().stream()
                .filter(entry -> !entry.getKey().isEmpty())
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("");
    }

    private double rate(String name, String... labels) {
        return Math.max(0, last.sum(name, labels) - first.sum(name, labels)) / seconds;
    }
}
