package dev.sluice.bench.load;

import java.util.ArrayList;
import java.util.List;

/**
 * Connections that exchange one byte and then stay idle. The prepared ones cover the server's one-time set-up; the
 * others measure one more connection.
 */
final class IdleScenario extends Scenario {
    /** The number of concurrent handshakes, limited so that their memory is not counted as that of idle connections. */
    private static final int OPENING_AT_ONCE = 8;

    private final List<Guest> resting = new ArrayList<>();
    private long target;
    private long begun;
    private int ended;
    private boolean closing;

    IdleScenario(Dialer dialer, LoadRequest request) {
        super(dialer, request);
    }

    @Override
    void prepare() {
        raise(request.connections());
    }

    @Override
    void go() {
        raise(request.units());
    }

    @Override
    void finish() {
        closing = true;
        resting.forEach(Guest::close);
    }

    @Override
    boolean over() {
        return closing ? ended == resting.size() : resting.size() == target;
    }

    @Override
    String progress() {
        return "begun=" + begun + ", resting=" + resting.size() + ", target=" + target;
    }

    private void raise(long connections) {
        target += connections;
        for (int i = 0; i < OPENING_AT_ONCE; i++) {
            next();
        }
    }

    private void next() {
        if (begun < target) {
            begun++;
            dial(-1, new Guest());
        }
    }

    /** One connection. */
    private final class Guest extends Watcher {
        void close() {
            stream().close();
        }

        @Override
        void onOpen(boolean resumed) {
            stream().send(BackendProtocol.header(BackendProtocol.ECHO, 0, 1));
        }

        @Override
        void onReceived(int count) {
            resting.add(this);
            next();
        }

        @Override
        void onEnd() {
            ended++;
            if (!closing) {
                breakOff("the server ended an idle connection, " + progress());
            }
        }
    }
}
