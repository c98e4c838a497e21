package dev.sluice.net;

/** A task that waits for its time on an event loop. Confined to the loop's thread. */
public interface Timer {
    /** The task will not run. No effect when it has. */
    void cancel();
}
