package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.util.HashMap;
import java.util.Map;

/**
 * The answer of a process.
 *
 * @param line such as {@code ok nanos=251.3 heap=0}
 * @param numbers by name
 */
public record Answer(String line, Map<String, Double> numbers) {
    static Answer of(String line) {
        Map<String, Double> numbers = new HashMap<>();
        for (String word : line.split(" ", -1)) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                numbers.put(word.substring(0, equals), Double.valueOf(word.substring(equals + 1)));
            }
        }
        return new Answer(line, Map.copyOf(numbers));
    }

    /**
     * Returns a number of the answer.
     *
     * @throws BenchException when it is missing
     */
    public double number(String name) {
        Double number = numbers.get(name);
        if (number == null) {
            throw new BenchException("the process did not report " + name + ", it answered: " + line);
        }
        return number;
    }

    /** Returns a number of the answer, or a default. */
    public double number(String name, double otherwise) {
        return numbers.getOrDefault(name, otherwise);
    }
}
