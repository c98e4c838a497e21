package dev.sluice.net;

/** A task that waits for its time on an event loop. Confined to the loop's thread. */
public interface Timer {
    /** Cancels the task. No effect when it has run. */
    void cancel();
}
