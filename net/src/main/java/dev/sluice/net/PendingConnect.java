package dev.sluice.net;

/** A connect that is under way. Confined to its loop's thread. */
public interface PendingConnect {
    /**
     * Gives the connect up. Its handler is told that it failed, with the reason {@code connect_abandoned}, before this returns.
     * No effect when its outcome is known.
     */
    void abandon();
}
