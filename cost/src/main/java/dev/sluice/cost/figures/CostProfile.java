package dev.sluice.cost.figures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What TLS costs on one machine: figures by name, as {@code sluice cost} measures and saves them. Names are paths, listed in
 * docs/cost.md. Immutable.
 */
public final class CostProfile {
    private final Map<String, String> facts;
    private final Map<String, Figure> figures = new LinkedHashMap<>();

    /**
     * Makes a profile.
     *
     * @param facts what the figures depend on, such as CPU and OpenSSL, in the order to show them
     * @param figures with different names, in the order to show them
     * @throws IllegalArgumentException when two have one name
     */
    public CostProfile(Map<String, String> facts, List<Figure> figures) {
        this.facts = new LinkedHashMap<>(facts);
        for (Figure figure : figures) {
            if (this.figures.put(figure.name(), figure) != null) {
                throw new IllegalArgumentException("two figures are named " + figure.name());
            }
        }
    }

    /** What the figures depend on. */
    public Map<String, String> facts() {
        return new LinkedHashMap<>(facts);
    }

    /** All figures. */
    public List<Figure> figures() {
        return List.copyOf(figures.values());
    }

    /** Those whose names begin so, such as {@code asymmetric/}. */
    public List<Figure> under(String prefix) {
        List<Figure> found = new ArrayList<>();
        for (Figure figure : figures.values()) {
            if (figure.name().startsWith(prefix)) {
                found.add(figure);
            }
        }
        return found;
    }

    /** Whether there is a figure of a name. */
    public boolean has(String name) {
        return figures.containsKey(name);
    }

    /** The median of a figure, in its unit; empty where it was not measured, as with a group that OpenSSL lacks. */
    public OptionalDouble find(String name) {
        Figure figure = figures.get(name);
        return figure == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(figure.estimate().median());
    }

    /**
     * The median of a figure, in its unit.
     *
     * @throws CostException when it was not measured
     */
    public double median(String name) {
        return find(name)
                .orElseThrow(() -> new CostException("the measurement has no figure " + name
                        + "; this OpenSSL lacks it, or the file is older than this program: measure again with sluice"
                        + " cost"));
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
