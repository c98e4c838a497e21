package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The close of each direction: before, during and after the handshake. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#all")
final class EngineCloseTest {
    private static final byte[] DATA = "data".getBytes(StandardCharsets.US_ASCII);

    private final ProviderPair pair;

    EngineCloseTest(ProviderPair pair) {
        this.pair = pair;
    }

    @Test
    void outboundIsDoneAtOnceBeforeTheHandshake() throws SSLException {
        for (EnginePeer peer : ends(pair.link())) {
            SSLEngine engine = peer.engine();
            assertThat(engine.isOutboundDone()).isFalse();
            engine.closeOutbound();
            assertThat(engine.isOutboundDone()).isTrue();
            assertClosed(peer.wrap(DATA));
            assertThat(peer.takeOutgoing()).isEmpty();
        }
    }

    @Test
    void noHandshakeBeginsAfterCloseOfOutbound() {
        for (EnginePeer peer : ends(pair.link())) {
            peer.engine().closeOutbound();
            assertThatExceptionOfType(SSLException.class).isThrownBy(peer.engine()::beginHandshake);
        }
    }

    @Test
    void inboundClosesBeforeTheHandshakeWithoutException() throws SSLException {
        for (EnginePeer peer : ends(pair.link())) {
            SSLEngine engine = peer.engine();
            assertThat(engine.isInboundDone()).isFalse();
            engine.closeInbound();
            assertThat(engine.isInboundDone()).isTrue();
            peer.receive(TlsRecords.record(TlsRecords.HANDSHAKE, new byte[4]));
            assertClosed(peer.unwrap());
            engine.closeInbound();
        }
    }

