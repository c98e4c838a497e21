package dev.sluice.cost.measure;

/** A listener for the progress of a measurement. */
@FunctionalInterface
public interface Progress {
    /** Ignores the progress. */
    Progress NONE = (done, all, what) -> {};

    /**
     * Reports the start of a probe.
     *
     * @param done completed rounds
     * @param all total rounds
     * @param what the current probe
     */
    void at(int done, int all, String what);
}
