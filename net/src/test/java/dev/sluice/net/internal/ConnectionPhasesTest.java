package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.Connection;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.TcpConnection;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.Faults;
import dev.sluice.simulator.RingRules;
import dev.sluice.testkit.NativeBalance;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each event of a {@link StreamConnection} in each phase of its directions, on a kernel in memory that does nothing.
 */
class ConnectionPhasesTest {
    private static final int BYTES = 10;
    private static final String UNCHANGED = "-";
    private static final String ILLEGAL = "!";

    /** A row is a phase; a column an event with the phase that follows. */
    private static final String RECEIVING = """
            phase      start  stop    lent      bytes    end      cancelled peerEnded nextSendEnds withdraw close
            OFF        ON     -       LENT      -        -        -         -         OVER         -        DROPPING
            STOPPED    ON     -       LENT      -        -        -         END_TOLD  OVER         -        DROPPING
            ON         -      LATE    !         -        END_TOLD -         -         OVER         -        DROPPING
            DELIVERING -      STOPPED !         ON       ON       ON        -         OVER         -        DROPPING
            LATE       ON     -       LENT_NEXT STOPPED  END_TOLD STOPPED   -         OVER         -        DROPPING
            LENT       !      -       !         OFF      END_MET  -         -         -            -        DROPPING
            LENT_NEXT  !      -       !         LENT     LENT     LENT      -         -            -        DROPPING
            LENT_DUE   !      -       !         LENT     LENT     LENT      -         -            OFF      DROPPING
            DROPPING   -      -       -         -        END_MET  -         -         -            -        -
            END_MET    -      -       LENT      -        -        -         -         OVER         -        -
            END_TOLD   -      -       LENT      -        -        -         -         OVER         -        -
            OVER       -      -       !         -        END_TOLD -         -         -            -        -
            """;

    private static final String SENDING = """
            phase            send   sendFrom   shutdown         sent close
            IDLE             BUFFER LENT       SHUT             -    SHUT
            BUFFER           -      -          FINISHING_BUFFER IDLE FINISHING_BUFFER
            LENT             !      !          FINISHING_LENT   IDLE FINISHING_LENT
            FINISHING        !      !          -                SHUT SHUT
            FINISHING_BUFFER !      !          -                SHUT -
            FINISHING_LENT   !      !          -                SHUT -
            SHUT             !      !          -                -    -
            """;

    private static final Pattern PHASES = Pattern.compile(", receiving (\\w+), sending (\\w+)$");

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment lent = allocator.allocate(BYTES, 1);
    private final SimulatedWorld world = new SimulatedWorld(
            new Chance(1),
            Backend.EPOLL,
            new SimulatedWorld.Setting(Faults.none(), RingRules.LINUX_6_6, 8, 8, SimulatedWorld.MOST_SOCKET_BYTES));
    private final Handler handler = new Handler();
    private final StreamConnection connection = connection();

    private StreamConnection connection() {
        world.listen(handler);
        world.dial();
        world.runUntil(() -> handler.accepted != null);
        return Objects.requireNonNull(handler.accepted);
    }

    @AfterEach
    void end() {
        connection.abort();
        world.close();
        allocator.free(lent);
    }

    static Stream<Arguments> receiving() {
        return cells(RECEIVING);
    }

    static Stream<Arguments> sending() {
        return cells(SENDING);
    }

    private static Stream<Arguments> cells(String table) {
        List<String[]> rows = table.lines().map(line -> line.split(" +")).toList();
        String[] events = rows.getFirst();
        return rows.stream()
                .skip(1)
                .flatMap(row -> Stream.iterate(1, i -> i < events.length, i -> i + 1)
                        .map(i -> Arguments.of(row[0], events[i], row[i])));
    }

    @ParameterizedTest(name = "{0}, {1}: {2}")
    @MethodSource
    void receiving(String phase, String event, String expected) {
        enter(ReceivePhase.valueOf(phase), () -> {
            assertThat(receivePhase()).isEqualTo(phase);
            boolean legal = isLegal(() -> cause(event));
            assertThat(legal).isEqualTo(!expected.equals(ILLEGAL));
            assertThat(receivePhase()).isEqualTo(after(phase, expected));
        });
    }

    @ParameterizedTest(name = "{0}, {1}: {2}")
    @MethodSource
    void sending(String phase, String event, String expected) {
        enter(SendPhase.valueOf(phase), () -> {
            assertThat(sendPhase()).isEqualTo(phase);
            boolean legal = isLegal(() -> cause(event));
            assertThat(legal).isEqualTo(!expected.equals(ILLEGAL));
            assertThat(sendPhase()).isEqualTo(after(phase, expected));
        });
    }

    private static String after(String phase, String expected) {
        return expected.equals(UNCHANGED) || expected.equals(ILLEGAL) ? phase : expected;
    }

    @Test
    void hasARowForEachPhase() {
        assertThat(receiving().map(cell -> cell.get()[0]).distinct())
                .containsExactlyElementsOf(names(ReceivePhase.values()));
        assertThat(sending().map(cell -> cell.get()[0]).distinct())
                .containsExactlyElementsOf(names(SendPhase.values()));
    }

    private static List<Object> names(Enum<?>[] values) {
        return Arrays.stream(values).<Object>map(Enum::name).toList();
    }

    @Test
    void sendsLentMemoryBehindBuffers() {
        connection.send(buffer());
        connection.sendFrom(lent.address(), BYTES, count -> {});
        assertThat(sendPhase()).isEqualTo("BUFFER");
        connection.onSent(BYTES);
        assertThat(sendPhase()).isEqualTo("LENT");
    }

