package dev.sluice.net;

/**
 * How a listener is made.
 *
 * @param backlog connections that the kernel queues, listen(2)
 * @param acceptPauseMillis how long accepting rests after the descriptor limit was met
 */
public record ListenerOptions(int backlog, long acceptPauseMillis) {
    /** What is right for most. */
    public static ListenerOptions defaults() {
        return new ListenerOptions(4096, 100);
    }
}
