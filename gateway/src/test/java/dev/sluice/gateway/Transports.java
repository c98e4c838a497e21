package dev.sluice.gateway;

import dev.sluice.net.BackendUnavailableException;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.loop.EventLoops;
import dev.sluice.testkit.TestedTransports;
import java.util.Arrays;
import java.util.List;

/** The transports that are available here: every suite runs on all of them. */
public final class Transports {
    private Transports() {}

    /** Returns the transports. */
    public static List<EventLoop.Backend> available() {
        return Arrays.stream(EventLoop.Backend.values())
                .filter(TestedTransports::include)
                .filter(Transports::runs)
                .toList();
    }

    private static boolean runs(EventLoop.Backend backend) {
        try (EventLoop loop = EventLoops.start(EventLoopConfig.defaults().withBackend(backend))) {
            return loop.backend() == backend;
        } catch (BackendUnavailableException refused) {
            return false;
        }
    }
}
