package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.internal.SimulatedWorld.Setting;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.Faults;
import dev.sluice.simulator.MemorySocket;
import dev.sluice.simulator.RingRules;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The turns in which low-priority tasks run, and those in which they must not. */
final class LowPriorityTasksTest {
    private static final int BUFFERS = 64;
    private static final int RING_ENTRIES = 64;
    private static final int SOCKET_BYTES = 1000;
    private static final byte[] MESSAGE = new byte[100];

    private final LowPriorityTasks tasks = new LowPriorityTasks();

    @Test
    void runsInQuietTurns() {
        assertThat(tasks.isDue(true)).as("without any").isFalse();
        tasks.add(() -> {});

        assertThat(tasks.isDue(true)).isTrue();
    }

    @Test
    void runsInEveryFewthBusyTurn() {
        tasks.add(() -> {});
        for (int round = 0; round < 3; round++) {
            for (int turn = 1; turn < LowPriorityTasks.BUSY_TURNS_MAX; turn++) {
                assertThat(tasks.isDue(false)).isFalse();
            }
            assertThat(tasks.isDue(false)).isTrue();
        }
    }

    @Test
    void countsOnlyTurnsInWhichATaskWaits() {
        for (int turn = 0; turn < 100; turn++) {
            assertThat(tasks.isDue(false)).isFalse();
        }
        tasks.add(() -> {});

        assertThat(tasks.isDue(false)).isFalse();
    }

    @Test
    void aBacklogThatDoesNotEndShortensVisits() {
        long begin = 5_000_000_000L;
        tasks.add(() -> {});
        tasks.add(() -> {});
        assertThat(visit(begin)).isEqualTo(LowPriorityTasks.CALM_VISIT_NANOS);
        assertThat(visit(begin + LowPriorityTasks.STORM_AFTER_NANOS)).isEqualTo(LowPriorityTasks.CALM_VISIT_NANOS);
        assertThat(visit(begin + LowPriorityTasks.STORM_AFTER_NANOS + 1)).isEqualTo(LowPriorityTasks.STORM_VISIT_NANOS);

        tasks.poll();
        tasks.poll();
        assertThat(visit(begin + 2 * LowPriorityTasks.STORM_AFTER_NANOS))
                .as("the last one of the storm")
                .isEqualTo(LowPriorityTasks.STORM_VISIT_NANOS);
        tasks.add(() -> {});
        assertThat(visit(begin + 3 * LowPriorityTasks.STORM_AFTER_NANOS)).isEqualTo(LowPriorityTasks.CALM_VISIT_NANOS);
    }

    private long visit(long now) {
        long nanos = tasks.visitNanos(now);
        tasks.visited();
        return nanos;
    }

    /** An answer that is given in the same turn is with the client before the task runs. */
    @ParameterizedTest
    @EnumSource
    void runsBehindWhatOthersSend(Backend backend) {
        try (SimulatedWorld world = world(backend)) {
            List<Integer> answeredBefore = new ArrayList<>();
            List<MemorySocket> clients = new ArrayList<>();
            world.listen(new PlainEcho() {
                @Override
                public void onReceived(Connection connection, Slab buffer) {
                    world.loop.executeLowPriority(() ->
                            answeredBefore.add(clients.getFirst().read(new byte[MESSAGE.length], 0, MESSAGE.length)));
                    super.onReceived(connection, buffer);
                }
            });
            clients.add(world.dial());
            clients.getFirst().write(MESSAGE, 0, MESSAGE.length);
            world.runUntil(() -> !answeredBefore.isEmpty());

            // As many as one send took.
            assertThat(answeredBefore).hasSize(1).allMatch(bytes -> bytes > 0);
        }
    }

    /** Connections that never leave the loop a quiet turn do not keep tasks from their turn. */
    @ParameterizedTest
    @EnumSource
    void runsEachTaskEventually(Backend backend) {
        try (SimulatedWorld world = world(backend)) {
            world.listen(new PlainEcho());
            List<MemorySocket> clients = List.of(world.dial(), world.dial(), world.dial());
            clients.forEach(client -> exchange(world, client));
            int[] ran = {0};
            for (int i = 0; i < 10; i++) {
                world.loop.executeLowPriority(() -> ran[0]++);
            }
            int turns = 0;
            for (; ran[0] == 0; turns++) {
                for (MemorySocket client : clients) {
                    client.read(new byte[MESSAGE.length], 0, MESSAGE.length);
                    client.write(MESSAGE, 0, MESSAGE.length);
                }
                world.turn();
            }

            assertThat(turns).isLessThanOrEqualTo(LowPriorityTasks.BUSY_TURNS_MAX);
        }
    }

    @ParameterizedTest
    @EnumSource
    void runsInOrderAndTakesMoreMeanwhile(Backend backend) {
        try (SimulatedWorld world = world(backend)) {
            List<Integer> ran = new ArrayList<>();
            world.loop.executeLowPriority(() -> {
                ran.add(1);
                world.loop.executeLowPriority(() -> ran.add(3));
            });
            world.loop.executeLowPriority(() -> ran.add(2));
            world.runUntil(() -> ran.size() == 3);

            assertThat(ran).containsExactly(1, 2, 3);
        }
    }

    private static void exchange(SimulatedWorld world, MemorySocket client) {
        client.write(MESSAGE, 0, MESSAGE.length);
        int[] left = {MESSAGE.length};
        world.runUntil(() -> {
            left[0] -= Math.max(0, client.read(new byte[left[0]], 0, left[0]));
            return left[0] == 0;
        });
    }

    private static SimulatedWorld world(Backend backend) {
        return new SimulatedWorld(
                new Chance(1),
                backend,
                new Setting(Faults.none(), RingRules.LINUX_6_6, BUFFERS, RING_ENTRIES, SOCKET_BYTES));
    }
}
