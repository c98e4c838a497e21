package dev.sluice.bench.load;

import java.util.ArrayList;
import java.util.List;

/**
 * Connections that exchange one byte and then rest. The prepared ones pay for what a server sets up once; the others
 * show what one more connection costs.
 */
final class IdleScenario extends Scenario {
    /** How many handshakes are under way at once, so that their memory does not count as that of idle connections. */
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
                breakOff("an idle connection was ended by the server, " + progress());
            }
        }
    }
}
