package dev.sluice.cost.doctor;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Collects findings: each kind once, with what was seen first. Confined to one thread. */
final class Findings {
    private final Map<FindingKind, Finding> found = new EnumMap<>(FindingKind.class);

    /** Adds one. */
    void add(FindingKind kind, String figure) {
        found.putIfAbsent(kind, new Finding(kind, figure));
    }

    /** Adds one if something holds. */
    void addIf(boolean holds, FindingKind kind, String figure) {
        if (holds) {
            add(kind, figure);
        }
    }

    boolean has(FindingKind kind) {
        return found.containsKey(kind);
    }

    /** By severity, and among equals in the order of effect. */
    List<Finding> inOrderOfEffect() {
        return found.values().stream()
                .sorted(Comparator.comparing(Finding::severity).reversed().thenComparing(Finding::kind))
                .toList();
    }
}
