package dev.sluice.net;

/** Told of each turn of an event loop, behind its wait for the kernel. Called on the loop's thread; must not throw, and be quick. */
public interface TurnWatcher {
    /** The wait is over. */
    void turnBegins();

    /**
     * All that there was to do is done, as far as it is for this turn.
     *
     * @param done how many things the kernel told of, and tasks
     */
    void turnEnds(int done);
}
