package dev.sluice.bench.load;

import dev.sluice.bench.harness.BenchException;
import org.jspecify.annotations.Nullable;

/**
 * One kind of load: {@link #prepare} starts the unmeasured preparation, {@link #go} the measured work, and {@link
 * #finish} the clean-up. Each is a task for {@link Dialer#drive} that ends when {@link #done} is true.
 *
 * <p>A stream that fails or ends unexpectedly fails the scenario.
 */
public abstract class Scenario {
    /** The scenarios. */
    public enum Kind {
        /** Bytes from the backend to the client. Units: bytes. */
        DOWNLOAD,
        /** Bytes from the client to the backend. Units: bytes. */
        UPLOAD,
        /** Connections with a full handshake, one byte there and back, and an orderly end. Units: connections. */
        HANDSHAKE,
        /** Connections with a resumed handshake (TLS 1.3, psk_dhe_ke). Units: connections. */
        RESUMED,
        /** Repeated round trips of 128 bytes. Units: round trips. */
        ECHO,
        /** Repeated round trips of 4,096 bytes. Units: round trips. */
        ECHO_4K,
        /** Repeated requests of HTTP/1.1 to a server that responds by itself. Units: requests. */
        PAGES,
        /** Round trips of 128 bytes at a fixed rate, with latencies. Units: round trips. */
        PACED,
        /** Connections that exchange one byte and then stay idle. Units: connections beyond the prepared ones. */
        IDLE
    }

    final Dialer dialer;
    final LoadRequest request;
    private @Nullable String failure;

    Scenario(Dialer dialer, LoadRequest request) {
        this.dialer = dialer;
        this.request = request;
    }

    /** Creates the scenario of a request. */
    static Scenario of(Dialer dialer, LoadRequest request) {
        return switch (request.scenario()) {
            case DOWNLOAD -> new BulkScenario(dialer, request, BackendProtocol.SOURCE);
            case UPLOAD -> new BulkScenario(dialer, request, BackendProtocol.SINK);
            case HANDSHAKE -> new HandshakeScenario(dialer, request, false);
            case RESUMED -> new HandshakeScenario(dialer, request, true);
            case ECHO -> EchoScenario.ofMessages(dialer, request, 128);
            case ECHO_4K -> EchoScenario.ofMessages(dialer, request, 4096);
            case PAGES -> EchoScenario.ofPages(dialer, request);
            case PACED -> new PacedScenario(dialer, request);
            case IDLE -> new IdleScenario(dialer, request);
        };
    }

    /** Starts the unmeasured preparation. */
    abstract void prepare();

    /** Starts the measured work. */
    abstract void go();

    /** Starts the clean-up. */
    abstract void finish();

    /** Returns whether the current step is over. */
    abstract boolean over();

    /** Returns the progress, for the message of a timeout. */
    abstract String progress();

    /** Returns the results besides the duration, as {@code key=value} words. */
    String figures() {
        return "";
    }

    final boolean done() {
        return failure != null || over();
    }

    /**
     * Checks for failures.
     *
     * @throws BenchException after a failure
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

    /** An observer of one stream at a time, which fails the scenario when the stream fails. */
    abstract class Watcher implements Stream.Handler {
        private @Nullable Stream watched;

        /** Returns the stream that opened last. */
        final Stream stream() {
            if (watched == null) {
                throw new IllegalStateException("no stream has opened yet");
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
