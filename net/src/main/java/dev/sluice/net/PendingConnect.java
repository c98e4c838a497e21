package dev.sluice.net;

/** A connect that is under way. Confined to its loop's thread. */
public interface PendingConnect {
    /**
     * Gives the connect up. Its handler's onConnectFailed is called before this returns, with the reason
     * {@code connect_abandoned}. No effect when the outcome is known.
     */
    void abandon();
}
