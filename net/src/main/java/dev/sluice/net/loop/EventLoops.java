package dev.sluice.net.loop;

import dev.sluice.net.BackendUnavailableException;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.internal.Loop;

/** A factory for event loops. */
public final class EventLoops {
    private EventLoops() {}

    /**
     * Starts a loop: its thread runs and its backend is set up when this returns. The caller closes it.
     *
     * @throws BackendUnavailableException when the backend that the configuration insists on cannot run here
     */
    public static EventLoop start(EventLoopConfig config) {
        return Loop.start(config);
    }
}
