package dev.sluice.cost.figures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The cost of TLS on one machine: figures by name, as {@code sluice cost} measures and saves them. Names are paths,
 * listed in docs/cost.md. Immutable.
 */
public final class CostProfile {
    private final Map<String, String> facts;
    private final Map<String, Figure> figures = new LinkedHashMap<>();

    /**
     * Creates a profile.
     *
     * @param facts the conditions of the figures, such as CPU and OpenSSL, in display order
     * @param figures figures with distinct names, in display order
     * @throws IllegalArgumentException for a duplicate name
     */
    public CostProfile(Map<String, String> facts, List<Figure> figures) {
        this.facts = new LinkedHashMap<>(facts);
        for (Figure figure : figures) {
            if (this.figures.put(figure.name(), figure) != null) {
                throw new IllegalArgumentException("duplicate figure name: " + figure.name());
            }
        }
    }

    /** Returns the conditions of the figures. */
    public Map<String, String> facts() {
        return new LinkedHashMap<>(facts);
    }

    /** Returns all figures. */
    public List<Figure> figures() {
        return List.copyOf(figures.values());
    }

    /** Returns the figures whose names have a prefix, such as {@code asymmetric/}. */
    public List<Figure> under(String prefix) {
        List<Figure> found = new ArrayList<>();
        for (Figure figure : figures.values()) {
            if (figure.name().startsWith(prefix)) {
                found.add(figure);
            }
        }
        return found;
    }

    /** Returns whether there is a figure with a name. */
    public boolean has(String name) {
        return figures.containsKey(name);
    }

    /** Returns the median of a figure, in its unit; empty if it was not measured, as for a group that OpenSSL lacks. */
    public OptionalDouble find(String name) {
        Figure figure = figures.get(name);
        return figure == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(figure.estimate().median());
    }

    /**
     * Returns the median of a figure, in its unit.
     *
     * @throws CostException when it was not measured
     */
    public double median(String name) {
        return find(name)
                .orElseThrow(() -> new CostException("the measurement has no figure " + name + "; this OpenSSL lacks "
                        + "it, or the file is from an older version; measure again with sluice cost"));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CostProfile profile && facts.equals(profile.facts) && figures.equals(profile.figures);
    }

    @Override
    public int hashCode() {
        return figures.hashCode();
    }
}
