package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.internal.SimulatedWorld.Setting;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.Faults;
import dev.sluice.simulator.RingRules;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sockets that were accepted and not told of yet. */
final class AcceptedSocketsTest {
    private static final int RUSH = 90;

    @Test
    void takesOutInOrderHoweverManyThereAre() {
        AcceptedSockets sockets = new AcceptedSockets();
        ArrayDeque<Integer> model = new ArrayDeque<>();
        Random random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            if (random.nextInt(5) < 3) {
                sockets.add(listener(), i);
                model.add(i);
            } else if (!model.isEmpty()) {
                assertThat(sockets.firstListener()).isNotNull();
                assertThat(sockets.take()).isEqualTo(model.remove());
            }
            assertThat(sockets.isEmpty()).isEqualTo(model.isEmpty());
        }
    }

    /** All of a rush are told in the end, and on io_uring no more in a turn than there are to be. */
    @ParameterizedTest
    @EnumSource
    void reportsARushSomeAtATime(Backend backend) {
        Setting setting = new Setting(Faults.none(), RingRules.LINUX_6_6, 64, 64, 1000);
        try (SimulatedWorld world = new SimulatedWorld(new Chance(2), backend, setting)) {
            int[] accepted = {0};
            world.listen(new PlainEcho() {
                @Override
                public void onAccepted(TcpConnection connection, SocketAddress peer) {
                    accepted[0]++;
                    super.onAccepted(connection, peer);
                }
            });
            for (int i = 0; i < RUSH; i++) {
                world.dial();
            }
            world.kernel.endWhen(() -> accepted[0] == RUSH);
            int most = 0;
            for (int before = 0; accepted[0] < RUSH; before = accepted[0]) {
                world.turn();
                most = Math.max(most, accepted[0] - before);
            }
            if (backend == Backend.IO_URING) {
                assertThat(most).isLessThanOrEqualTo(Transport.MOST_ACCEPTED_PER_TURN);
            }
        }
    }

    private static Endpoint listener() {
        return new Endpoint() {
            @Override
            void onThrown(Throwable thrown) {}

            @Override
            void onDetached() {}

            @Override
            void onLoopClosing() {}
        };
    }
}