    @Test
    void refusesToContinueABufferWhileAReceiveIsUnderWay() {
        connection.startReceiving();
        Slab buffer = buffer();
        assertThat(isLegal(() -> connection.receiveMore(buffer, 1))).isFalse();
        assertThat(buffer.isLeased()).isFalse();
    }

    @Test
    void holdsABufferToContinueBehindThePeersEndUntilItCloses() {
        enter(ReceivePhase.END_MET, () -> {});
        Slab buffer = buffer();
        connection.receiveMore(buffer, 1);
        assertThat(buffer.isLeased()).isTrue();
        connection.abort();
        world.turns(2);
        assertThat(buffer.isLeased()).isFalse();
    }

    // --- phases and events ------------------------------------------------------------------------------------------

    /** Runs a step in a phase, which may be inside of a call of the handler. */
    private void enter(ReceivePhase phase, Runnable step) {
        switch (phase) {
            case OFF -> {}
            case STOPPED -> {
                connection.startReceiving();
                connection.stopReceiving();
                connection.onReceived(-Errno.ECANCELED, null);
            }
            case ON -> connection.startReceiving();
            case DELIVERING -> {
                connection.startReceiving();
                handler.deliver(step);
                return;
            }
            case LATE -> {
                connection.startReceiving();
                connection.stopReceiving();
            }
            case LENT -> cause("lent");
            case LENT_NEXT, LENT_DUE -> {
                connection.startReceiving();
                connection.stopReceiving();
                cause("lent");
                if (phase == ReceivePhase.LENT_DUE) {
                    handler.deliver(step);
                    return;
                }
            }
            case DROPPING -> connection.close();
            case END_MET -> {
                cause("lent");
                connection.onReceived(0, null);
            }
            case END_TOLD -> {
                connection.startReceiving();
                connection.onReceived(0, null);
            }
            case OVER -> connection.endsWithNextSend();
        }
        step.run();
    }

    private void enter(SendPhase phase, Runnable step) {
        switch (phase) {
            case IDLE -> {}
            case BUFFER -> cause("send");
            case LENT -> cause("sendFrom");
            case FINISHING -> {
                cause("send");
                cause("shutdown");
                handler.tellSent(step);
                return;
            }
            case FINISHING_BUFFER -> {
                cause("send");
                cause("shutdown");
            }
            case FINISHING_LENT -> {
                cause("sendFrom");
                cause("shutdown");
            }
            case SHUT -> cause("shutdown");
        }
        step.run();
    }

    private void cause(String event) {
        switch (event) {
            case "start" -> connection.startReceiving();
            case "stop" -> connection.stopReceiving();
            case "lent" -> connection.receiveInto(lent.address(), BYTES, count -> {});
            case "bytes" -> connection.onReceived(BYTES, receivePhase().equals("LENT") ? null : buffer());
            case "end" -> connection.onReceived(0, null);
            case "cancelled" -> connection.onReceived(-Errno.ECANCELED, null);
            case "peerEnded" -> connection.onPeerEnded();
            case "withdraw" -> connection.withdrawReceive();
            case "nextSendEnds" -> connection.endsWithNextSend();
            case "close" -> connection.close();
            case "send" -> connection.send(buffer());
            case "sendFrom" -> connection.sendFrom(lent.address(), BYTES, count -> {});
            case "shutdown" -> connection.shutdownOutput();
            case "sent" -> connection.onSent(BYTES);
            default -> throw new AssertionError(event);
        }
    }

    private static boolean isLegal(Runnable event) {
        try {
            event.run();
            return true;
        } catch (IllegalStateException illegal) {
            return false;
        }
    }

    private Slab buffer() {
        Slab buffer = Objects.requireNonNull(world.loop.buffers().lease());
        buffer.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + BYTES);
        return buffer;
    }

    private String receivePhase() {
        return phases().group(1);
    }

    private String sendPhase() {
        return phases().group(2);
    }

    private Matcher phases() {
        Matcher phases = PHASES.matcher(connection.toString());
        assertThat(phases.find()).as(connection.toString()).isTrue();
        return phases;
    }

    /** A handler that runs a step inside of one of its calls. */
    private final class Handler extends PlainEcho {
        private @Nullable StreamConnection accepted;
        private @Nullable Runnable whenReceived;
        private @Nullable Runnable whenSent;
        private @Nullable AssertionError wrong;

        @Override
        public void onAccepted(TcpConnection connection, SocketAddress peer) {
            connection.handler(this);
            accepted = (StreamConnection) connection;
        }

        void deliver(Runnable step) {
            whenReceived = step;
            connection.onReceived(BYTES, buffer());
            assertThat(whenReceived).as("step inside of a delivery").isNull();
            rethrow();
        }

        void tellSent(Runnable step) {
            whenSent = step;
            connection.onSent(BYTES);
            assertThat(whenSent).as("step inside of onSent").isNull();
            rethrow();
        }

        private void rethrow() {
            if (wrong != null) {
                throw wrong;
            }
        }

        @Override
        public void onReceived(Connection from, Slab buffer) {
            buffer.release();
            Runnable step = whenReceived;
            whenReceived = null;
            run(step);
        }

        @Override
        public void onSent(Connection to) {
            Runnable step = whenSent;
            whenSent = null;
            run(step);
        }

        private void run(@Nullable Runnable step) {
            try {
                if (step != null) {
                    step.run();
                }
            } catch (AssertionError e) {
                wrong = e;
            }
        }

        @Override
        public void onEndOfStream(Connection from) {
            // The connection goes on in our direction.
        }
    }
}
