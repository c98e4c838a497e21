package dev.sluice.bench.hostile;

import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.record.Alert;
import dev.sluice.tls.record.ContentType;
import dev.sluice.tls.record.RecordProtector;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** The behaviour of hostile clients, a method for each {@link HostileKind}. */
final class Attacks {
    private static final int GARBAGE_BYTES_MAX = 3_000;
    private static final int SMALL_RECEIVE_BYTES = 4_096;
    private static final long HOLD_MILLIS = 100;
    private static final int FLOOD_RECORDS = 500;
    private static final int KEY_UPDATES = 100;
    private static final int OVERSIZE_BYTES_MAX = 65_000;
    private static final int RECORD_BYTES = 1_000;
    /** A first byte for the backend that only makes it listen. */
    private static final byte LISTEN = 'l';

    private static final byte[] HTTP_REQUEST =
            "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** Type, length, version, random, no session, one suite, no compression: a minimal TLS 1.2 ClientHello. */
    private static final byte[] RENEGOTIATION = renegotiation();

    private Attacks() {}

    // --- without a handshake
    // ------------------------------------------------------------------------------------------

    static void connect(HostileClients clients, int number) throws IOException {
        clients.connect().close();
    }

    static void silent(HostileClients clients, int number) throws IOException {
        try (HostileSocket socket = clients.connect()) {
            socket.awaitEnd();
        }
    }

    static void halfHello(HostileClients clients, int number) throws IOException {
        byte[] hello = clients.clientHello();
        try (HostileSocket socket = clients.connect()) {
            socket.send(Arrays.copyOf(hello, hello.length / 2));
            socket.awaitEnd();
        }
    }

    static void garbage(HostileClients clients, int number) throws IOException {
        Random random = new Random(number);
        byte[] bytes = new byte[1 + random.nextInt(GARBAGE_BYTES_MAX)];
        random.nextBytes(bytes);
        bytes[0] = 0; // otherwise it may be the beginning of a record, and the gateway waits
        try (HostileSocket socket = clients.connect()) {
            socket.send(bytes);
            socket.awaitEnd();
        }
    }

    static void plainHttp(HostileClients clients, int number) throws IOException {
        try (HostileSocket socket = clients.connect()) {
            socket.send(HTTP_REQUEST);
            socket.awaitEnd();
        }
    }

    static void helloReset(HostileClients clients, int number) throws IOException {
        try (HostileSocket socket = clients.connect()) {
            socket.send(clients.clientHello());
            socket.reset();
        }
    }

    // --- after a handshake
    // --------------------------------------------------------------------------------------------

    static void handshakeReset(HostileClients clients, int number) throws IOException {
        try (HostileTls tls = clients.handshake(version(number))) {
            tls.socket().reset();
        }
    }

    static void notReading(HostileClients clients, int number) throws IOException, InterruptedException {
        try (HostileTls tls = clients.handshake(version(number), SMALL_RECEIVE_BYTES)) {
            tls.data(HostileBackend.PUSH);
            tls.flush();
            Thread.sleep(HOLD_MILLIS);
            tls.socket().reset();
        }
    }

    static void renegotiationAfterClose(HostileClients clients, int number) throws IOException {
        renegotiate(clients, 1);
    }

    static void renegotiationsAfterClose(HostileClients clients, int number) throws IOException {
        renegotiate(clients, 2);
    }

    private static void renegotiate(HostileClients clients, int times) throws IOException {
        try (HostileTls tls = clients.handshake(ProtocolVersion.TLS_1_2)) {
            tls.data(HostileBackend.ANSWER);
            tls.flush();
            tls.readToCloseNotify();
            for (int i = 0; i < times; i++) {
                tls.seal(ContentType.HANDSHAKE, RENEGOTIATION);
            }
            tls.flush();
        }
    }

