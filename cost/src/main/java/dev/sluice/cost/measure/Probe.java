package dev.sluice.cost.measure;

import dev.sluice.cost.figures.Figure;
import java.util.List;

/** Measures one thing, again and again. Confined to one thread. Its owner closes it. */
interface Probe extends AutoCloseable {
    /** What a round yields: names and units, in the order of the values. */
    List<Name> names();

    /**
     * Measures once.
     *
     * @param nanos about how long it may take
     * @return a value for each name
     */
    double[] round(long nanos);

    @Override
    void close();

    /** A figure to be. */
    record Name(String path, Figure.Unit unit) {}
}
