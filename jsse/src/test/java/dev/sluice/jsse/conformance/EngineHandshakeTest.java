package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The paths through {@link HandshakeStatus}, in both roles. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#all")
final class EngineHandshakeTest {
    private static final byte[] DATA = "data".getBytes(StandardCharsets.US_ASCII);

    private final ProviderPair pair;

    EngineHandshakeTest(ProviderPair pair) {
        this.pair = pair;
    }

    @Test
    void carriesDataAfterTheHandshake() throws SSLException {
        pair.established().assertCarriesData();
    }

    @Test
    void isNotHandshakingBeforeTheBeginning() {
        EngineLink link = pair.link();
        assertThat(link.client().status()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
        assertThat(link.server().status()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
    }

    @Test
    void clientNeedsWrapAndServerNeedsUnwrapAtTheBeginning() throws SSLException {
        EngineLink link = pair.link();
        link.client().engine().beginHandshake();
        link.server().engine().beginHandshake();
        assertThat(link.client().status()).isEqualTo(HandshakeStatus.NEED_WRAP);
        assertThat(link.server().status()).isEqualTo(HandshakeStatus.NEED_UNWRAP);
    }

    @Test
    void beginningTwiceIsHarmless() throws SSLException {
        EngineLink link = pair.link();
        link.client().engine().beginHandshake();
        link.server().engine().beginHandshake();
        link.handshake().assertCarriesData();
    }

    @Test
    void beginningInTheMiddleIsHarmless() throws SSLException {
        EngineLink link = pair.link();
        link.client().wrap();
        link.deliver();
        link.client().engine().beginHandshake();
        assertThat(link.client().status()).isEqualTo(HandshakeStatus.NEED_UNWRAP);
        link.handshake().assertCarriesData();
    }

    @Test
    void firstWrapOfClientBeginsTheHandshake() throws SSLException {
        EngineLink link = pair.link();
        SSLEngineResult result = link.client().wrap(DATA);
        assertThat(result.getStatus()).isEqualTo(Status.OK);
        assertThat(result.getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_UNWRAP);
        assertThat(result.bytesConsumed()).isZero();
        assertThat(TlsRecords.type(link.client().takeOutgoing())).isEqualTo(TlsRecords.HANDSHAKE);
    }

    @Test
    void firstUnwrapOfClientAsksForWrap() throws SSLException {
        EnginePeer client = pair.link().client();
        client.receive(TlsRecords.record(TlsRecords.HANDSHAKE, new byte[4]));
        SSLEngineResult result = client.unwrap();
        assertThat(result.getStatus()).isEqualTo(Status.OK);
        assertThat(result.getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_WRAP);
        assertThat(result.bytesConsumed()).isZero();
    }

    @Test
    void firstUnwrapOfServerBeginsTheHandshake() throws SSLException {
        EngineLink link = pair.link();
        link.client().wrap();
        link.deliver();
        SSLEngineResult result = link.server().unwrap();
        assertThat(result.getStatus()).isEqualTo(Status.OK);
        assertThat(result.bytesConsumed()).isPositive();
        assertThat(result.getHandshakeStatus()).isIn(HandshakeStatus.NEED_TASK, HandshakeStatus.NEED_WRAP);
    }

    @Test
    void firstWrapOfServerAsksForUnwrap() throws SSLException {
        EnginePeer server = pair.link().server();
        SSLEngineResult result = server.wrap(DATA);
        assertThat(result.getStatus()).isEqualTo(Status.OK);
        assertThat(result.getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_UNWRAP);
        assertThat(result.bytesConsumed()).isZero();
        assertThat(result.bytesProduced()).isZero();
    }

    @Test
    void wrapInNeedUnwrapProducesNothing() throws SSLException {
        EnginePeer client = pair.link().client();
        client.wrap();
        client.takeOutgoing();
        SSLEngineResult result = client.wrap(DATA);
        assertThat(result.getStatus()).isEqualTo(Status.OK);
        assertThat(result.getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_UNWRAP);
        assertThat(result.bytesConsumed()).isZero();
        assertThat(result.bytesProduced()).isZero();
    }

    @Test
    void unwrapOfNothingKeepsTheStatus() throws SSLException {
        EnginePeer client = pair.link().client();
        client.wrap();
        SSLEngineResult result = client.unwrap();
        assertThat(result.getStatus()).isEqualTo(Status.BUFFER_UNDERFLOW);
        assertThat(result.getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_UNWRAP);
        assertThat(client.status()).isEqualTo(HandshakeStatus.NEED_UNWRAP);
    }

    @Test
    void bothEndsDelegateTasksInAFullHandshake() {
        EngineLink link = pair.established();
        assertThat(link.client().statuses()).contains(HandshakeStatus.NEED_TASK);
        assertThat(link.server().statuses()).contains(HandshakeStatus.NEED_TASK);
    }

    @Test
    void nothingPassesWhileATaskIsNeeded() throws SSLException {
        EngineLink link = pair.link();
        link.client().wrap();
        link.deliver();
        EnginePeer server = link.server();
        untilTask(server);
        server.receive(TlsRecords.record(TlsRecords.HANDSHAKE, new byte[4]));
        int before = server.incoming().remaining();
        for (SSLEngineResult result : List.of(server.wrap(DATA), server.unwrap())) {
            assertThat(result.getStatus()).isEqualTo(Status.OK);
            assertThat(result.getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_TASK);
            assertThat(result.bytesConsumed()).isZero();
            assertThat(result.bytesProduced()).isZero();
        }
        assertThat(server.incoming().remaining()).isEqualTo(before);
    }

    private static void untilTask(EnginePeer peer) throws SSLException {
        while (peer.status() != HandshakeStatus.NEED_TASK) {
            assertThat(peer.incoming().hasRemaining()).as("something to unwrap").isTrue();
            peer.unwrap();
        }
    }

    @Test
    void aTaskIsGivenOnce() throws SSLException {
        EngineLink link = pair.link();
        link.client().wrap();
        link.deliver();
        untilTask(link.server());
        SSLEngine engine = link.server().engine();
        Runnable task = engine.getDelegatedTask();
        assertThat(task).isNotNull();
        assertThat(engine.getDelegatedTask()).isNull();
        assertThat(engine.getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_TASK);
        task.run();
        assertThat(engine.getHandshakeStatus()).isNotEqualTo(HandshakeStatus.NOT_HANDSHAKING);
        link.handshake().assertCarriesData();
    }

    @Test
    void thereIsNoTaskWithoutNeed() {
        EngineLink link = pair.link();
        assertThat(link.client().engine().getDelegatedTask()).isNull();
        link.handshake();
        assertThat(link.client().engine().getDelegatedTask()).isNull();
        assertThat(link.server().engine().getDelegatedTask()).isNull();
    }

    @Test
    void handshakeFinishesOnceAtEachEnd() throws SSLException {
        EngineLink link = pair.link();
        for (EnginePeer peer : List.of(link.client(), link.server())) {
            peer.engine().beginHandshake();
        }
        untilBothFinished(link);
        for (EnginePeer peer : List.of(link.client(), link.server())) {
            assertThat(peer.count(HandshakeStatus.FINISHED)).isEqualTo(1);
            assertThat(peer.statuses().getLast()).isEqualTo(HandshakeStatus.FINISHED);
        }
    }

    private static void untilBothFinished(EngineLink link) {
        for (int steps = 0; steps < 1000; steps++) {
            for (EnginePeer peer : List.of(link.client(), link.server())) {
                if (peer.count(HandshakeStatus.FINISHED) == 0) {
                    peer.step();
                }
            }
            link.deliver();
        }
    }

    @Test
    void statusOfAnEngineIsNeverFinished() throws SSLException {
        EngineLink link = pair.link();
        link.client().engine().beginHandshake();
        List<HandshakeStatus> seen = new ArrayList<>();
        boolean progress = true;
        while (progress) {
            progress = link.client().step();
            seen.add(link.client().status());
            progress |= link.server().step();
            seen.add(link.server().status());
            progress |= link.deliver();
        }
        link.assertSucceeded();
        assertThat(seen).doesNotContain(HandshakeStatus.FINISHED).contains(HandshakeStatus.NEED_WRAP);
    }

    /** Session tickets of TLS 1.3 are unwrapped with the first data. */
    @Test
    void sessionTicketsFinishNothing() throws SSLException {
        EngineLink link = pair.established();
        long before = link.client().count(HandshakeStatus.FINISHED);
        link.assertCarriesData();
        assertThat(link.client().count(HandshakeStatus.FINISHED)).isEqualTo(before);
        String seen = before == 1 ? "FINISHED once" : "FINISHED for each ticket";
        if (pair.isTls13()) {
            Difference.FINISHED_AFTER_A_TICKET.check(pair.client(), seen);
        } else {
            assertThat(seen).isEqualTo("FINISHED once");
        }
    }

    @Test
    void wrapOfNothingAfterTheHandshakeIsNotHandshaking() throws SSLException {
        EngineLink link = pair.established();
        for (EnginePeer peer : List.of(link.client(), link.server())) {
            SSLEngineResult result = peer.wrap();
            assertThat(result.getStatus()).isEqualTo(Status.OK);
            assertThat(result.getHandshakeStatus()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
            assertThat(result.bytesConsumed()).isZero();
        }
    }

    @Test
    void unwrapOfNothingAfterTheHandshakeUnderflows() throws SSLException {
        EngineLink link = pair.established();
        for (EnginePeer peer : List.of(link.client(), link.server())) {
            SSLEngineResult result = peer.unwrap();
            assertThat(result.getStatus()).isEqualTo(Status.BUFFER_UNDERFLOW);
            assertThat(result.getHandshakeStatus()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
        }
    }

    @Test
    void tasksMayRunInAnyOrderOfThreads() throws InterruptedException, SSLException {
        EngineLink link = pair.link();
        link.client().engine().beginHandshake();
        boolean progress = true;
        while (progress) {
            progress = runTasksElsewhere(link.client());
            progress |= runTasksElsewhere(link.server());
            progress |= link.client().step();
            progress |= link.server().step();
            progress |= link.deliver();
        }
        link.assertSucceeded();
        link.assertCarriesData();
    }

    private static boolean runTasksElsewhere(EnginePeer peer) throws InterruptedException {
        if (peer.status() != HandshakeStatus.NEED_TASK) {
            return false;
        }
        Thread thread = Thread.ofPlatform().start(peer::runTasks);
        thread.join();
        return true;
    }

    @Test
    void handshakeSessionIsVisibleDuringTheHandshakeOnly() throws SSLException {
        EngineLink link = pair.link();
        assertThat(link.client().engine().getHandshakeSession()).isNull();
        link.client().engine().beginHandshake();
        List<SSLSession> seen = new ArrayList<>();
        boolean progress = true;
        while (progress) {
            progress = link.stepBoth();
            progress |= link.deliver();
            SSLSession session = link.server().engine().getHandshakeSession();
            if (session != null) {
                seen.add(session);
            }
        }
        link.assertSucceeded();
        assertThat(seen).isNotEmpty();
        assertThat(seen.getLast().getProtocol()).isEqualTo(pair.version().protocol());
        assertThat(link.client().engine().getHandshakeSession()).isNull();
        assertThat(link.server().engine().getHandshakeSession()).isNull();
    }

    @Test
    void sessionIsEmptyBeforeTheHandshake() {
        for (EnginePeer peer : List.of(pair.link().client(), pair.link().server())) {
            SSLSession session = peer.engine().getSession();
            assertThat(session.getCipherSuite()).isEqualTo("SSL_NULL_WITH_NULL_NULL");
            assertThat(session.getProtocol()).isEqualTo("NONE");
            assertThat(session.getId()).isEmpty();
            assertThat(session.isValid()).isFalse();
        }
    }

    @Test
    void bothEndsAgreeOnVersionAndCipherSuite() {
        EngineLink link = pair.established();
        SSLSession client = link.client().engine().getSession();
        SSLSession server = link.server().engine().getSession();
        assertThat(client.getProtocol()).isEqualTo(pair.version().protocol());
        assertThat(server.getProtocol()).isEqualTo(pair.version().protocol());
        assertThat(client.getCipherSuite()).isEqualTo(server.getCipherSuite()).startsWith("TLS_");
        assertThat(client.isValid()).isTrue();
        assertThat(server.isValid()).isTrue();
    }

    /** The client's Finished and its first data leave in one flight. */
    @Test
    void dataMayFollowFinishedInOneFlight() throws SSLException {
        EngineLink link = pair.link();
        link.client().engine().beginHandshake();
        link.server().engine().beginHandshake();
        while (link.client().count(HandshakeStatus.FINISHED) == 0) {
            boolean progress = link.stepBoth();
            boolean isFinished = link.client().count(HandshakeStatus.FINISHED) > 0;
            progress |= !isFinished && link.deliver();
            assertThat(progress || isFinished).as("progress").isTrue();
        }
        link.client().send(DATA);
        link.settle();
        link.assertSucceeded();
        assertThat(link.server().takePlain()).isEqualTo(DATA);
    }

    @Test
    void dataIsNotTakenDuringTheHandshake() throws SSLException {
        EngineLink link = pair.link();
        EnginePeer client = link.client();
        ByteBuffer data = ByteBuffer.wrap(DATA);
        client.wrap(data);
        while (client.count(HandshakeStatus.FINISHED) == 0) {
            boolean progress = link.deliver();
            progress |= link.server().step();
            if (client.status() == HandshakeStatus.NEED_WRAP) {
                progress |= client.wrap(data).bytesProduced() > 0;
            } else {
                progress |= client.step();
            }
            assertThat(progress).isTrue();
        }
        assertThat(data.remaining()).isEqualTo(DATA.length);
        assertThat(client.wrap(data).bytesConsumed()).isEqualTo(DATA.length);
        link.settle();
        assertThat(link.server().takePlain()).isEqualTo(DATA);
    }
}
