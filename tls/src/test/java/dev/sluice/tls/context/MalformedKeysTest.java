package dev.sluice.tls.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.tls.Wire;
import dev.sluice.tls.engine.EngineKind;
import dev.sluice.tls.engine.OurPeer;
import dev.sluice.tls.failure.Fault;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with certificates and key shares modified in transit, where they are in plaintext. */
final class MalformedKeysTest extends EngineConformance {
    private static final int RECORD_HEADER = 5;
    private static final int MESSAGE_HEADER = 4;
    private static final int HANDSHAKE = 22;
    private static final int CERTIFICATE = 11;
    private static final int CLIENT_KEY_EXCHANGE = 16;
    private static final int KEY_SHARE = 51;
    private static final int X25519_BYTES = 32;
    private static final int P256_BYTES = 65;
    private static final int MLKEM768_BYTES = 1184;

    MalformedKeysTest() {
        super(EngineKind.MEMORY);
    }

    /**
     * Blames the client for its malformed certificate.
     *
     * @param damaged index of the changed byte: the tag or the length of the outermost or an inner value
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 2, 20})
    void blamesTheClientForItsMalformedCertificate(int damaged) {
        OurPeer server = server(serverWith(CERTIFICATES.server())
                .clientAuthentication(ClientAuthentication.REQUIRED, CERTIFICATES.rootFile()));
        OurPeer client = client(
                oldClient()
                        .certificate(
                                CERTIFICATES.client().chainFile(),
                                CERTIFICATES.client().keyFile()),
                "localhost");
        client.handshake();
        Wire.whole().carryHandshake(client, server);
        Wire.whole().carryHandshake(server, client);
        byte[] flight = client.takeOutput();
        damageCertificate(flight, damaged);
        takes(server, flight);

        assertBlamed(server, "malformed_certificate");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 20})
    void blamesTheServerForItsMalformedCertificate(int damaged) {
        OurPeer server = server(serverWith(CERTIFICATES.server()));
        OurPeer client = client(oldClient(), "localhost");
        client.handshake();
        Wire.whole().carryHandshake(client, server);
        byte[] flight = server.takeOutput();
        damageCertificate(flight, damaged);
        takes(client, flight);

        assertBlamed(client, "malformed_certificate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLS_1_2", "TLS_1_3"})
    void blamesThePeerForAPointOffTheCurve(ProtocolVersion version) {
        OurPeer server = server(serverWith(CERTIFICATES.server()).groups(List.of("P-256")));
        OurPeer client = client(trustingClient().versions(version, version).groups(List.of("P-256")), "localhost");
        client.handshake();
        boolean old = version == ProtocolVersion.TLS_1_2;
        if (old) {
            Wire.whole().carryHandshake(client, server);
            Wire.whole().carryHandshake(server, client);
        }
        byte[] flight = client.takeOutput();
        int point = old ? messageAt(flight, CLIENT_KEY_EXCHANGE) + MESSAGE_HEADER + 1 : keyShareAt(flight, P256_BYTES);
        flight[point + 5] ^= 1;
        takes(server, flight);

        assertBlamed(server, "bad_key_share");
    }

    /** Blames the peer for a key share of zeros, which gives zero for every private key: RFC 7748 section 6.1. */
    @ParameterizedTest
    @ValueSource(strings = {"X25519", "X25519MLKEM768"})
    void blamesThePeerForAKeyShareOfZeros(String group) {
        assumeThat(OpenSsl.require().supportsGroup(group)).isTrue();
        OurPeer server = server(serverWith(CERTIFICATES.server()).groups(List.of(group)));
        OurPeer client = client(newClient().groups(List.of(group)), "localhost");
        client.handshake();
        byte[] hello = client.takeOutput();
        int shareBytes = group.equals("X25519") ? X25519_BYTES : MLKEM768_BYTES + X25519_BYTES;
        int end = keyShareAt(hello, shareBytes) + shareBytes;
        Arrays.fill(hello, end - X25519_BYTES, end, (byte) 0);
        takes(server, hello);

        assertBlamed(server, "bad_key_share");
    }

    private static ClientContextBuilder oldClient() {
        return trustingClient().versions(ProtocolVersion.TLS_1_2, ProtocolVersion.TLS_1_2);
    }

    private static ClientContextBuilder newClient() {
        return trustingClient().versions(ProtocolVersion.TLS_1_3, ProtocolVersion.TLS_1_3);
    }

    private static void takes(OurPeer peer, byte[] flight) {
        peer.takeOutput();
        peer.offer(flight);
        peer.handshake();
    }

    private static void assertBlamed(OurPeer peer, String reason) {
        assertThat(peer.failure()).isEqualTo(reason);
        assertThat(peer.tlsFailure().fault()).isEqualTo(Fault.PEER_MISBEHAVED);
        byte[] alert = peer.takeOutput();
        assertThat(alert).as("one alert").startsWith(21, 3, 3, 0, 2, 2).hasSize(7);
        assertThat(peer.tlsFailure().alert()).isEqualTo(alert[6]);
    }

    private static void damageCertificate(byte[] flight, int at) {
        int lengths = 3 + 3; // of the list, and of the first certificate: RFC 5246 section 7.4.2
        flight[messageAt(flight, CERTIFICATE) + MESSAGE_HEADER + lengths + at] ^= (byte) 0x55;
    }

    private static int messageAt(byte[] flight, int type) {
        for (int at = 0; at < flight.length; at += RECORD_HEADER + number(flight, at + 3, 2)) {
            int end = at + RECORD_HEADER + number(flight, at + 3, 2);
            for (int message = at + RECORD_HEADER; flight[at] == HANDSHAKE && message < end; ) {
                if (flight[message] == type) {
                    return message;
                }
                message += MESSAGE_HEADER + number(flight, message + 1, 3);
            }
        }
        throw new AssertionError("no message of type " + type);
    }

    /** Returns the position of the only share in a ClientHello: RFC 8446 section 4.2.8. */
    private static int keyShareAt(byte[] hello, int shareBytes) {
        for (int at = 0; at + 10 + shareBytes <= hello.length; at++) {
            boolean lengthsFit = number(hello, at + 2, 2) == shareBytes + 6
                    && number(hello, at + 4, 2) == shareBytes + 4
                    && number(hello, at + 8, 2) == shareBytes;
            if (number(hello, at, 2) == KEY_SHARE && lengthsFit) {
                return at + 10;
            }
        }
        throw new AssertionError("no share of " + shareBytes + " bytes");
    }

    private static int number(byte[] bytes, int at, int length) {
        int value = 0;
        for (int i = 0; i < length; i++) {
            value = value << Byte.SIZE | (bytes[at + i] & 0xFF);
        }
        return value;
    }
}