    @Test
    void bothDirectionsCloseBeforeTheHandshake() throws SSLException {
        for (EnginePeer peer : ends(pair.link())) {
            peer.engine().closeOutbound();
            peer.engine().closeInbound();
            assertThat(peer.engine().isInboundDone()).isTrue();
            assertThat(peer.engine().isOutboundDone()).isTrue();
            assertThat(peer.status()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
            assertClosed(peer.wrap());
            assertClosed(peer.unwrap());
        }
    }

    @Test
    void clientThatClosesDuringTheHandshakeSendsAnAlert() throws SSLException {
        EngineLink link = pair.link();
        link.client().wrap();
        link.deliver();
        link.client().engine().closeOutbound();
        drain(link.client());
        assertThat(TlsRecords.split(link.client().takeOutgoing()))
                .isNotEmpty()
                .allMatch(each -> TlsRecords.type(each) == TlsRecords.ALERT);
        assertThat(link.client().engine().isOutboundDone()).isTrue();
        assertClosed(link.client().wrap());
    }

    private static void drain(EnginePeer peer) throws SSLException {
        for (SSLEngineResult result = peer.wrap();
                result.getStatus() == Status.OK && result.bytesProduced() > 0;
                result = peer.wrap()) {
            assertThat(peer.engine().isOutboundDone()).isFalse();
        }
    }

    @Test
    void serverSeesTheCloseDuringTheHandshake() throws SSLException {
        EngineLink link = pair.link();
        link.client().wrap();
        link.client().engine().closeOutbound();
        link.settle();
        assertThat(link.server().engine().isInboundDone()).isTrue();
        assertThat(link.server().count(HandshakeStatus.FINISHED)).isZero();
    }

    @Test
    void serverThatClosesBeforeItsFlightSendsAnAlert() throws SSLException {
        EngineLink link = pair.link();
        link.client().wrap();
        link.deliver();
        link.server().engine().beginHandshake();
        link.server().engine().closeOutbound();
        link.settle();
        assertThat(link.server().engine().isOutboundDone()).isTrue();
        assertThat(link.client().engine().isInboundDone()).isTrue();
        assertThat(link.client().count(HandshakeStatus.FINISHED)).isZero();
        assertThat(link.server().count(HandshakeStatus.FINISHED)).isZero();
    }

    /** The alert follows a flight that is complete: under TLS 1.3 the client has finished before it reads it. */
    @Test
    void serverThatClosesAfterItsFlight() throws SSLException {
        EngineLink link = pair.link();
        link.client().wrap();
        link.deliver();
        link.server().unwrap();
        link.server().runTasks();
        link.server().engine().closeOutbound();
        link.settle();
        assertThat(link.server().engine().isOutboundDone()).isTrue();
        Difference.CLOSE_AFTER_A_FLIGHT.check(
                pair.server(), link.client().engine().isInboundDone() ? "an alert" : "no alert");
    }

    @Test
    void inboundThatClosesDuringTheHandshakeIsTruncated() throws SSLException {
        EngineLink link = pair.link();
        link.client().wrap();
        SSLEngine engine = link.client().engine();
        assertThatExceptionOfType(SSLException.class).isThrownBy(engine::closeInbound);
        assertThat(engine.isInboundDone()).isTrue();
        assertClosed(link.client().unwrap());
        engine.closeInbound();
    }

    @Test
    void aTaskMayOutliveItsEngine() throws SSLException {
        EngineLink link = pair.link();
        link.client().wrap();
        link.deliver();
        EnginePeer server = link.server();
        server.unwrap();
        Runnable task = server.engine().getDelegatedTask();
        server.engine().closeOutbound();
        assertThatExceptionOfType(SSLException.class).isThrownBy(server.engine()::closeInbound);
        if (task != null) {
            task.run();
        }
        link.settle();
        assertThat(server.engine().isInboundDone()).isTrue();
        assertThat(server.engine().isOutboundDone()).isTrue();
    }

    @Test
    void closeNotifyIsOneRecord() throws SSLException {
        EngineLink link = pair.established();
        for (EnginePeer peer : ends(link)) {
            peer.engine().closeOutbound();
            peer.engine().closeOutbound();
            assertThat(peer.engine().isOutboundDone()).isFalse();
            assertThat(peer.status()).isEqualTo(HandshakeStatus.NEED_WRAP);
            SSLEngineResult result = peer.wrap(DATA);
            assertThat(result.getStatus()).isEqualTo(Status.CLOSED);
            assertThat(result.bytesConsumed()).isZero();
            assertThat(TlsRecords.split(peer.takeOutgoing())).hasSize(1);
            assertThat(peer.engine().isOutboundDone()).isTrue();
            assertClosed(peer.wrap(DATA));
        }
    }

    @Test
    void closeNotifyClosesInboundOfTheOtherEnd() throws SSLException {
        EngineLink link = pair.established();
        link.client().engine().closeOutbound();
        link.client().wrap();
        link.deliver();
        SSLEngineResult result = link.server().unwrap();
        assertThat(result.getStatus()).isEqualTo(Status.CLOSED);
        assertThat(result.bytesConsumed()).isPositive();
        assertThat(link.server().engine().isInboundDone()).isTrue();
        assertClosed(link.server().unwrap());
        link.server().engine().closeInbound();
    }

    /** TLS 1.2 demands an immediate answer (RFC 5246 section 7.2.1); TLS 1.3 does not (RFC 8446 section 6.1). */
    @Test
    void closeNotifyIsAnsweredUnderTls12Only() throws SSLException {
        EngineLink link = pair.established();
        link.client().engine().closeOutbound();
        link.client().wrap();
        link.deliver();
        SSLEngineResult result = link.server().unwrap();
        SSLEngine server = link.server().engine();
        if (pair.isTls13()) {
            assertThat(result.getHandshakeStatus()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
            assertThat(server.isOutboundDone()).isFalse();
        } else {
            assertThat(result.getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_WRAP);
            SSLEngineResult answer = link.server().wrap(DATA);
            assertThat(answer.getStatus()).isEqualTo(Status.CLOSED);
            assertThat(answer.bytesConsumed()).isZero();
            assertThat(answer.bytesProduced()).isPositive();
            assertThat(server.isOutboundDone()).isTrue();
            link.settle();
            assertThat(link.client().engine().isInboundDone()).isTrue();
        }
    }

    @Test
    void dataPassesAfterHalfCloseUnderTls13Only() throws SSLException {
        for (boolean isClient : new boolean[] {true, false}) {
            EngineLink link = pair.established();
            EnginePeer closing = isClient ? link.client() : link.server();
            EnginePeer open = link.other(closing);
            closing.engine().closeOutbound();
            link.settle();
            if (pair.isTls13()) {
                link.assertCarries(open, DATA);
                assertThat(open.engine().isOutboundDone()).isFalse();
                open.engine().closeOutbound();
                link.settle();
            } else {
                assertClosed(open.wrap(DATA));
            }
            assertThat(closing.engine().isInboundDone()).isTrue();
            closing.engine().closeInbound();
        }
    }

    @Test
    void orderlyCloseEndsBothDirections() throws SSLException {
        EngineLink link = pair.established();
        link.close();
        for (EnginePeer peer : ends(link)) {
            assertThat(peer.failure()).isNull();
            assertThat(peer.engine().isInboundDone()).isTrue();
            assertThat(peer.engine().isOutboundDone()).isTrue();
            assertThat(peer.status()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
            peer.engine().closeInbound();
            assertThat(peer.engine().getSession().getProtocol())
                    .isEqualTo(pair.version().protocol());
            assertThat(peer.engine().getSession().isValid()).isTrue();
        }
    }

    @Test
    void simultaneousCloseEndsBothDirections() throws SSLException {
        EngineLink link = pair.established();
        link.client().engine().closeOutbound();
        link.server().engine().closeOutbound();
        link.settle();
        for (EnginePeer peer : ends(link)) {
            assertThat(peer.failure()).isNull();
            assertThat(peer.engine().isInboundDone()).isTrue();
            assertThat(peer.engine().isOutboundDone()).isTrue();
        }
    }

    @Test
    void endOfInputWithoutCloseNotifyIsATruncation() {
        for (EnginePeer peer : ends(pair.established())) {
            SSLEngine engine = peer.engine();
            assertThatExceptionOfType(SSLException.class)
                    .isThrownBy(engine::closeInbound)
                    .withMessageContaining("close_notify");
            assertThat(engine.isInboundDone()).isTrue();
        }
    }

    @Test
    void closeOfInboundThrowsOnce() throws SSLException {
        for (EnginePeer peer : ends(pair.established())) {
            assertThatExceptionOfType(SSLException.class).isThrownBy(peer.engine()::closeInbound);
            peer.engine().closeInbound();
            assertClosed(peer.unwrap());
        }
    }

    /** An application that has sent close_notify and reads the end of the stream has still lost the peer's. */
    @Test
    void truncationIsReportedAfterOwnCloseNotify() throws SSLException {
        for (EnginePeer peer : ends(pair.established())) {
            peer.engine().closeOutbound();
            peer.wrap();
            assertThatExceptionOfType(SSLException.class).isThrownBy(peer.engine()::closeInbound);
            assertThat(peer.engine().isInboundDone()).isTrue();
            assertThat(peer.engine().isOutboundDone()).isTrue();
        }
    }

    @Test
    void dataBeforeCloseNotifyIsDeliveredFirst() throws SSLException {
        EngineLink link = pair.established();
        link.client().send(DATA);
        link.client().engine().closeOutbound();
        link.client().wrap();
        link.deliver();
        assertThat(link.server().unwrap().getStatus()).isEqualTo(Status.OK);
        assertThat(link.server().takePlain()).isEqualTo(DATA);
        assertThat(link.server().unwrap().getStatus()).isEqualTo(Status.CLOSED);
    }

    @Test
    void bytesAfterCloseNotifyAreNotRead() throws SSLException {
        EngineLink link = pair.established();
        link.client().engine().closeOutbound();
        link.client().wrap();
        link.deliver();
        link.server().receive("trailing garbage".getBytes(StandardCharsets.US_ASCII));
        link.server().unwrap();
        int rest = link.server().incoming().remaining();
        assertThat(rest).isEqualTo("trailing garbage".length());
        assertClosed(link.server().unwrap());
        assertThat(link.server().incoming().remaining()).isEqualTo(rest);
    }

    @Test
    void closeNotifyWaitsForRoom() throws SSLException {
        EngineLink link = pair.established();
        SSLEngine engine = link.client().engine();
        engine.closeOutbound();
        SSLEngineResult result = engine.wrap(ByteBuffer.allocate(0), ByteBuffer.allocate(1));
        assertThat(result.getStatus()).isEqualTo(Status.BUFFER_OVERFLOW);
        assertThat(result.bytesProduced()).isZero();
        assertThat(engine.isOutboundDone()).isFalse();
        link.settle();
        assertThat(link.server().engine().isInboundDone()).isTrue();
    }

    @Test
    void aFailureEndsBothDirections() throws SSLException {
        EngineLink link = pair.established();
        link.client().send(DATA);
        link.tamperToServer(bytes -> {
            bytes[bytes.length - 1] ^= 1;
            return bytes;
        });
        link.deliver();
        assertThatExceptionOfType(SSLException.class).isThrownBy(link.server()::unwrap);
        SSLEngine server = link.server().engine();
        assertThat(server.isInboundDone()).isTrue();
        assertThat(link.server().status()).isEqualTo(HandshakeStatus.NEED_WRAP);
        assertThat(server.isOutboundDone()).isFalse();
        SSLEngineResult alert = link.server().wrap(DATA);
        assertThat(alert.bytesConsumed()).isZero();
        assertThat(alert.bytesProduced()).isPositive();
        assertThat(server.isOutboundDone()).isTrue();
        assertClosed(link.server().wrap(DATA));
        assertClosed(link.server().unwrap());
        server.closeInbound();
        link.settle();
        assertThat(EngineLink.failureOf(link.client())).hasMessageContaining("bad_record_mac");
        assertThat(link.client().engine().isInboundDone()).isTrue();
        assertThat(link.client().engine().isOutboundDone()).isTrue();
    }

    private static void assertClosed(SSLEngineResult result) {
        assertThat(result.getStatus()).isEqualTo(Status.CLOSED);
        assertThat(result.bytesConsumed()).isZero();
        assertThat(result.bytesProduced()).isZero();
    }

    private static List<EnginePeer> ends(EngineLink link) {
        return List.of(link.client(), link.server());
    }
}
