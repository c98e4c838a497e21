package dev.sluice.bench.load;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Bulk data in one direction over some connections, the same amount on each. */
final class BulkScenario extends Scenario {
    private static final ByteBuffer CHUNK = ByteBuffer.allocate(64 * 1024);

    private final byte what;
    private final long share;
    private final List<Flow> flows = new ArrayList<>();
    /** Flows that have reached the goal of the current step. */
    private int reached;

    private boolean closing;

    /**
     * Creates an instance.
     *
     * @param what {@link BackendProtocol#SOURCE} or {@link BackendProtocol#SINK}
     */
    BulkScenario(Dialer dialer, LoadRequest request, byte what) {
        super(dialer, request);
        this.what = what;
        this.share = request.units() / request.connections();
    }

    @Override
    void prepare() {
        for (int i = 0; i < request.connections(); i++) {
            dial(-1, new Flow());
        }
    }

    @Override
    void go() {
        reached = 0;
        flows.forEach(Flow::begin);
    }

    @Override
    void finish() {
        reached = 0;
        closing = true;
        flows.forEach(Flow::close);
    }

    @Override
    boolean over() {
        return reached == request.connections();
    }

    @Override
    String progress() {
        return "connections=" + flows.size() + ", reached=" + reached + ", bytes to go="
                + flows.stream().mapToLong(flow -> flow.remaining).sum();
    }

    /** One connection. */
    private final class Flow extends Watcher {
        /** Bytes still to receive (source) or to queue (sink). */
        private long remaining;

        void begin() {
            remaining = share;
            stream().send(BackendProtocol.header(what, share, 0));
        }

        void close() {
            stream().close();
        }

        @Override
        void onOpen(boolean resumed) {
            flows.add(this);
            reached++;
        }

        @Override
        void onReceived(int count) {
            if (what == BackendProtocol.SINK) {
                reached++; // The byte by which the backend acknowledges everything.
                return;
            }
            remaining -= count;
            if (remaining == 0) {
                reached++;
            } else if (remaining < 0) {
                breakOff("received more bytes than requested, surplus=" + -remaining);
            }
        }

        @Override
        void onDrained() {
            if (what == BackendProtocol.SINK && remaining > 0) {
                int length = (int) Math.min(remaining, CHUNK.capacity());
                remaining -= length;
                stream().send(CHUNK.slice(0, length));
            }
        }

        @Override
        void onEnd() {
            reached++;
            if (!closing) {
                breakOff("the server ended a connection, " + progress());
            }
        }
    }
}
