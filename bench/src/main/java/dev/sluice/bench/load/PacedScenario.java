package dev.sluice.bench.load;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Small round trips at a fixed rate, over the connections in turn. A message is sent at its scheduled time, even if an
 * earlier one on the same connection is still in flight; its latency counts from that time.
 *
 * <p>The generator never sleeps, which would delay it; between two polls of the sockets it yields the core to the
 * backend's thread.
 */
final class PacedScenario extends Scenario {
    private static final int MESSAGE_BYTES = 128;
    private static final ByteBuffer MESSAGE = ByteBuffer.allocate(MESSAGE_BYTES);

    /** Seconds at the start that do not count: servers wake from the pause between rounds. */
    private static final double LEAD_IN_SECONDS = 0.2;

    /** The backlog in seconds that shows that a server does not keep up. */
    private static final double BEHIND_SECONDS_MAX = 0.5;

    private final List<Caller> callers = new ArrayList<>();
    private final Runnable turn = this::turn;
    private final long leadIn;
    private final long target;
    private final long[] latencies;
    private final long[] lateness;

    private Pace pace = new Pace(0, 1);
    private long sent;
    private long returned;
    private int opened;
    private int ended;
    private boolean going;
    private boolean closing;

    PacedScenario(Dialer dialer, LoadRequest request) {
        super(dialer, request);
        int counted = Math.toIntExact(request.units());
        this.leadIn = (long) (request.perSecond() * LEAD_IN_SECONDS);
        this.target = leadIn + counted;
        this.latencies = new long[counted];
        this.lateness = new long[counted];
    }

    /** Opens the connections and sends one message over each, which also connects the backend. */
    @Override
    void prepare() {
        for (int i = 0; i < request.connections(); i++) {
            dial(-1, new Caller());
        }
    }

    @Override
    void go() {
        going = true;
        pace = new Pace(System.nanoTime(), request.perSecond());
        turn();
    }

    @Override
    void finish() {
        closing = true;
        callers.forEach(Caller::close);
    }

    @Override
    boolean over() {
        if (closing) {
            return ended == callers.size();
        }
        return going ? returned == target : opened == request.connections();
    }

    @Override
    String progress() {
        return "connections=" + callers.size() + ", sent=" + sent + ", returned=" + returned + ", target=" + target;
    }

    @Override
    String figures() {
        return Latencies.of(latencies, lateness).toWords();
    }

    @SuppressWarnings("ThreadPriorityCheck") // One core for this thread and the backend's: a hint is sufficient.
    private void turn() {
        long now = System.nanoTime();
        while (sent < target && pace.isDue(sent, now)) {
            if (sent - returned > request.perSecond() * BEHIND_SECONDS_MAX) {
                breakOff("the server does not keep up with " + request.perSecond() + " per second, " + progress());
                return;
            }
            sendNext(now);
        }
        if (sent < target) {
            Thread.yield();
            dialer.soon(turn);
        }
    }

    private void sendNext(long now) {
        if (sent >= leadIn) {
            lateness[(int) (sent - leadIn)] = now - pace.at(sent);
        }
        callers.get((int) (sent % callers.size())).stream().send(MESSAGE);
        sent++;
    }

    private void onReturned(long number) {
        if (number >= leadIn) {
            latencies[(int) (number - leadIn)] = System.nanoTime() - pace.at(number);
        }
        returned++;
    }

    /** One connection. Messages return in the order of sending. */
    private final class Caller extends Watcher {
        private int number;
        /** The bytes received of the next returning message. */
        private int arrived;
        /** The messages returned since the start of the scenario. */
        private long messages;

        void close() {
            stream().close();
        }

        @Override
        void onOpen(boolean resumed) {
            number = callers.size();
            callers.add(this);
            stream().send(BackendProtocol.header(BackendProtocol.ECHO, 0, MESSAGE_BYTES));
        }

        @Override
        void onReceived(int count) {
            for (arrived += count; arrived >= MESSAGE_BYTES; arrived -= MESSAGE_BYTES) {
                onMessage();
            }
        }

        private void onMessage() {
            if (going) {
                onReturned(number + messages * callers.size());
                messages++;
            } else {
                opened++;
            }
        }

        @Override
        void onEnd() {
            ended++;
            if (!closing) {
                breakOff("the server ended a connection, " + progress());
            }
        }
    }
}
