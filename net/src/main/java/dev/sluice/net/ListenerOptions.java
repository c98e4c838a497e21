package dev.sluice.net;

/**
 * The settings of a listener.
 *
 * @param backlog connections that the kernel queues, listen(2)
 * @param acceptPauseMillis how long accepting rests after the descriptor limit was met
 */
public record ListenerOptions(int backlog, long acceptPauseMillis) {
    /** Returns the defaults. */
    public static ListenerOptions defaults() {
        return new ListenerOptions(4096, 100);
    }
}
