package dev.sluice.bench.load;

/**
 * Consecutive connections in several slots: handshake, one byte to the backend and back, orderly end. The byte proves
 * the backend connection, and delivers the session tickets.
 */
final class HandshakeScenario extends Scenario {
    private final boolean resume;
    private final Slot[] slots;

    private boolean expectResumed;
    private long target;
    private long begun;
    private long ended;

    HandshakeScenario(Dialer dialer, LoadRequest request, boolean resume) {
        super(dialer, request);
        this.resume = resume;
        this.slots = new Slot[request.connections()];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = new Slot(i);
        }
    }

    /** Gets a session for every slot, which resumption requires. */
    @Override
    void prepare() {
        begin(resume ? slots.length : 0);
    }

    @Override
    void go() {
        expectResumed = resume && request.tls();
        begin(request.units());
    }

    @Override
    void finish() {
        begin(0);
    }

    @Override
    boolean over() {
        return ended == target;
    }

    @Override
    String progress() {
        return "begun=" + begun + ", ended=" + ended + ", target=" + target;
    }

    private void begin(long connections) {
        target = connections;
        begun = 0;
        ended = 0;
        for (Slot slot : slots) {
            slot.next();
        }
    }

    /** A sequence of connections. */
    private final class Slot extends Watcher {
        private final int number;
        private boolean answered;

        Slot(int number) {
            this.number = number;
        }

        void next() {
            if (begun < target) {
                begun++;
                answered = false;
                dial(resume ? number : -1, this);
            }
        }

        @Override
        void onOpen(boolean resumed) {
            if (resumed && !resume) {
                breakOff("unexpected resumed handshake");
            } else if (!resumed && expectResumed) {
                breakOff("unexpected full handshake; check that the server issues and accepts tickets");
            }
            stream().send(BackendProtocol.header(BackendProtocol.ECHO, 0, 1));
        }

        @Override
        void onReceived(int count) {
            answered = true;
            stream().close();
        }

        @Override
        void onEnd() {
            if (!answered) {
                breakOff("the server ended a connection before the backend's byte arrived, " + progress());
            }
            ended++;
            next();
        }
    }
}
