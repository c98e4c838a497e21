package dev.sluice.net;

/**
 * A watcher of the turns of an event loop, behind its wait for the kernel. Called on the loop's thread; must not throw,
 * and be quick.
 */
public interface TurnWatcher {
    /** Reports that the wait is over. */
    void turnBegins();

    /**
     * Reports that all there was to do is done, as far as it is for this turn.
     *
     * @param done how many things the kernel told of, and tasks
     */
    void turnEnds(int done);
}
