package dev.sluice.cost.measure;

/** Is told how far a measurement is. */
@FunctionalInterface
public interface Progress {
    /** Nobody wants to know. */
    Progress NONE = (done, all, what) -> {};

    /**
     * Something begins.
     *
     * @param done rounds that are over
     * @param all rounds there will be
     * @param what is measured now
     */
    void at(int done, int all, String what);
}
