package dev.sluice.gateway.session;

import dev.sluice.gateway.EngineClient;
import dev.sluice.gateway.FaultyGateway;
import dev.sluice.gateway.FaultyGateway.Way;
import dev.sluice.gateway.proxyprotocol.ProxyHeader;
import dev.sluice.gateway.proxyprotocol.TlsFacts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The steps of a client and its backend in a session, so that the gateway makes the same calls each time. */
public enum SessionScript {
    /** All that relays: pieces of a ClientHello, small and large payloads, key updates; the client ends first. */
    FULL_HANDSHAKE(Way.ECHO, "completed") {
        public @Override void play(Stage stage) throws IOException {
            EngineClient client = stage.connect(way(), true, false);
            stage.step("hello in pieces, handshake");
            client.handshake(3, stage::settle);
            stage.step("small payloads");
            echo(stage, client, 1);
            echo(stage, client, 200);
            stage.step("large payloads");
            echo(stage, client, LARGE_BYTES);
            echo(stage, client, LARGE_BYTES);
            stage.step("key update");
            client.updateKey(false);
            echo(stage, client, 200);
            stage.step("key update that asks for one");
            client.updateKey(true);
            echo(stage, client, 200);
            echo(stage, client, LARGE_BYTES);
            endInOrder(stage, client);
        }
    },
    /** A resumed session; the backend ends first. */
    RESUMED_AND_ENDED_BY_BACKEND(Way.PUSH, "completed") {
        public @Override void play(Stage stage) throws IOException {
            EngineClient client = stage.connect(way(), true, true);
            stage.step("handshake");
            client.handshake(1, stage::settle);
            stage.resumed(client.isResumed());
            stage.step("the backend's bytes");
            client.read(FaultyGateway.PUSHED_BYTES);
            stage.step("the backend's end");
            client.awaitCloseNotify();
            stage.step("half-closed");
            client.write(FaultyGateway.PUSHED_BYTES);
            stage.settle();
            client.write(10);
            stage.settle();
            stage.step("the client's end");
            client.closeNotify();
            client.awaitEnd();
        }
    },
    /** TLS 1.2. */
    TLS_1_2(Way.ECHO, "completed") {
        public @Override void play(Stage stage) throws IOException {
            EngineClient client = stage.connect(way(), false, false);
            stage.step("handshake");
            client.handshake(1, stage::settle);
            stage.step("small payload");
            echo(stage, client, 200);
            stage.step("large payload");
            echo(stage, client, LARGE_BYTES);
            endInOrder(stage, client);
        }
    },
    /** FIN without close_notify. */
    CUT_OFF(Way.ECHO, "client_truncated") {
        public @Override void play(Stage stage) throws IOException {
            EngineClient client = established(stage, way());
            stage.step("FIN without close_notify");
            client.socket().shutdownOutput();
            client.awaitAlert("decode_error");
        }
    },
    /** A client that resets. */
    RESET_BY_CLIENT(Way.ECHO, "client_connection_reset") {
        public @Override void play(Stage stage) throws IOException {
            EngineClient client = established(stage, way());
            stage.step("reset");
            client.reset();
        }
    },
    /** A backend that resets. */
    RESET_BY_BACKEND(Way.RESET, "backend_connection_reset") {
        public @Override void play(Stage stage) throws IOException {
            EngineClient client = stage.connect(way(), true, false);
            stage.step("handshake");
            client.handshake(1, stage::settle);
            stage.step("the backend's reset");
            client.write(FaultyGateway.BEFORE_RESET_BYTES);
            stage.awaitBroken(client);
        }
    },
    /** A record that does not open. */
    BAD_RECORD(Way.ECHO, "client_bad_record_mac") {
        public @Override void play(Stage stage) throws IOException {
            EngineClient client = established(stage, way());
            stage.step("bad record");
            byte[] record = new byte[5 + 64];
            record[0] = 23;
            record[1] = 3;
            record[2] = 3;
            record[4] = 64;
            client.socket().getOutputStream().write(record);
            client.awaitAlert("bad_record_mac");
        }
    },
    /** A client that speaks no TLS. */
    NO_TLS(Way.ECHO, "handshake_http_request") {
        public @Override void play(Stage stage) throws IOException {
            EngineClient client = stage.connect(way(), true, false);
            stage.step("plain HTTP");
            client.socket().getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            client.awaitEnd();
        }
    },
    /** TLS to the backend. */
    TLS_BACKEND(Way.TLS, "completed") {
        public @Override void play(Stage stage) throws IOException {
            EngineClient client = established(stage, way());
            stage.step("large payload");
            echo(stage, client, LARGE_BYTES);
            endInOrder(stage, client);
        }
    },
    /** A backend of which the first server refuses, and the second is told of the client. */
    SECOND_SERVER(Way.SECOND_SERVER, "completed") {
        public @Override void play(Stage stage) throws IOException {
            endInOrder(stage, established(stage, way()));
        }
    },
    /** A proxy before the gateway. */
    PROXIED(Way.PROXIED, "completed") {
        public @Override void play(Stage stage) throws IOException {
            EngineClient client = stage.connect(way(), true, false);
            stage.step("PROXY header");
            client.socket().getOutputStream().write(HEADER.toVersionTwo());
            stage.settle();
            stage.step("handshake");
            client.handshake(1, stage::settle);
            echo(stage, client, 200);
            endInOrder(stage, client);
        }
    },
    /** TLS that is passed through. */
    PASSED_THROUGH(Way.PASSED, "completed") {
        public @Override void play(Stage stage) throws IOException {
            EngineClient client = established(stage, way());
            stage.step("large payload");
            echo(stage, client, LARGE_BYTES);
            endInOrder(stage, client);
        }
    },
    /** The same, and the ClientHello comes in pieces. */
    PASSED_IN_PIECES(Way.PASSED, "completed") {
        public @Override void play(Stage stage) throws IOException {
            EngineClient client = stage.connect(way(), true, false);
            stage.step("hello in pieces, handshake");
            client.handshake(3, stage::settle);
            echo(stage, client, 200);
            endInOrder(stage, client);
        }
    },
    /** A ClientHello in pieces that is answered where others are passed through. */
    TERMINATED_BESIDE_PASSED(Way.BESIDE_PASSED, "completed") {
        public @Override void play(Stage stage) throws IOException {
            EngineClient client = stage.connect(way(), true, false);
            stage.step("hello in pieces, handshake");
            client.handshake(3, stage::settle);
            echo(stage, client, 200);
            endInOrder(stage, client);
        }
    };

