package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that arrive in pieces, several at once, and handshake messages split over records. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#all")
final class EngineRecordsTest {
    private static final byte[] DATA = "some data to be split".getBytes(StandardCharsets.US_ASCII);

    private final ProviderPair pair;

    EngineRecordsTest(ProviderPair pair) {
        this.pair = pair;
    }

    @Test
    void handshakesByteByByte() throws SSLException {
        EngineLink link = pair.link();
        link.client().engine().beginHandshake();
        boolean progress = true;
        while (progress) {
            progress = link.stepBoth();
            progress |= trickle(link.client(), link.server());
            progress |= trickle(link.server(), link.client());
        }
        link.assertSucceeded();
        link.assertCarriesData();
    }

    /** Delivers one byte at a time, with a step of the receiver after each. */
    private static boolean trickle(EnginePeer from, EnginePeer to) {
        byte[] bytes = from.takeOutgoing();
        for (byte each : bytes) {
            to.receive(new byte[] {each});
            to.step();
        }
        return bytes.length > 0;
    }

    @Test
    void splitsAtEveryByteUnderflow() throws SSLException {
        EngineLink link = pair.established();
        link.client().send(DATA);
        int length = link.client().takeOutgoing().length;
        EngineLink fresh = pair.established();
        for (int cut = 0; cut < length; cut++) {
            fresh.client().send(DATA);
            byte[] wire = fresh.client().takeOutgoing();
            fresh.server().receive(Arrays.copyOf(wire, cut));
            SSLEngineResult result = fresh.server().unwrap();
            assertThat(result.getStatus()).as("cut at %s", cut).isEqualTo(Status.BUFFER_UNDERFLOW);
            assertThat(result.bytesConsumed()).isZero();
            assertThat(fresh.server().incoming().remaining()).isEqualTo(cut);
            fresh.server().receive(Arrays.copyOfRange(wire, cut, length));
            assertThat(fresh.server().unwrap().getStatus()).isEqualTo(Status.OK);
            assertThat(fresh.server().takePlain()).isEqualTo(DATA);
        }
    }

    @Test
    void oneUnwrapTakesOneRecord() throws SSLException {
        EngineLink link = pair.established();
        for (int i = 0; i < 10; i++) {
            link.server().send(new byte[] {(byte) i, (byte) i});
        }
        byte[] wire = link.server().takeOutgoing();
        link.client().receive(wire);
        for (byte[] each : TlsRecords.split(wire)) {
            SSLEngineResult result = link.client().unwrap();
            assertThat(result.getStatus()).isEqualTo(Status.OK);
            assertThat(result.bytesConsumed()).isEqualTo(each.length);
        }
        assertThat(link.client().takePlain()).hasSize(20).endsWith(9, 9);
    }

    @Test
    void readsRecordsBehindOneAnotherAtANonZeroPosition() throws SSLException {
        EngineLink link = pair.established();
        link.client().send(DATA);
        link.client().send(DATA);
        byte[] wire = link.client().takeOutgoing();
        ByteBuffer source =
                ByteBuffer.allocate(wire.length + 7).position(7).put(wire).position(7);
        ByteBuffer target = ByteBuffer.allocate(40_000);
        while (source.hasRemaining()) {
            assertThat(link.server().engine().unwrap(source, target).getStatus())
                    .isEqualTo(Status.OK);
        }
        assertThat(target.position()).isEqualTo(2 * DATA.length);
    }

    @Test
    void aPartOfTheNextRecordDoesNotDelayTheFirst() throws SSLException {
        EngineLink link = pair.established();
        link.client().send(DATA);
        link.client().send(DATA);
        byte[] wire = link.client().takeOutgoing();
        link.server().receive(Arrays.copyOf(wire, wire.length - 1));
        assertThat(link.server().unwrap().getStatus()).isEqualTo(Status.OK);
        assertThat(link.server().takePlain()).isEqualTo(DATA);
        assertThat(link.server().unwrap().getStatus()).isEqualTo(Status.BUFFER_UNDERFLOW);
        link.server().receive(Arrays.copyOfRange(wire, wire.length - 1, wire.length));
        assertThat(link.server().unwrap().getStatus()).isEqualTo(Status.OK);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 64, 250})
    void messagesOfTheClientMaySpanRecords(int fragment) throws SSLException {
        pair.link().tamperToServer(new Fragmenting(fragment)).handshake().assertCarriesData();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50})
    void messagesOfTheServerMaySpanRecords(int fragment) throws SSLException {
        pair.link().tamperToClient(new Fragmenting(fragment)).handshake().assertCarriesData();
    }

    /** Splits the payload of handshake records that are not protected, as RFC 8446 section 5.1 allows. */
    private static final class Fragmenting implements UnaryOperator<byte[]> {
        private final int fragment;
        private boolean isPlain = true;

        Fragmenting(int fragment) {
            this.fragment = fragment;
        }

        @Override
        public byte[] apply(byte[] wire) {
            List<byte[]> result = new ArrayList<>();
            for (byte[] each : TlsRecords.split(wire)) {
                isPlain &= isHandshake(each);
                result.addAll(isPlain ? pieces(each) : List.of(each));
            }
            return TlsRecords.join(result);
        }

        private List<byte[]> pieces(byte[] tlsRecord) {
            List<byte[]> pieces = new ArrayList<>();
            for (int at = TlsRecords.HEADER_BYTES; at < tlsRecord.length; at += fragment) {
                int end = Math.min(tlsRecord.length, at + fragment);
                pieces.add(TlsRecords.record(TlsRecords.HANDSHAKE, Arrays.copyOfRange(tlsRecord, at, end)));
            }
            return pieces;
        }
    }

    private static boolean isHandshake(byte[] wire) {
        return TlsRecords.type(wire) == TlsRecords.HANDSHAKE;
    }

    @Test
    void messagesOfAFlightMayShareARecord() throws SSLException {
        EngineLink link = pair.link();
        link.client().wrap();
        link.deliver();
        EnginePeer server = link.server();
        while (server.step()) {
            assertThat(server.failure()).isNull();
        }
        link.client().receive(coalesced(server.takeOutgoing()));
        link.handshake().assertCarriesData();
    }

    private static byte[] coalesced(byte[] wire) {
        List<byte[]> rest = new ArrayList<>(TlsRecords.split(wire));
        ByteBuffer payload = ByteBuffer.allocate(wire.length);
        while (!rest.isEmpty() && isHandshake(rest.getFirst())) {
            byte[] each = rest.removeFirst();
            payload.put(each, TlsRecords.HEADER_BYTES, each.length - TlsRecords.HEADER_BYTES);
        }
        rest.addFirst(TlsRecords.record(TlsRecords.HANDSHAKE, Arrays.copyOf(payload.array(), payload.position())));
        return TlsRecords.join(rest);
    }

    @Test
    void manySmallRecordsPass() throws SSLException {
        EngineLink link = pair.established();
        for (int i = 0; i < 2000; i++) {
            link.client().send(new byte[] {(byte) i});
        }
        link.settle();
        assertThat(link.server().takePlain()).hasSize(2000);
    }
}
