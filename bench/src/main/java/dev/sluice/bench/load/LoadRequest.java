package dev.sluice.bench.load;

import dev.sluice.bench.harness.BenchException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A request to the load generator, encoded as one line of words.
 *
 * @param scenario the scenario
 * @param port port of the server under test on 127.0.0.1
 * @param tls true for TLS
 * @param connections concurrent connections
 * @param units amount of work in bytes, handshakes, round trips or connections
 * @param perSecond start rate of units, independent of earlier ones; 0 to start each after an earlier one
 */
public record LoadRequest(
        Scenario.Kind scenario, int port, boolean tls, int connections, long units, double perSecond) {
    /** Checks the ranges. */
    public LoadRequest {
        if (connections < 1 || units < 0 || !(perSecond >= 0)) {
            throw new BenchException("connections must be >= 1, units and perSecond >= 0, connections=" + connections
                    + ", units=" + units + ", perSecond=" + perSecond);
        }
    }

    /** Creates a request without a fixed rate. */
    public LoadRequest(Scenario.Kind scenario, int port, boolean tls, int connections, long units) {
        this(scenario, port, tls, connections, units, 0);
    }

    /** Returns the line. */
    String toLine() {
        return "scenario=" + scenario.name().toLowerCase(Locale.ROOT) + " port=" + port + " tls=" + tls
                + " connections=" + connections + " units=" + units + " per_second=" + perSecond;
    }

    /** Parses a line. */
    static LoadRequest parse(String line) {
        Map<String, String> words = words(line);
        return new LoadRequest(
                Scenario.Kind.valueOf(word(words, "scenario").toUpperCase(Locale.ROOT)),
                Integer.parseInt(word(words, "port")),
                Boolean.parseBoolean(word(words, "tls")),
                Integer.parseInt(word(words, "connections")),
                Long.parseLong(word(words, "units")),
                Double.parseDouble(word(words, "per_second")));
    }

    /** Returns the {@code key=value} words of a line. */
    static Map<String, String> words(String line) {
        return Arrays.stream(line.split(" ", -1))
                .filter(word -> word.indexOf('=') > 0)
                .collect(Collectors.toMap(
                        word -> word.substring(0, word.indexOf('=')), word -> word.substring(word.indexOf('=') + 1)));
    }

    /** Returns one of the words. */
    static String word(Map<String, String> words, String key) {
        String value = words.get(key);
        if (value == null) {
            throw new BenchException("missing word, key=" + key + ", words=" + words.keySet());
        }
        return value;
    }
}
