package dev.sluice.bench.load;

/**
 * Connections one after the other in some slots at once: handshake, one byte through to the backend and back, orderly
 * end. The byte proves the backend connection, and brings the session tickets along.
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

    /** To resume, every slot needs a session first. */
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

    /** Where one connection follows the other. */
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
                breakOff("a handshake was resumed that should be full");
            } else if (!resumed && expectResumed) {
                breakOff("a handshake was full that should be resumed: does the server give tickets, and take them?");
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
                breakOff("a connection was ended by the server before the backend's byte came, " + progress());
            }
            ended++;
            next();
        }
    }
}
