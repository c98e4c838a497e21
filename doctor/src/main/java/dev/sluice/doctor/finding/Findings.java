package dev.sluice.doctor.finding;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A collection of findings: each kind once, with the first observation. Confined to one thread. */
public final class Findings {
    private final Map<FindingKind, Finding> found = new EnumMap<>(FindingKind.class);

    /** Creates an empty collection. */
    public Findings() {}

    /** Adds a finding. */
    public void add(FindingKind kind, String figure) {
        found.putIfAbsent(kind, new Finding(kind, figure));
    }

    /** Adds a finding if a condition holds. */
    public void addIf(boolean holds, FindingKind kind, String figure) {
        if (holds) {
            add(kind, figure);
        }
    }

    public boolean has(FindingKind kind) {
        return found.containsKey(kind);
    }

    /** Returns the findings by severity, then by effect. */
    public List<Finding> inOrderOfEffect() {
        return found.values().stream()
                .sorted(Comparator.comparing(Finding::severity).reversed().thenComparing(Finding::kind))
                .toList();
    }
}
