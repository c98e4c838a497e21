package dev.sluice.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.context.EngineConformance;
import dev.sluice.tls.engine.EngineKind;
import dev.sluice.tls.engine.OurPeer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the key shares in a first ClientHello: a wrong choice costs a HelloRetryRequest and a round trip. */
final class KeyShareTest extends EngineConformance {
    private static final Duration LIMIT = Waiting.LIMIT;
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final String HYBRID = "X25519MLKEM768";
    private static final byte HANDSHAKE = 22;
    private static final int RECORD_HEADER = 5;
    private static final byte CLIENT_HELLO = 1;

    KeyShareTest() {
        super(EngineKind.MEMORY);
    }

    @ParameterizedTest
    @CsvSource({"x25519, 1", "secp256r1, 2"})
    void aJdkServerRetriesOnlyForOtherGroups(String group, int hellos) {
        OurPeer client = client(trustingClient(), "localhost");
        JdkPeer server = closing(JdkPeer.server(
                CERTIFICATES.server(),
                CERTIFICATES.rootCertificate(),
                parameters -> parameters.setNamedGroups(new String[] {group})));
        assertThat(clientHellos(client, server)).isEqualTo(hellos);
        assertThat(client.info().group()).isEqualToIgnoringCase(group.equals("x25519") ? "X25519" : "P-256");
    }

    @Test
    void avoidsARetryWithAnOpensslServerWithoutHybridGroups() throws IOException {
        int port = FreePort.onLoopback();
        List<String> arguments = new ArrayList<>(List.of("s_server", "-msg", "-tls1_3", "-groups", "X25519"));
        arguments.addAll(List.of("-accept", "127.0.0.1:" + port));
        arguments.addAll(List.of("-cert", CERTIFICATES.server().chainFile().toString()));
        arguments.addAll(List.of("-key", CERTIFICATES.server().keyFile().toString()));
        OurPeer client = client(trustingClient(), "localhost");
        try (RunningProgram server = ForeignProgram.required("openssl", "openssl")
                .command(arguments.toArray(String[]::new))
                .inputStaysOpen()
                .start()) {
            server.awaitOutput("ACCEPT", LIMIT);
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
                socket.setSoTimeout(TIMEOUT_MILLIS);
                shakeHands(socket, client);
            }
            server.awaitOutput("CIPHER is", LIMIT);
            assertThat(server.output().split(", ClientHello", -1)).hasSize(2);
        }
    }

    @Test
    void usesAHybridGroupWhereBothSupportIt() {
        assumeThat(OpenSsl.require().supportsGroup(HYBRID)).isTrue();
        OurPeer client = client(trustingClient(), "localhost");
        assertThat(clientHellos(client, server(serverWith(CERTIFICATES.server()))))
                .isEqualTo(1);
        assertThat(client.info().group()).isEqualTo(HYBRID);
    }

    @ParameterizedTest
    @ValueSource(strings = {"X25519", "P-256"})
    void sendsASingleGroupUnmarked(String group) {
        OurPeer client = client(trustingClient().groups(List.of(group, "P-384")), "localhost");
        assertThat(clientHellos(client, server(serverWith(CERTIFICATES.server()))))
                .isEqualTo(1);
        assertThat(client.info().group()).isEqualTo(group);
    }

    /** Checks that a server uses an offered share although both sides support a group that it prefers. */
    @Test
    void aServerAcceptsAnOfferedShareOverItsPreferredGroup() {
        assumeThat(OpenSsl.require().supportsGroup(HYBRID)).isTrue();
        OurPeer client = client(trustingClient().groups(List.of(HYBRID, "*X25519")), "localhost");
        assertThat(clientHellos(client, server(serverWith(CERTIFICATES.server()))))
                .isEqualTo(1);
        assertThat(client.info().group()).isEqualTo("X25519");
    }

    /** Completes a handshake; returns the number of ClientHellos. */
    private static int clientHellos(OurPeer client, Peer server) {
        int hellos = 0;
        for (int round = 0; round < 10; round++) {
            client.handshake();
            byte[] flight = client.takeOutput();
            hellos += startsWithClientHello(flight) ? 1 : 0;
            server.offer(flight);
            server.handshake();
            client.offer(server.takeOutput());
        }
        assertThat(client.isEstablished()).as(client.failure()).isTrue();
        assertThat(server.isEstablished()).as(server.failure()).isTrue();
        return hellos;
    }

    /** Returns whether a flight starts with a ClientHello, possibly after a ChangeCipherSpec. */
    private static boolean startsWithClientHello(byte[] flight) {
        int at = flight.length > 0 && flight[0] == 20 ? RECORD_HEADER + 1 : 0;
        return flight.length > at + RECORD_HEADER
                && flight[at] == HANDSHAKE
                && flight[at + RECORD_HEADER] == CLIENT_HELLO;
    }

    private static void shakeHands(Socket socket, OurPeer client) throws IOException {
        byte[] buffer = new byte[16_384];
        client.handshake();
        socket.getOutputStream().write(client.takeOutput());
        while (!client.isEstablished()) {
            int count = socket.getInputStream().read(buffer);
            assertThat(count).isPositive();
            client.offer(Arrays.copyOf(buffer, count));
            client.handshake();
            socket.getOutputStream().write(client.takeOutput());
            assertThat(client.failure()).isEmpty();
        }
    }
}
