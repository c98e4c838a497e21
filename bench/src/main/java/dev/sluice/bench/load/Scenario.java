package dev.sluice.bench.load;

import dev.sluice.bench.harness.BenchException;
import org.jspecify.annotations.Nullable;

/**
 * One piece of load: {@link #prepare} makes what shall not be measured, {@link #go} does the work that is, and
 * {@link #finish} takes down the rest. Each is a task for {@link Dialer#drive}, over when {@link #done} says so.
 *
 * <p>A stream that breaks, or ends when it should not, breaks the scenario.
 */
public abstract class Scenario {
    /** The scenarios there are. */
    public enum Kind {
        /** Bytes from the backend to the client. Units: bytes. */
        DOWNLOAD,
        /** Bytes from the client to the backend. Units: bytes. */
        UPLOAD,
        /** Connections with a full handshake, one byte there and back, and an orderly end. Units: connections. */
        HANDSHAKE,
        /** The same with sessions taken up (TLS 1.3, psk_dhe_ke). Units: connections. */
        RESUMED,
        /** 128 bytes there and back, again and again. Units: round trips. */
        ECHO,
        /** 128 bytes there and back at a fixed rate, and how long each took. Units: round trips. */
        PACED,
        /** Connections that have exchanged one byte and then rest. Units: connections on top of the prepared. */
        IDLE
    }

    final Dialer dialer;
    final LoadRequest request;
    private @Nullable String failure;

    Scenario(Dialer dialer, LoadRequest request) {
        this.dialer = dialer;
        this.request = request;
    }

    /** Makes the scenario that a request asks for. */
    static Scenario of(Dialer dialer, LoadRequest request) {
        return switch (request.scenario()) {
            case DOWNLOAD -> new BulkScenario(dialer, request, BackendProtocol.SOURCE);
            case UPLOAD -> new BulkScenario(dialer, request, BackendProtocol.SINK);
            case HANDSHAKE -> new HandshakeScenario(dialer, request, false);
            case RESUMED -> new HandshakeScenario(dialer, request, true);
            case ECHO -> new EchoScenario(dialer, request);
            case PACED -> new PacedScenario(dialer, request);
            case IDLE -> new IdleScenario(dialer, request);
        };
    }

    /** Begins what shall not be measured. */
    abstract void prepare();

    /** Begins what shall be measured. */
    abstract void go();

    /** Begins to take down what is left. */
    abstract void finish();

    /** Whether what was begun last is over. */
    abstract boolean over();

    /** How far it has come, for the message when time is over. */
    abstract String progress();

    /** What it has measured besides its duration, as {@code key=value} words. */
    String figures() {
        return "";
    }

    final boolean done() {
        return failure != null || over();
    }

    /**
     * Checks that nothing broke.
     *
     * @throws BenchException when something did
     */
    final void requireIntact() {
        if (failure != null) {
            throw new BenchException(request.scenario() + ": " + failure);
        }
    }

    /** Connects to the server under test; see {@link Dialer#dialTls}. */
    final void dial(int slot, Stream.Handler handler) {
        if (request.tls()) {
            dialer.dialTls(request.port(), slot, handler);
        } else {
            dialer.dialPlain(request.port(), handler);
        }
    }

    final void breakOff(String reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    /** Watches one stream at a time for a scenario: a stream that breaks breaks the scenario. */
    abstract class Watcher implements Stream.Handler {
        private @Nullable Stream watched;

        /** The stream that opened last. */
        final Stream stream() {
            if (watched == null) {
                throw new IllegalStateException("nothing has opened yet");
            }
            return watched;
        }

        abstract void onOpen(boolean resumed);

        abstract void onReceived(int count);

        void onDrained() {}

        abstract void onEnd();

        @Override
        public final void onOpen(Stream stream, boolean resumed) {
            watched = stream;
            onOpen(resumed);
        }

        @Override
        public final void onReceived(Stream stream, int count) {
            onReceived(count);
        }

        @Override
        public final void onDrained(Stream stream) {
            onDrained();
        }

        @Override
        public final void onEnd(Stream stream) {
            onEnd();
        }

        @Override
        public final void onFailed(Stream stream, String reason) {
            breakOff("a connection broke: " + reason);
        }
    }
}
