package dev.sluice.net;

import dev.sluice.net.EventLoop.Backend;
import java.util.stream.Stream;

/** The ways to run a loop that every conformance test goes through: both backends, roomy and tiny. */
final class Setups {
    private Setups() {}

    static Stream<EventLoopConfig> all() {
        return Stream.of(roomy(Backend.EPOLL), tiny(Backend.EPOLL), roomy(Backend.IO_URING), tiny(Backend.IO_URING));
    }

    private static EventLoopConfig roomy(Backend backend) {
        return EventLoopConfig.defaults()
                .withName("roomy-" + backend)
                .withBackend(backend)
                .withCloseTimeoutMillis(3_000);
    }

    private static EventLoopConfig tiny(Backend backend) {
        return roomy(backend).withName("tiny-" + backend).withMaxBuffers(8).withRingEntries(8);
    }
}
