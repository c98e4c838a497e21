package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that are not what the protocol demands, at each step: an exception, an alert, and the end. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#all")
final class EngineGarbageTest {
    private static final byte[] DATA = "data".getBytes(StandardCharsets.US_ASCII);
    private static final int FLIPS = 12;

    private final ProviderPair pair;

    EngineGarbageTest(ProviderPair pair) {
        this.pair = pair;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n",
                "SSH-2.0-OpenSSH_9.6\r\n",
                "\0\0\0\0\0\0\0\0\0\0",
                "\u0016\u0009\u0001\0\5\1\0\0\1\0",
                "\u0017\3\3\0\4data",
                "c\3\3\0\4data"
            })
    void aServerRejectsOtherProtocols(String greeting) {
        EnginePeer server = pair.link().server();
        server.receive(greeting.getBytes(StandardCharsets.ISO_8859_1));
        assertFails(server);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 400 Bad Request\r\n\r\n", "220 mail.example ESMTP\r\n", "\u0016\2\1\0\1\0"})
    void aClientRejectsOtherProtocols(String answer) throws SSLException {
        EnginePeer client = pair.link().client();
        client.wrap();
        client.takeOutgoing();
        client.receive(answer.getBytes(StandardCharsets.ISO_8859_1));
        assertFails(client);
    }

    @Test
    void versionsFromTheFutureInARecord() throws SSLException {
        EnginePeer client = pair.link().client();
        client.wrap();
        client.receive(new byte[] {TlsRecords.HANDSHAKE, 9, 1, 0, 1, 2});
        client.step();
        Difference.RECORD_OF_VERSION_9.check(pair.client(), client.failure() == null ? "read" : "rejected");
    }

    /** Asserts an SSLException, then at most an alert, then the end of both directions. */
    private static void assertFails(EnginePeer peer) {
        for (int i = 0; i < 20 && peer.failure() == null; i++) {
            peer.step();
        }
        EngineLink.failureOf(peer);
        for (int i = 0; i < 5 && peer.status() == HandshakeStatus.NEED_WRAP; i++) {
            peer.step();
        }
        assertThat(peer.engine().isInboundDone()).isTrue();
        assertThat(peer.engine().isOutboundDone()).isTrue();
        assertThat(peer.status()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
    }

    @Test
    void rejectsRecordsOverTheSizeLimit() {
        EnginePeer server = pair.link().server();
        server.receive(header(TlsRecords.HANDSHAKE, 0xFFFF));
        assertFails(server);
        EnginePeer established = pair.established().server();
        established.receive(header(TlsRecords.APPLICATION_DATA, 0xFFFF));
        assertFails(established);
    }

    /** The length alone suffices: no engine waits for 65,535 bytes. */
    private static byte[] header(int type, int length) {
        return ByteBuffer.allocate(TlsRecords.HEADER_BYTES)
                .put((byte) type)
                .putShort((short) 0x0303)
                .putShort((short) length)
                .array();
    }

    @Test
    void rejectsUnprotectedRecordsAfterTheHandshake() throws SSLException {
        List<byte[]> records = List.of(
                TlsRecords.record(TlsRecords.APPLICATION_DATA, DATA),
                TlsRecords.record(TlsRecords.APPLICATION_DATA, new byte[100]),
                TlsRecords.record(TlsRecords.HANDSHAKE, new byte[100]),
                TlsRecords.record(TlsRecords.ALERT, (byte) 1, (byte) 0),
                TlsRecords.record(99, new byte[100]));
        for (byte[] each : records) {
            EngineLink link = pair.established();
            link.server().receive(each);
            assertFails(link.server());
            link.deliver();
            link.settle();
            assertThat(link.client().failure())
                    .as("the alert for a record of type %s and %s bytes", each[0], each.length)
                    .isNotNull();
        }
    }

    @Test
    void rejectsEachFlippedBitOfADataRecord() throws SSLException {
        EngineLink first = pair.established();
        first.client().send(DATA);
        int length = first.client().takeOutgoing().length;
        for (int at = TlsRecords.HEADER_BYTES; at < length; at += 1 + length / FLIPS) {
            EngineLink link = pair.established().tamperToServer(flip(at));
            link.client().send(DATA);
            link.deliver();
            assertThatExceptionOfType(SSLException.class)
                    .as("bit flipped at %s", at)
                    .isThrownBy(link.server()::unwrap);
            assertThat(link.server().takePlain()).isEmpty();
            link.settle();
            assertThat(EngineLink.failureOf(link.client())).hasMessageContaining("bad_record_mac");
        }
    }

    private static UnaryOperator<byte[]> flip(int at) {
        return bytes -> {
            byte[] changed = bytes.clone();
            changed[at] ^= 0x10;
            return changed;
        };
    }

    @Test
    void aReplayedRecordIsRejected() throws SSLException {
        EngineLink link = pair.established();
        link.client().send(DATA);
        byte[] wire = link.client().takeOutgoing();
        link.server().receive(wire);
        link.server().receive(wire);
        assertThat(link.server().unwrap().getStatus()).isEqualTo(Status.OK);
        assertThatExceptionOfType(SSLException.class).isThrownBy(link.server()::unwrap);
    }

    @Test
    void aMissingRecordIsNoticed() throws SSLException {
        EngineLink link = pair.established();
        link.client().send(DATA);
        link.client().takeOutgoing();
        link.client().send(DATA);
        link.deliver();
        assertThatExceptionOfType(SSLException.class).isThrownBy(link.server()::unwrap);
    }

    @Test
    void noHandshakeSurvivesAFlippedBitOfTheClient() throws SSLException {
        assertNoFlipSurvives(true);
    }

    @Test
    void noHandshakeSurvivesAFlippedBitOfTheServer() throws SSLException {
        assertNoFlipSurvives(false);
    }

    private void assertNoFlipSurvives(boolean isClient) throws SSLException {
        Random random = new Random(pair.hashCode());
        for (int i = 0; i < FLIPS; i++) {
            OneFlip flip = new OneFlip(i % 2, random.nextInt(1 << 16), 1 << random.nextInt(8));
            EngineLink link = pair.link();
            if (isClient) {
                link.tamperToServer(flip);
            } else {
                link.tamperToClient(flip);
            }
            link.attempt();
            assertThat(bothFinished(link))
                    .as("both ends finished after %s", flip)
                    .isFalse();
        }
    }

    /** Tickets after the handshake do not count: the server of TLS 1.3 finishes before they are read. */
    private static boolean bothFinished(EngineLink link) {
        return isFinished(link.client()) && isFinished(link.server());
    }

    private static boolean isFinished(EnginePeer peer) {
        return peer.failure() == null && peer.count(HandshakeStatus.FINISHED) > 0;
    }

    /** Flips one bit in the payload of a record of the n-th flight. */
    private static final class OneFlip implements UnaryOperator<byte[]> {
        private final int flight;
        private final int place;
        private final int bit;
        private int flights;

        OneFlip(int flight, int place, int bit) {
            this.flight = flight;
            this.place = place;
            this.bit = bit;
        }

        @Override
        public byte[] apply(byte[] wire) {
            if (flights++ != flight) {
                return wire;
            }
            List<byte[]> records = TlsRecords.split(wire);
            byte[] chosen = records.get(place % records.size());
            chosen[TlsRecords.HEADER_BYTES + place % (chosen.length - TlsRecords.HEADER_BYTES)] ^= (byte) bit;
            return TlsRecords.join(records);
        }

        @Override
        public String toString() {
            return "a flip in flight " + flight + ", place " + place + ", bit " + bit;
        }
    }

    @Test
    void anAlertEndsTheHandshake() throws SSLException {
        EnginePeer client = pair.link().client();
        client.wrap();
        client.takeOutgoing();
        client.receive(TlsRecords.record(TlsRecords.ALERT, (byte) 2, (byte) 40));
        assertFails(client);
        assertThat(EngineLink.failureOf(client))
                .isInstanceOf(SSLHandshakeException.class)
                .hasMessageContaining("handshake_failure");
        assertThat(client.takeOutgoing()).as("an answer to a fatal alert").isEmpty();
    }

    @Test
    void closeNotifyDuringTheHandshakeEndsIt() throws SSLException {
        EnginePeer client = pair.link().client();
        client.wrap();
        client.takeOutgoing();
        client.receive(TlsRecords.record(TlsRecords.ALERT, (byte) 1, (byte) 0));
        for (int i = 0; i < 10; i++) {
            client.step();
        }
        assertThat(client.engine().isInboundDone()).isTrue();
        assertThat(client.count(HandshakeStatus.FINISHED)).isZero();
    }

    @Test
    void malformedAlertsFail() throws SSLException {
        for (byte[] payload : new byte[][] {{2}, {2, 40, 0}, {}}) {
            EnginePeer client = pair.link().client();
            client.wrap();
            client.takeOutgoing();
            client.receive(TlsRecords.record(TlsRecords.ALERT, payload));
            assertFails(client);
        }
    }

    @Test
    void dataBeforeTheEndOfTheHandshakeFails() throws SSLException {
        EngineLink link = pair.link();
        link.client().wrap();
        link.deliver();
        link.server().unwrap();
        link.server().runTasks();
        while (link.server().status() == HandshakeStatus.NEED_WRAP) {
            link.server().wrap();
        }
        link.server().receive(TlsRecords.record(TlsRecords.APPLICATION_DATA, new byte[50]));
        assertFails(link.server());
    }

    @Test
    void anUnknownHandshakeMessageFails() {
        EnginePeer server = pair.link().server();
        server.receive(TlsRecords.record(TlsRecords.HANDSHAKE, (byte) 99, (byte) 0, (byte) 0, (byte) 1, (byte) 0));
        assertFails(server);
    }

    @Test
    void anEmptyHandshakeRecord() {
        EnginePeer server = pair.link().server();
        server.receive(TlsRecords.record(TlsRecords.HANDSHAKE));
        server.step();
        Difference.EMPTY_HANDSHAKE_RECORD.check(pair.server(), server.failure() == null ? "skipped" : "rejected");
    }

    @Test
    void manyEmptyHandshakeRecordsFail() {
        EnginePeer server = pair.link().server();
        for (int i = 0; i < 100; i++) {
            server.receive(TlsRecords.record(TlsRecords.HANDSHAKE));
            server.step();
        }
        assertFails(server);
    }

    @Test
    void anOversizedHandshakeMessageFails() {
        EnginePeer server = pair.link().server();
        server.receive(TlsRecords.record(
                TlsRecords.HANDSHAKE, (byte) 1, (byte) 0x7F, (byte) 0xFF, (byte) 0xFF, (byte) 3, (byte) 3));
        assertFails(server);
    }

    @Test
    void randomRecordsNeverDoWorseThanFail() {
        Random random = new Random(7);
        for (int i = 0; i < 100; i++) {
            byte[] payload = new byte[random.nextInt(200)];
            random.nextBytes(payload);
            EnginePeer server = pair.link().server();
            server.receive(TlsRecords.record(20 + random.nextInt(5), payload));
            for (int step = 0; step < 5; step++) {
                server.step();
            }
            assertThat(server.count(HandshakeStatus.FINISHED)).isZero();
        }
    }

    @Test
    void aFailureIsNotForgotten() {
        EngineLink link = pair.established();
        link.server().receive(TlsRecords.record(TlsRecords.APPLICATION_DATA, new byte[64]));
        assertFails(link.server());
        SSLEngine engine = link.server().engine();
        assertThatExceptionOfType(SSLException.class).isThrownBy(engine::beginHandshake);
    }
}
