package dev.sluice.bench.load;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Round trips of a message and its answer over many connections, one in flight on each. */
final class EchoScenario extends Scenario {
    private final Exchange exchange;
    private final List<Caller> callers = new ArrayList<>();
    /** Messages to send in the current step. */
    private long target;

    private long sent;
    private long returned;
    private int ended;
    private boolean going;
    private boolean closing;

    private EchoScenario(Dialer dialer, LoadRequest request, Exchange exchange) {
        super(dialer, request);
        this.exchange = exchange;
    }

    /** Returns messages of a size that the backend echoes. */
    static EchoScenario ofMessages(Dialer dialer, LoadRequest request, int messageBytes) {
        return new EchoScenario(
                dialer,
                request,
                new Exchange(
                        BackendProtocol.header(BackendProtocol.ECHO, 0, messageBytes),
                        ByteBuffer.allocate(messageBytes),
                        messageBytes));
    }

    /** Returns requests for a page. */
    static EchoScenario ofPages(Dialer dialer, LoadRequest request) {
        return new EchoScenario(
                dialer, request, new Exchange(HttpPage.request(), HttpPage.request(), HttpPage.responseBytes()));
    }

    /**
     * The round trip.
     *
     * @param first the first message of a connection
     * @param message each other one
     * @param answerBytes size of the answer to each
     */
    private record Exchange(ByteBuffer first, ByteBuffer message, int answerBytes) {}

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
        callers.forEach(caller -> caller.call(exchange.message));
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
        /** Bytes of the answer that have not arrived. */
        private int missing;

        void call(ByteBuffer message) {
            if (sent < target) {
                sent++;
                missing = exchange.answerBytes;
                stream().send(message);
            }
        }

        void close() {
            stream().close();
        }

        @Override
        void onOpen(boolean resumed) {
            callers.add(this);
            call(exchange.first);
        }

        @Override
        void onReceived(int count) {
            missing -= count;
            if (missing < 0) {
                breakOff("received more bytes than expected, surplus=" + -missing);
            } else if (missing == 0) {
                returned++;
                if (going) {
                    call(exchange.message);
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