    private static final int LARGE_BYTES = 100_000;
    private static final ProxyHeader HEADER = new ProxyHeader(
            new InetSocketAddress(InetAddress.ofLiteral("192.0.2.7"), 4711),
            new InetSocketAddress(InetAddress.ofLiteral("198.51.100.1"), 443),
            TlsFacts.NONE);

    private final Way way;
    private final String end;

    SessionScript(Way way, String end) {
        this.way = way;
        this.end = end;
    }

    public Way way() {
        return way;
    }

    /** Returns the reason for the session's end where nothing fails. */
    String end() {
        return end;
    }

    /** Plays a session; throws when the client meets an end that it does not expect. */
    public abstract void play(Stage stage) throws IOException;

    private static EngineClient established(Stage stage, Way way) throws IOException {
        EngineClient client = stage.connect(way, true, false);
        stage.step("handshake");
        client.handshake(1, stage::settle);
        stage.step("small payload");
        echo(stage, client, 200);
        return client;
    }

    /** No more at a time than fits on the way: whoever only writes is read from by nobody. */
    private static void echo(Stage stage, EngineClient client, int bytes) throws IOException {
        client.write(bytes);
        client.read(bytes);
        stage.settle();
    }

    private static void endInOrder(Stage stage, EngineClient client) throws IOException {
        stage.step("close_notify");
        client.closeNotify();
        client.awaitCloseNotify();
        stage.step("FIN");
        client.socket().shutdownOutput();
        client.awaitEnd();
    }

    /** The environment in which a session is played. */
    public static final class Stage implements AutoCloseable {
        private final FaultyGateway gateway;
        private final int timeoutMillis;
        private @Nullable EngineClient client;
        private volatile String step = "connect";
        private boolean notResumed;

        public Stage(FaultyGateway gateway, int timeoutMillis) {
            this.gateway = gateway;
            this.timeoutMillis = timeoutMillis;
        }

        EngineClient connect(Way way, boolean newest, boolean resuming) throws IOException {
            EngineClient connected = gateway.connect(way, newest, resuming);
            client = connected;
            connected.socket().setSoTimeout(timeoutMillis);
            settle();
            return connected;
        }

        /** Waits until the gateway has worked off what it was sent. */
        void settle() {
            gateway.settle();
        }

        void step(String name) {
            settle();
            step = name;
        }

        /** Notes whether a session was resumed that may be. */
        void resumed(boolean was) {
            notResumed = !was;
        }

        /** Returns true when a session that may be resumed was not: no failure, but not what the script is for. */
        boolean isNotResumed() {
            return notResumed;
        }

        /** Returns the step that is being played. May be asked from any thread. */
        String step() {
            return step;
        }

        /** Waits for an end that is none in order. */
        void awaitBroken(EngineClient broken) throws IOException {
            try {
                broken.read(1);
            } catch (SocketTimeoutException silent) {
                throw silent;
            } catch (IOException ended) {
                return;
            }
            throw new AssertionError("data in place of an end");
        }

        @Override
        public void close() throws IOException {
            if (client != null) {
                client.close();
            }
        }
    }
}
