package dev.sluice.cost.measure;

import dev.sluice.cost.figures.Figure;
import java.util.List;

/** A measurement of one quantity in rounds. Confined to one thread. Its owner closes it. */
interface Probe extends AutoCloseable {
    /** Returns the names and units of a round's values, in order. */
    List<Name> names();

    /**
     * Runs one round.
     *
     * @param nanos approximate duration
     * @return a value for each name
     */
    double[] round(long nanos);

    @Override
    void close();

    /** The name and unit of a figure. */
    record Name(String path, Figure.Unit unit) {}
}
