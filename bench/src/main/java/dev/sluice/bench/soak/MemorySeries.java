package dev.sluice.bench.soak;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The gateway's memory over a phase, one sample per step. The first step is for the JIT compiler and sets the mark. */
final class MemorySeries {
    private final List<Memory> looks = new ArrayList<>();
    private final long unitsPerStep;

    /**
     * Creates an instance.
     *
     * @param unitsPerStep work between two samples
     */
    MemorySeries(long unitsPerStep) {
        this.unitsPerStep = unitsPerStep;
    }

    void add(Memory look) {
        looks.add(look);
    }

    Memory first() {
        return looks.getFirst();
    }

    Memory last() {
        return looks.getLast();
    }

    /** Returns the work after the first sample. */
    long units() {
        return unitsPerStep * (looks.size() - 1);
    }

    /** Returns the maximum excess of resident memory over the first sample; at least 0. */
    long residentGrowth() {
        return looks.stream().mapToLong(Memory::resident).max().orElseThrow() - first().resident();
    }

    /** Returns the bytes of heap allocated after the first sample. */
    long allocated() {
        return last().allocated() - first().allocated();
    }

    /** Returns the heap bytes per unit in the median step; 0 with one sample. */
    double typicalPerUnit() {
        double[] steps = new double[looks.size() - 1];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = (looks.get(i + 1).allocated() - looks.get(i).allocated()) / (double) unitsPerStep;
        }
        Arrays.sort(steps);
        return steps.length == 0 ? 0 : steps[steps.length / 2];
    }

    /** Returns the threads that allocated after the first sample, by amount, for display. */
    String allocators() {
        Map<String, Long> before = first().byThread();
        Map<String, Long> grown = new TreeMap<>();
        last().byThread().forEach((name, bytes) -> grown.put(name, bytes - before.getOrDefault(name, 0L)));
        long unseen =
                allocated() - grown.values().stream().mapToLong(Long::longValue).sum();
        if (unseen > 0) {
            grown.put("threads that the JVM hides", unseen);
        }
        String all = grown.entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .map(entry -> String.format(Locale.ROOT, "%s %,d", entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
        return all.isEmpty() ? "none" : all;
    }
}
