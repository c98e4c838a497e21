package dev.sluice.bench.soak;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The gateway's memory over a phase, one look after every step. The first step is the JIT compiler's and sets the mark. */
final class MemorySeries {
    private final List<Memory> looks = new ArrayList<>();
    private final long unitsPerStep;

    /** @param unitsPerStep what is carried between two looks */
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

    /** What was carried after the first look. */
    long units() {
        return unitsPerStep * (looks.size() - 1);
    }

    /** By how much resident memory exceeded that of the first look where it was largest; at least 0. */
    long residentGrowth() {
        return looks.stream().mapToLong(Memory::resident).max().orElseThrow() - first().resident();
    }

    /** Bytes of heap allocated after the first look. */
    long allocated() {
        return last().allocated() - first().allocated();
    }

    /** Bytes of heap per unit, in the step in the middle when ordered by that; 0 with one look. */
    double typicalPerUnit() {
        double[] steps = new double[looks.size() - 1];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = (looks.get(i + 1).allocated() - looks.get(i).allocated()) / (double) unitsPerStep;
        }
        Arrays.sort(steps);
        return steps.length == 0 ? 0 : steps[steps.length / 2];
    }

    /** Which threads allocated after the first look, those with most first; for people. */
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
