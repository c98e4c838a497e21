package dev.sluice.net;

import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.loop.EventLoops;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.TestedTransports;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The ways to run a loop that every conformance test goes through: both backends, roomy and tiny. */
final class Setups {
    private static final boolean URING = uringRuns();

    private Setups() {}

    static Stream<EventLoopConfig> all() {
        return backends().flatMap(backend -> Stream.of(roomy(backend), tiny(backend)));
    }

    /** The backends that run here. */
    static Stream<Backend> backends() {
        return Stream.of(Backend.EPOLL, Backend.IO_URING)
                .filter(TestedTransports::include)
                .filter(backend -> backend == Backend.EPOLL || URING);
    }

    /** Tests epoll alone where the kernel refuses io_uring, and says so. */
    private static boolean uringRuns() {
        try (EventLoop loop = EventLoops.start(roomy(null))) {
            boolean runs = loop.backend() == Backend.IO_URING;
            if (!runs) {
                System.err.println("io_uring is not tested here; " + loop.backendReason());
                if (Boolean.parseBoolean(System.getenv(ForeignProgram.REQUIRE_PEERS))) {
                    throw new AssertionError(loop.backendReason());
                }
            }
            return runs;
        }
    }

    private static EventLoopConfig roomy(EventLoop.@Nullable Backend backend) {
        return EventLoopConfig.defaults()
                .withName("roomy-" + backend)
                .withBackend(backend)
                .withCloseTimeoutMillis(3_000);
    }

    private static EventLoopConfig tiny(Backend backend) {
        return roomy(backend).withName("tiny-" + backend).withMaxBuffers(8).withRingEntries(8);
    }
}
