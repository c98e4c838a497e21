package dev.sluice.tls.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.tls.JdkPeer;
import dev.sluice.tls.Peer;
import dev.sluice.tls.Wire;
import dev.sluice.tls.engine.EngineKind;
import dev.sluice.tls.engine.EngineState;
import dev.sluice.tls.engine.EngineStatus;
import dev.sluice.tls.engine.OurPeer;
import dev.sluice.tls.failure.Fault;
import dev.sluice.tls.failure.TlsAlert;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of connection ends: clean in one direction, in both, truncated, closed by us at any moment. */
@ParameterizedClass
@EnumSource(EngineKind.class)
class ClosingConformanceTest extends EngineConformance {
    ClosingConformanceTest(EngineKind kind) {
        super(kind);
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void closesEachDirectionSeparately(ProtocolVersion version) {
        Pair pair = established(version);
        Wire wire = Wire.whole();
        pair.client().write(PING);
        pair.client().closeOutput();

        assertThat(pair.client().engine().state()).isEqualTo(EngineState.CLOSING_SENT);
        assertThat(wire.carry(pair.client(), pair.server())).isEqualTo(PING);
        assertThat(pair.server().sawCloseNotify()).isTrue();
        assertThat(pair.server().engine().state()).isEqualTo(EngineState.CLOSING_RECEIVED);

        pair.server().write(PING);
        assertThat(wire.carry(pair.server(), pair.client())).isEqualTo(PING);
        pair.server().closeOutput();
        wire.carry(pair.server(), pair.client());

        assertThat(pair.client().sawCloseNotify()).isTrue();
        assertThat(pair.client().engine().state()).isEqualTo(EngineState.CLOSED);
        assertThat(pair.server().engine().state()).isEqualTo(EngineState.CLOSED);
        assertThat(pair.client().engine().read(1, 1)).isEqualTo(EngineStatus.CLOSED);
        assertThat(pair.client().engine().closeOutput()).isEqualTo(EngineStatus.DONE);
    }

    @Test
    void rejectsWritesAfterCloseNotify() {
        Pair pair = established(ProtocolVersion.TLS_1_3);
        pair.client().closeOutput();

        assertThatThrownBy(() -> pair.client().write(PING))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("WRITE")
                .hasMessageContaining("CLOSING_SENT");
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void exchangesCloseNotifyWithTheJdk(ProtocolVersion version) {
        OurPeer server = server(serverWith(CERTIFICATES.server()).versions(version, version));
        JdkPeer client = closing(JdkPeer.client(CERTIFICATES.rootCertificate(), "localhost", parameters -> {}));
        Wire wire = Wire.whole();
        wire.handshake(client, server);
        server.closeOutput();
        wire.carry(server, client);
        client.closeOutput();
        wire.carry(client, server);

        assertThat(client.sawCloseNotify()).isTrue();
        assertThat(server.sawCloseNotify()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void reportsATruncationWithoutCloseNotify(ProtocolVersion version) {
        Pair pair = established(version);
        pair.client().write(PING);
        pair.server().offer(pair.client().takeOutput());
        pair.server().endOfStream();

        assertThat(pair.server().read()).isEqualTo(PING);
        assertThat(pair.server().lastStatus()).isEqualTo(EngineStatus.FAILED);
        assertThat(pair.server().failure()).isEqualTo("truncated");
        assertThat(pair.server().tlsFailure().fault()).isEqualTo(Fault.PEER_MISBEHAVED);
        assertThat(pair.server().sawCloseNotify()).isFalse();
        Wire.whole().carry(pair.server(), pair.client());
        assertThat(pair.client().failure())
                .isEqualTo("alert_received_"
                        + TlsAlert.label(pair.server().tlsFailure().alert()));
    }

    @Test
    void reportsATruncationInsideARecord() {
        Pair pair = established(ProtocolVersion.TLS_1_3);
        pair.client().write(PING);
        byte[] record = pair.client().takeOutput();
        pair.server().offer(Arrays.copyOf(record, record.length - 1));
        pair.server().endOfStream();

        assertThat(pair.server().read()).isEmpty();
        assertThat(pair.server().failure()).isEqualTo("truncated");
    }

    @Test
    void endsCleanlyAfterCloseNotify() {
        Pair pair = established(ProtocolVersion.TLS_1_3);
        pair.client().closeOutput();
        pair.server().offer(pair.client().takeOutput());
        pair.server().endOfStream();
        pair.server().read();
        pair.server().read();

        assertThat(pair.server().sawCloseNotify()).isTrue();
        assertThat(pair.server().failure()).isEmpty();
    }

    @Test
    void distinguishesAnEndBeforeTheFirstByteFromOneInTheHandshake() {
        OurPeer silent = server(serverWith(CERTIFICATES.server()));
        silent.endOfStream();
        silent.handshake();
        OurPeer half = server(serverWith(CERTIFICATES.server()));
        half.offer(new byte[] {22, 3, 1, 2, 0, 1});
        half.endOfStream();
        half.handshake();

        assertThat(silent.failure()).isEqualTo("closed_before_handshake");
        assertThat(half.failure()).isEqualTo("handshake_truncated");
        assertThat(silent.takeOutput()).endsWith(silent.tlsFailure().alert());
        assertThat(half.takeOutput()).endsWith(half.tlsFailure().alert());
    }

    /** Closes the engine in every state of a conversation; each test checks that nothing leaks. */
    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void closeFreesEverythingAfterEveryStepOfAHandshake(ProtocolVersion version) {
        TlsContext serverContext = closing(serverWith(CERTIFICATES.server()).build());
        TlsContext clientContext =
                closing(trustingClient().versions(version, version).build());
        for (int steps = 0; steps < 8; steps++) {
            try (OurPeer server = kind.server(serverContext);
                    OurPeer client = kind.client(clientContext, "localhost")) {
                for (int step = 0; step < steps; step++) {
                    Peer from = step % 2 == 0 ? client : server;
                    Peer to = step % 2 == 0 ? server : client;
                    from.handshake();
                    to.offer(from.takeOutput());
                }
                server.engine().close();
                server.engine().close();
                assertThat(server.engine().state()).isEqualTo(EngineState.CLOSED);
                assertThat(server.engine().read(1, 1)).isEqualTo(EngineStatus.CLOSED);
                assertThat(server.engine().hasPendingPlaintext()).isFalse();
                assertThatThrownBy(() -> server.engine().handshake())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("event HANDSHAKE is illegal in state CLOSED");
            }
        }
    }

    @Test
    void closeBeforeTheHandshakeNeedsNoCloseNotify() {
        OurPeer server = server(serverWith(CERTIFICATES.server()));
        server.closeOutput();

        assertThat(server.lastStatus()).isEqualTo(EngineStatus.DONE);
        assertThat(server.engine().state()).isEqualTo(EngineState.CLOSED);
        assertThat(server.takeOutput()).isEmpty();
    }

    @Test
    void rejectsReadsAndWritesBeforeTheHandshake() {
        OurPeer server = server(serverWith(CERTIFICATES.server()));

        assertThatThrownBy(() -> server.engine().read(1, 1)).hasMessage("event READ is illegal in state NEW");
        assertThatThrownBy(() -> server.engine().write(1, 1)).hasMessage("event WRITE is illegal in state NEW");
    }

    @Test
    void rejectsAReadWithoutRoom() {
        Pair pair = established(ProtocolVersion.TLS_1_3);

        assertThatThrownBy(() -> pair.server().engine().read(1, 0)).hasMessageContaining("capacity=0");
        assertThat(pair.server().engine().write(1, 0)).isEqualTo(EngineStatus.DONE);
    }
}
