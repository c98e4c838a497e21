package dev.sluice.net;

/**
 * A handler of what handlers, tasks and timers threw. The loop goes on; a connection whose handler threw is aborted.
 * Called on the loop's thread; must not throw.
 */
@FunctionalInterface
public interface UncaughtHandler {
    /** Writes an error with its stack trace to the system logger {@code dev.sluice.net}. */
    UncaughtHandler TO_SYSTEM_LOGGER = (loop, where, thrown) -> System.getLogger("dev.sluice.net")
            .log(System.Logger.Level.ERROR, loop.name() + ": uncaught in " + where, thrown);

    /**
     * Reports an exception.
     *
     * @param where what threw, such as {@code onReceived}
     */
    void onUncaught(EventLoop loop, String where, Throwable thrown);
}
