package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.memory.Slab;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class BufferWaitersTest {
    private static final long LIMIT_SECONDS = 60;

    /** Nothing else happens on the loop then: it must not go to sleep. */
    @Test
    void servesAWaiterAgainWhenABufferWasFreedMeanwhile() throws Exception {
        EventLoopConfig config = EventLoopConfig.defaults()
                .withBackend(EventLoop.Backend.EPOLL)
                .withMaxBuffers(EventLoopConfig.LEAST_BUFFERS);
        CompletableFuture<Boolean> served = new CompletableFuture<>();
        try (Loop loop = Loop.start(config)) {
            List<Slab> all = new ArrayList<>();
            loop.execute(() -> {
                for (Slab slab = loop.buffers().lease();
                        slab != null;
                        slab = loop.buffers().lease()) {
                    all.add(slab);
                }
                loop.whenBuffersAreFree(() -> {
                    loop.whenBuffersAreFree(() -> {
                        all.forEach(Slab::release);
                        served.complete(true);
                    });
                    all.removeLast().release();
                });
                all.removeLast().release();
            });
            assertThat(served.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }
}