    static void keyUpdateFlood(HostileClients clients, int number) throws IOException {
        try (HostileTls tls = clients.handshake(ProtocolVersion.TLS_1_3, SMALL_RECEIVE_BYTES)) {
            for (int i = 0; i < KEY_UPDATES; i++) {
                tls.requestKeyUpdate();
            }
            tls.flush();
            tls.socket().awaitEnd();
        }
    }

    static void keyUpdatesAmongData(HostileClients clients, int number) throws IOException, InterruptedException {
        try (HostileTls tls = clients.handshake(ProtocolVersion.TLS_1_3, SMALL_RECEIVE_BYTES)) {
            for (int i = 0; i < KEY_UPDATES; i++) {
                tls.data(LISTEN);
                tls.requestKeyUpdate();
            }
            tls.flush();
            Thread.sleep(HOLD_MILLIS);
        }
    }

    static void emptyRecordFlood(HostileClients clients, int number) throws IOException {
        try (HostileTls tls = clients.handshake(version(number))) {
            for (int i = 0; i < FLOOD_RECORDS; i++) {
                tls.data();
            }
            sendAndAwaitEnd(tls);
        }
    }

    static void warningFlood(HostileClients clients, int number) throws IOException {
        try (HostileTls tls = clients.handshake(version(number))) {
            for (int i = 0; i < FLOOD_RECORDS; i++) {
                tls.warning(Alert.USER_CANCELED);
            }
            sendAndAwaitEnd(tls);
        }
    }

    static void badTag(HostileClients clients, int number) throws IOException {
        try (HostileTls tls = clients.handshake(version(number))) {
            tls.data(new byte[RECORD_BYTES]);
            byte[] record = tls.takeSealed();
            record[record.length - 1] ^= 1;
            tls.socket().send(record);
            tls.socket().awaitEnd();
        }
    }

    static void oversizeRecord(HostileClients clients, int number) throws IOException {
        Random random = new Random(number);
        int beyond = 1 + random.nextInt(OVERSIZE_BYTES_MAX - RecordProtector.MAX_PAYLOAD_BYTES);
        try (HostileTls tls = clients.handshake(version(number))) {
            tls.data(new byte[RecordProtector.MAX_PAYLOAD_BYTES + beyond]);
            sendAndAwaitEnd(tls);
        }
    }

    static void truncatedRecord(HostileClients clients, int number) throws IOException {
        try (HostileTls tls = clients.handshake(version(number))) {
            tls.data(new byte[RECORD_BYTES]);
            byte[] record = tls.takeSealed();
            tls.socket().send(Arrays.copyOf(record, record.length / 2));
            tls.socket().shutDown();
            tls.socket().awaitEnd();
        }
    }

    static void finWithoutClose(HostileClients clients, int number) throws IOException {
        try (HostileTls tls = clients.handshake(version(number))) {
            tls.data(LISTEN);
            tls.flush();
            tls.socket().shutDown();
            tls.socket().awaitEnd();
        }
    }

    static void dataAfterClose(HostileClients clients, int number) throws IOException {
        try (HostileTls tls = clients.handshake(version(number))) {
            tls.data(LISTEN);
            tls.closeNotify();
            for (int i = 0; i < KEY_UPDATES; i++) {
                tls.data(new byte[RECORD_BYTES]);
            }
            sendAndAwaitEnd(tls);
        }
    }

    private static void sendAndAwaitEnd(HostileTls tls) throws IOException {
        tls.flush();
        tls.socket().awaitEnd();
    }

    private static ProtocolVersion version(int number) {
        return number % 2 == 0 ? ProtocolVersion.TLS_1_3 : ProtocolVersion.TLS_1_2;
    }

    private static byte[] renegotiation() {
        byte[] suites = {0, 2, (byte) 0xC0, 0x2B, 1, 0};
        byte[] hello = new byte[4 + 2 + 32 + 1 + suites.length];
        hello[0] = 1;
        hello[3] = (byte) (hello.length - 4);
        hello[4] = 3;
        hello[5] = 3;
        System.arraycopy(suites, 0, hello, hello.length - suites.length, suites.length);
        return hello;
    }
}
