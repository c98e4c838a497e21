package dev.sluice.config.lint;

import dev.sluice.config.json.JsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The gateway's CPU time per connection: handshake, backend connection, a byte in each direction, close.
 *
 * @param source the source of the figures, for messages
 * @param micros the microseconds of each kind
 */
public record HandshakeCosts(String source, Map<Kind, Double> micros) {
    /** Medians of docs/benchmarks/handshakes.md, on OpenSSL 3.5.8. */
    public static final HandshakeCosts OF_BENCHMARKS = new HandshakeCosts(
            "docs/benchmarks/handshakes.md; measure this machine with sluice bench handshakes"
                    + " --json costs.json, and pass --costs costs.json",
            Map.of(
                    Kind.TLS12_ECDSA_FULL, 257.0,
                    Kind.TLS12_ECDSA_RESUMED, 130.0,
                    Kind.TLS13_ECDSA_FULL, 292.0,
                    Kind.TLS13_ECDSA_RESUMED, 260.0,
                    Kind.TLS12_RSA_FULL, 476.0,
                    Kind.TLS12_RSA_RESUMED, 137.0,
                    Kind.TLS13_RSA_FULL, 535.0,
                    Kind.TLS13_RSA_RESUMED, 255.0));

    /** The format of the file of {@code sluice cost}, see docs/cost.md. */
    private static final String COST_FORMAT = "sluice-cost/1";

    private static final String EXPERIMENT = "handshakes";
    private static final String METRIC = "gateway_cpu_micros";

    /** A kind of handshake; the name is that of {@code sluice bench handshakes}. */
    public enum Kind {
        /** TLS 1.2, ECDSA P-256, full. */
        TLS12_ECDSA_FULL("TLS 1.2, ECDSA P-256, full", "gateway/tls12/ecdsa-p256/full"),
        /** TLS 1.2, ECDSA P-256, resumed. */
        TLS12_ECDSA_RESUMED("TLS 1.2, ECDSA P-256, resumed", "gateway/tls12/ecdsa-p256/resumed"),
        /** TLS 1.3, ECDSA P-256, full. */
        TLS13_ECDSA_FULL("TLS 1.3, ECDSA P-256, full", "gateway/tls13/ecdsa-p256/full"),
        /** TLS 1.3, ECDSA P-256, resumed. */
        TLS13_ECDSA_RESUMED("TLS 1.3, ECDSA P-256, resumed", "gateway/tls13/ecdsa-p256/resumed"),
        /** TLS 1.2, RSA-2048, full. */
        TLS12_RSA_FULL("TLS 1.2, RSA-2048, full", "gateway/tls12/rsa-2048/full"),
        /** TLS 1.2, RSA-2048, resumed. */
        TLS12_RSA_RESUMED("TLS 1.2, RSA-2048, resumed", "gateway/tls12/rsa-2048/resumed"),
        /** TLS 1.3, RSA-2048, full. */
        TLS13_RSA_FULL("TLS 1.3, RSA-2048, full", "gateway/tls13/rsa-2048/full"),
        /** TLS 1.3, RSA-2048, resumed. */
        TLS13_RSA_RESUMED("TLS 1.3, RSA-2048, resumed", "gateway/tls13/rsa-2048/resumed");

        private final String text;
        private final String path;

        Kind(String text, String path) {
            this.text = text;
            this.path = path;
        }

        /** Returns the name in the benchmark. */
        public String text() {
            return text;
        }
    }

    /** Copies the map. */
    public HandshakeCosts {
        micros = Map.copyOf(micros);
        for (Kind kind : Kind.values()) {
            if (!micros.containsKey(kind)) {
                throw new IllegalArgumentException(source + " has no figure for \"" + kind.text()
                        + "\"; let sluice bench handshakes --json, or sluice cost, run to its end");
            }
        }
    }

    /** Returns the CPU time in microseconds, rounded. */
    public long of(Kind kind) {
        return Math.round(micros.getOrDefault(kind, 0.0));
    }

    /**
     * Reads a file of {@code sluice bench handshakes --json}, an object per line, or of {@code sluice cost}.
     *
     * @throws IllegalArgumentException when the file cannot be read or a kind is missing: value, cause and remedy
     */
    public static HandshakeCosts read(Path file) {
        List<String> lines = lines(file);
        if (lines.stream().anyMatch(line -> line.contains(COST_FORMAT))) {
            return new HandshakeCosts(file.toString(), figures(object(file, String.join("\n", lines))));
        }
        Map<Kind, List<Double>> rounds = new HashMap<>();
        for (String line : lines) {
            addRound(rounds, object(file, line));
        }
        Map<Kind, Double> medians = new HashMap<>();
        rounds.forEach((kind, values) -> medians.put(kind, median(values)));
        return new HandshakeCosts(file.toString(), medians);
    }

    /** Returns the medians of {@code sluice cost}. */
    private static Map<Kind, Double> figures(Map<?, ?> all) {
        Map<Kind, Double> micros = new HashMap<>();
        for (Kind kind : Kind.values()) {
            if (all.get("figures") instanceof Map<?, ?> figures
                    && figures.get(kind.path) instanceof Map<?, ?> figure
                    && figure.get("median") instanceof Number median) {
                micros.put(kind, median.doubleValue());
            }
        }
        return micros;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> !line.isBlank())
                    .toList();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    file + " cannot be read (" + e + "); create it with: sluice bench handshakes --json " + file, e);
        }
    }

    /** Parses an object. */
    private static Map<?, ?> object(Path file, String line) {
        try {
            Object loaded = JsonReader.read(line);
            return loaded instanceof Map<?, ?> map ? map : Map.of();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    file + " is not a file of sluice bench handshakes --json, a JSON object per line; recreate it", e);
        }
    }

    private static void addRound(Map<Kind, List<Double>> rounds, Map<?, ?> line) {
        if (!EXPERIMENT.equals(line.get("experiment")) || Boolean.TRUE.equals(line.get("warmup"))) {
            return;
        }
        for (Kind kind : Kind.values()) {
            if (kind.text().equals(line.get("treatment"))
                    && line.get("metrics") instanceof Map<?, ?> metrics
                    && metrics.get(METRIC) instanceof Number micros) {
                rounds.computeIfAbsent(kind, _ -> new ArrayList<>()).add(micros.doubleValue());
            }
        }
    }

    private static double median(List<Double> values) {
        Collections.sort(values);
        int middle = values.size() / 2;
        return values.size() % 2 == 1 ? values.get(middle) : (values.get(middle - 1) + values.get(middle)) / 2;
    }
}
