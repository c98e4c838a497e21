package dev.sluice.bench.load;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Small round trips over many connections, one in flight on each. */
final class EchoScenario extends Scenario {
    private static final int MESSAGE_BYTES = 128;
    private static final ByteBuffer MESSAGE = ByteBuffer.allocate(MESSAGE_BYTES);

    private final List<Caller> callers = new ArrayList<>();
    /** Messages to send in the current step. */
    private long target;

    private long sent;
    private long returned;
    private int ended;
    private boolean going;
    private boolean closing;

    EchoScenario(Dialer dialer, LoadRequest request) {
        super(dialer, request);
    }

    /** Opens the connections and sends one message over each, which also connects the backend. */
    @Override
    void prepare() {
        target = request.connections();
        for (int i = 0; i < request.connections(); i++) {
            dial(-1, new Caller());
        }
    }

    @Override
    void go() {
        going = true;
        sent = 0;
        returned = 0;
        target = request.units();
        callers.forEach(caller -> caller.call(MESSAGE));
    }

    @Override
    void finish() {
        closing = true;
        callers.forEach(Caller::close);
    }

    @Override
    boolean over() {
        return closing ? ended == callers.size() : returned == target;
    }

    @Override
    String progress() {
        return "connections=" + callers.size() + ", sent=" + sent + ", returned=" + returned + ", target=" + target;
    }

    /** One connection. */
    private final class Caller extends Watcher {
        /** Bytes of the message in flight that have not returned. */
        private int missing;

        void call(ByteBuffer message) {
            if (sent < target) {
                sent++;
                missing = MESSAGE_BYTES;
                stream().send(message);
            }
        }

        void close() {
            stream().close();
        }

        @Override
        void onOpen(boolean resumed) {
            callers.add(this);
            call(BackendProtocol.header(BackendProtocol.ECHO, 0, MESSAGE_BYTES));
        }

        @Override
        void onReceived(int count) {
            missing -= count;
            if (missing < 0) {
                breakOff("received more bytes than sent, surplus=" + -missing);
            } else if (missing == 0) {
                returned++;
                if (going) {
                    call(MESSAGE);
                }
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
