package dev.sluice.tls.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.Bytes;
import dev.sluice.tls.Wire;
import dev.sluice.tls.engine.EngineKind;
import dev.sluice.tls.engine.EngineState;
import dev.sluice.tls.engine.EngineStatus;
import dev.sluice.tls.engine.OurPeer;
import dev.sluice.tls.failure.Fault;
import dev.sluice.tls.failure.TlsAlert;
import dev.sluice.tls.failure.TlsFailure;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with bytes that no honest peer sends. Each ends in a named failure, never in plaintext that was not sent. */
@ParameterizedClass
@EnumSource(EngineKind.class)
class HostileInputConformanceTest extends EngineConformance {
    private static final int RECORD_HEADER = 5;
    private static final int ALERT_RECORD_BYTES = 7;
    private static final byte ALERT_TYPE = 21;

    HostileInputConformanceTest(EngineKind kind) {
        super(kind);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "POST /form HTTP/1.1\r\n\r\n",
                "HEAD / HTTP/1.0\r\n\r\n",
                "CONNECT example.com:443 HTTP/1.1\r\n\r\n"
            })
    void recognizesPlainHttp(String request) {
        OurPeer server = server(serverWith(CERTIFICATES.server()));
        server.offer(request.getBytes(StandardCharsets.US_ASCII));
        server.handshake();

        assertThat(server.failure()).isEqualTo("http_request");
        assertThat(server.tlsFailure().fault()).isEqualTo(Fault.PEER_MISBEHAVED);
        assertThat(server.tlsFailure().message()).contains("https://");
        assertAlertIsTheOneThatWasSent(server);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void rejectsRandomBytes(long seed) {
        OurPeer server = server(serverWith(CERTIFICATES.server()));
        byte[] noise = Bytes.random(20_000, seed);
        noise[0] = 'S'; // no handshake record, no SSLv2 ClientHello
        server.offer(noise);
        server.handshake();

        assertThat(server.failure()).isEqualTo("not_tls");
        assertThat(server.tlsFailure().fault()).isEqualTo(Fault.PEER_MISBEHAVED);
        assertAlertIsTheOneThatWasSent(server);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void rejectsADamagedClientHello(long seed) {
        OurPeer client = client(trustingClient(), "localhost");
        client.handshake();
        byte[] hello = client.takeOutput();
        // Beyond the record header, which other tests damage.
        hello[RECORD_HEADER + new Random(seed).nextInt(hello.length - RECORD_HEADER)] ^= (byte) 0x81;
        OurPeer server = server(serverWith(CERTIFICATES.server()));
        server.offer(hello);
        server.endOfStream();
        server.handshake();

        assertThat(server.isEstablished()).isFalse();
        assertThat(server.failure()).isNotEmpty();
        assertThat(server.tlsFailure().message()).isNotEmpty();
    }

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    /**
     * Checks the alert on the wire, readable before there are keys; libssl itself does not report the alert that it
     * sends.
     */
    private static void assertAlertIsTheOneThatWasSent(OurPeer peer) {
        byte[] sent = peer.takeOutput();
        boolean alert = sent.length == ALERT_RECORD_BYTES && sent[0] == ALERT_TYPE;
        assertThat(peer.tlsFailure().alert())
                .as(peer.tlsFailure().toString())
                .isEqualTo(alert ? sent[ALERT_RECORD_BYTES - 1] : TlsAlert.NONE);
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void rejectsAFlippedBitAsABadMac(ProtocolVersion version) {
        Pair pair = established(version);
        pair.client().write(PING);
        byte[] record = pair.client().takeOutput();
        record[record.length - 1] ^= 1;
        pair.server().offer(record);

        assertThat(pair.server().read()).isEmpty();
        assertThat(pair.server().failure()).isEqualTo("bad_record_mac");
        assertThat(pair.server().tlsFailure().alert()).isEqualTo(20);
        Wire.whole().carry(pair.server(), pair.client());
        assertThat(pair.client().failure()).isEqualTo("alert_received_bad_record_mac");
        assertThat(pair.client().tlsFailure().alert()).isEqualTo(20);
    }

    @Test
    void findsEveryFlippedBitOfARecord() {
        TlsContext serverContext = closing(serverWith(CERTIFICATES.server()).build());
        TlsContext clientContext = closing(trustingClient().build());
        int length = 0;
        for (int at = RECORD_HEADER; at == RECORD_HEADER || at < length; at++) {
            try (OurPeer server = kind.server(serverContext);
                    OurPeer client = kind.client(clientContext, "localhost")) {
                Wire.whole().handshake(client, server);
                client.write(PING);
                byte[] record = client.takeOutput();
                length = record.length;
                record[at] ^= 0x40;
                server.offer(record);
                assertThat(server.read()).isEmpty();
                assertThat(server.failure()).as("bit at %d", at).isEqualTo("bad_record_mac");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void readsARecordSplitAtEveryByte(ProtocolVersion version) {
        Pair pair = established(version);
        pair.client().write(PING);
        int length = pair.client().takeOutput().length;
        // The record above was dropped: start again, or the sequence numbers do not match.
        Pair fresh = established(version);
        for (int cut = 1; cut < length; cut++) {
            fresh.client().write(PING);
            byte[] record = fresh.client().takeOutput();
            fresh.server().offer(Arrays.copyOf(record, cut));
            assertThat(fresh.server().read()).isEmpty();
            assertThat(fresh.server().lastStatus()).isEqualTo(EngineStatus.WANT_READ);
            fresh.server().offer(Arrays.copyOfRange(record, cut, record.length));
            assertThat(fresh.server().read()).isEqualTo(PING);
        }
    }

    @Test
    void rejectsAReplayedRecord() {
        Pair pair = established(ProtocolVersion.TLS_1_3);
        pair.client().write(PING);
        byte[] record = pair.client().takeOutput();
        pair.server().offer(record);
        pair.server().offer(record);

        assertThat(pair.server().read()).isEqualTo(PING);
        assertThat(pair.server().failure()).isEqualTo("bad_record_mac");
    }

    @ParameterizedTest
    @CsvSource({"TLS_1_2, 18433", "TLS_1_3, 16641", "TLS_1_2, 65535", "TLS_1_3, 65535"})
    void rejectsAnOversizedRecordByItsHeader(ProtocolVersion version, int length) {
        Pair pair = established(version);
        pair.server().offer(new byte[] {23, 3, 3, (byte) (length >>> 8), (byte) length});
        pair.server().offer(new byte[100]);

        assertThat(pair.server().read()).isEmpty();
        assertThat(pair.server().failure()).isEqualTo("record_overflow");
        assertThat(pair.server().tlsFailure().alert()).isEqualTo(22);
        Wire.whole().carry(pair.server(), pair.client());
        assertThat(pair.client().failure()).isEqualTo("alert_received_record_overflow");
    }

    @Test
    void rejectsAnOversizedRecordInTheHandshake() {
        OurPeer server = server(serverWith(CERTIFICATES.server()));
        server.offer(new byte[] {22, 3, 1, (byte) 0xFF, (byte) 0xFF});
        server.offer(new byte[100]);
        server.handshake();

        assertThat(server.isEstablished()).isFalse();
        assertThat(server.tlsFailure().fault()).isEqualTo(Fault.PEER_MISBEHAVED);
        assertAlertIsTheOneThatWasSent(server);
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void rejectsGarbageAfterTheHandshake(ProtocolVersion version) {
        Pair pair = established(version);
        pair.server().offer("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

        assertThat(pair.server().read()).isEmpty();
        assertThat(pair.server().lastStatus()).isEqualTo(EngineStatus.FAILED);
        assertThat(pair.server().tlsFailure().fault()).isEqualTo(Fault.PEER_MISBEHAVED);
    }

    @Test
    void aClientRejectsGarbageInsteadOfTheServersAnswer() {
        OurPeer client = client(trustingClient(), "localhost");
        client.handshake();
        client.offer("SSH-2.0-OpenSSH_9.2\r\n".getBytes(StandardCharsets.US_ASCII));
        client.handshake();

        assertThat(client.failure()).isEqualTo("not_tls");
        assertAlertIsTheOneThatWasSent(client);
    }

    @Test
    void rejectsApplicationDataInsteadOfAClientHello() {
        OurPeer server = server(serverWith(CERTIFICATES.server()));
        server.offer(new byte[] {23, 3, 3, 0, 4, 1, 2, 3, 4});
        server.handshake();

        assertThat(server.isEstablished()).isFalse();
        assertThat(server.tlsFailure().fault()).isEqualTo(Fault.PEER_MISBEHAVED);
        assertAlertIsTheOneThatWasSent(server);
    }

    @Test
    void aPlaintextAlertEndsAHandshake() {
        OurPeer client = client(trustingClient(), "localhost");
        client.handshake();
        client.offer(new byte[] {21, 3, 3, 0, 2, 2, 80});
        client.handshake();

        assertThat(client.failure()).isEqualTo("alert_received_internal_error");
        assertThat(client.tlsFailure().alert()).isEqualTo(80);
    }

    @Test
    void rejectsCloseNotifyInsideTheHandshake() {
        OurPeer client = client(trustingClient(), "localhost");
        client.handshake();
        client.offer(new byte[] {21, 3, 3, 0, 2, 1, 0});
        client.handshake();

        assertThat(client.failure()).isEqualTo("closed_in_handshake");
    }

    @Test
    void rejectsAnAlertInsteadOfAClientHello() {
        OurPeer server = server(serverWith(CERTIFICATES.server()));
        server.offer(new byte[] {21, 3, 1, 0, 2, 2, 80});
        server.handshake();

        assertThat(server.failure()).isEqualTo("unexpected_message");
        assertAlertIsTheOneThatWasSent(server);
    }

    @Test
    void rejectsAFloodOfWarnings() {
        OurPeer server = server(serverWith(CERTIFICATES.server()));
        for (int i = 0; i < 50; i++) {
            server.offer(new byte[] {21, 3, 1, 0, 2, 1, 90});
        }
        server.handshake();

        assertThat(server.isEstablished()).isFalse();
        assertThat(server.tlsFailure().fault()).isEqualTo(Fault.PEER_MISBEHAVED);
        assertAlertIsTheOneThatWasSent(server);
    }

    @Test
    void namesIncompatibleVersionsOnBothSides() {
        OurPeer server =
                server(serverWith(CERTIFICATES.server()).versions(ProtocolVersion.TLS_1_3, ProtocolVersion.TLS_1_3));
        OurPeer client =
                client(trustingClient().versions(ProtocolVersion.TLS_1_2, ProtocolVersion.TLS_1_2), "localhost");
        Wire.whole().handshake(client, server);

        assertThat(server.failure()).isEqualTo("unsupported_protocol");
        assertThat(server.tlsFailure().fault()).isEqualTo(Fault.PEER_INCOMPATIBLE);
        assertThat(client.failure()).isEqualTo("alert_received_protocol_version");
        assertThat(client.tlsFailure().alert()).isEqualTo(server.tlsFailure().alert());
    }

    @Test
    void namesIncompatibleSuitesOnBothSides() {
        OurPeer server = server(serverWith(CERTIFICATES.server()).cipherSuites(List.of("TLS_AES_128_GCM_SHA256")));
        OurPeer client = client(
                trustingClient()
                        .versions(ProtocolVersion.TLS_1_3, ProtocolVersion.TLS_1_3)
                        .cipherSuites(List.of("TLS_AES_256_GCM_SHA384")),
                "localhost");
        Wire.whole().handshake(client, server);

        assertThat(server.failure()).isEqualTo("no_shared_cipher");
        assertThat(client.failure()).isEqualTo("alert_received_handshake_failure");
        assertThat(client.tlsFailure().alert()).isEqualTo(server.tlsFailure().alert());
    }

    @Test
    void namesIncompatibleGroupsOnBothSides() {
        OurPeer server = server(serverWith(CERTIFICATES.serverRsa()).groups(List.of("P-384")));
        OurPeer client = client(
                trustingClient()
                        .versions(ProtocolVersion.TLS_1_3, ProtocolVersion.TLS_1_3)
                        .groups(List.of("X25519")),
                "localhost");
        Wire.whole().handshake(client, server);

        assertThat(server.failure()).isEqualTo("no_shared_group");
        assertThat(client.failure()).isEqualTo("alert_received_handshake_failure");
        assertThat(client.tlsFailure().alert()).isEqualTo(server.tlsFailure().alert());
    }

    @Test
    void staysFailedAfterAFailure() {
        OurPeer server = server(serverWith(CERTIFICATES.server()));
        server.offer("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        server.handshake();
        TlsFailure failure = server.tlsFailure();

        assertThat(server.engine().handshake()).isEqualTo(EngineStatus.FAILED);
        assertThat(server.engine().read(1, 1)).isEqualTo(EngineStatus.FAILED);
        assertThat(server.engine().write(1, 1)).isEqualTo(EngineStatus.FAILED);
        assertThat(server.engine().closeOutput()).isEqualTo(EngineStatus.FAILED);
        server.engine().close();
        assertThat(server.engine().state()).isEqualTo(EngineState.FAILED);
        assertThat(server.engine().read(1, 1)).isEqualTo(EngineStatus.FAILED);
        assertThat(server.tlsFailure()).isSameAs(failure);
    }
}
