package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.context.EngineConformance;
import dev.sluice.tls.context.TlsContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the engine over real sockets with the command-line programs that operators use. */
class ForeignProgramsTest extends EngineConformance {
    private static final Duration LIMIT = Waiting.LIMIT;
    private static final int SOCKET_TIMEOUT_MILLIS = 60_000;
    private static final int RECORD_OVERHEAD = 5 + 1 + 16; // header, inner type, tag
    private static final int KEY_UPDATE_BYTES = 5;
    private static final int KEY_UPDATE_BODY = KEY_UPDATE_BYTES + 1 + 16;

    ForeignProgramsTest() {
        super(EngineKind.MEMORY);
    }

    @ParameterizedTest
    @CsvSource({"-tls1_2, TLSv1.2", "-tls1_3, TLSv1.3"})
    void opensslClientVerifiesTheServer(String flag, String version) throws IOException {
        ForeignProgram openssl = ForeignProgram.required("openssl", "openssl");
        OurPeer server = server(serverWith(CERTIFICATES.server()).alpn(List.of("h2")));
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RunningProgram client = openssl.command(
                                "s_client",
                                flag,
                                "-connect",
                                "127.0.0.1:" + listener.getLocalPort(),
                                "-servername",
                                "localhost",
                                "-verify_hostname",
                                "localhost",
                                "-verify_return_error",
                                "-alpn",
                                "h2",
                                "-CAfile",
                                CERTIFICATES.rootFile().toString())
                        .input("ping")
                        .inputStaysOpen()
                        .start();
                Socket socket = listener.accept()) {
            socket.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
            assertThat(readUntil(socket, server, "ping")).isEqualTo("ping");
            client.awaitOutput("Verify return code: 0 (ok)", LIMIT);

            assertThat(server.info().version()).isEqualTo(version);
            assertThat(client.output())
                    .contains("ALPN protocol: h2")
                    .contains(server.info().version());
        }
    }

    /** Uses the interactive commands K and k: update the client's keys, with or without a request for ours. */
    @Test
    void opensslClientUpdatesItsKeys() throws IOException {
        ForeignProgram openssl = ForeignProgram.required("openssl", "openssl");
        TlsContext context = closing(serverWith(CERTIFICATES.server()).build());
        OurPeer server = closing(EngineKind.DIRECT.server(context));
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RunningProgram client = openssl.command(
                                "s_client", "-tls1_3", "-connect", "127.0.0.1:" + listener.getLocalPort())
                        .inputStaysOpen()
                        .start();
                Socket socket = listener.accept()) {
            socket.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
            shakeHands(socket, server);
            client.awaitOutput("Verify return code", LIMIT); // accepts commands from here on

            command(client, "K", 1);
            client.type("asked\n");
            assertThat(readUntil(socket, server, "asked\n")).isEqualTo("asked\n");
            server.write("answered\n".getBytes(StandardCharsets.US_ASCII));
            byte[] answer = server.takeOutput();
            assertThat(answer).startsWith(23, 3, 3, 0, KEY_UPDATE_BODY);
            assertThat(answer).hasSize(2 * RECORD_OVERHEAD + KEY_UPDATE_BYTES + "answered\n".length());
            socket.getOutputStream().write(answer);
            client.awaitOutput("answered", LIMIT);

            command(client, "k", 2);
            client.type("told\n");
            assertThat(readUntil(socket, server, "told\n")).isEqualTo("told\n");
            server.write("noted\n".getBytes(StandardCharsets.US_ASCII));
            byte[] note = server.takeOutput();
            assertThat(note).hasSize(RECORD_OVERHEAD + "noted\n".length());
            socket.getOutputStream().write(note);
            client.awaitOutput("noted", LIMIT);
        }
    }

    private static void command(RunningProgram client, String command, int times) throws IOException {
        client.type(command + "\n");
        Waiting.until(
                LIMIT,
                () -> client.errors().split("KEYUPDATE", -1).length > times,
                () -> "no KEYUPDATE from " + client);
    }

    @Test
    void reachesAnOpensslServer() throws IOException {
        ForeignProgram openssl = ForeignProgram.required("openssl", "openssl");
        int port = FreePort.onLoopback();
        OurPeer client = client(trustingClient(), "localhost");
        try (RunningProgram server = openssl.command(
                        "s_server",
                        "-accept",
                        "127.0.0.1:" + port,
                        "-cert",
                        CERTIFICATES.server().chainFile().toString(),
                        "-key",
                        CERTIFICATES.server().keyFile().toString())
                .inputStaysOpen()
                .start()) {
            server.awaitOutput("ACCEPT", LIMIT);
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), SOCKET_TIMEOUT_MILLIS);
                socket.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
                shakeHands(socket, client);
                client.write("hello from sluice\n".getBytes(StandardCharsets.US_ASCII));
                send(socket, client);
                server.awaitOutput("hello from sluice", LIMIT);
            }
        }
        assertThat(client.info().peerSubject()).isEqualTo("CN=server");
    }

    @ParameterizedTest
    @CsvSource({"-tls1_3, 0, false", "-tls1_3, 1, true", "-tls1_3, 2, true", "-tls1_3, 4, true", "-tls1_2, 2, true"})
    void theDirectClientResumesWithAnOpensslServer(String version, String tickets, boolean resumes) throws IOException {
        ForeignProgram openssl = ForeignProgram.required("openssl", "openssl");
        int port = FreePort.onLoopback();
        TlsContext context = closing(trustingClient().build());
        List<String> arguments = new ArrayList<>(List.of("s_server", version, "-num_tickets", tickets, "-rev"));
        arguments.addAll(List.of("-accept", "127.0.0.1:" + port));
        arguments.addAll(List.of("-cert", CERTIFICATES.server().chainFile().toString()));
        arguments.addAll(List.of("-key", CERTIFICATES.server().keyFile().toString()));
        try (RunningProgram server = openssl.command(arguments.toArray(String[]::new))
                .inputStaysOpen()
                .start()) {
            server.awaitOutput("ACCEPT", LIMIT);
            TlsSession session = null;
            for (int connection = 0; connection < 3; connection++) {
                OurPeer client = closing(
                        session == null
                                ? EngineKind.DIRECT_CLIENT.client(context, "localhost")
                                : EngineKind.DIRECT_CLIENT.client(context, "localhost", session));
                assertThat(answered(client, port, "sluice\n", "eciuls\n")).isTrue(); // by -rev
                assertThat(client.info().resumed()).isEqualTo(resumes && connection > 0);
                session = client.engine().session();
                assertThat(session != null).isEqualTo(resumes);
                Detach expected = resumes ? Detach.DIRECT : Detach.TICKET_AWAITED;
                assertThat(((DirectEngine) client.engine()).detached()).isEqualTo(expected);
                if (session != null) {
                    closing(session);
                }
            }
        }
    }

    @Test
    void resumesWithAGnutlsServer() throws IOException {
        ForeignProgram gnutls = ForeignProgram.required("gnutls-serv", "gnutls-bin");
        int port = FreePort.onLoopback();
        TlsContext context = closing(trustingClient().build());
        try (RunningProgram server = gnutls.command(
                        "--echo",
                        "--port",
                        String.valueOf(port),
                        "--x509certfile",
                        CERTIFICATES.serverRsa().chainFile().toString(),
                        "--x509keyfile",
                        CERTIFICATES.serverRsa().keyFile().toString())
                .inputStaysOpen()
                .start()) {
            server.awaitOutput("port " + port + "...done", LIMIT);
            TlsSession session = null;
            for (int connection = 0; connection < 3; connection++) {
                OurPeer client = closing(
                        session == null
                                ? EngineKind.DIRECT_CLIENT.client(context, "localhost")
                                : EngineKind.DIRECT_CLIENT.client(context, "localhost", session));
                assertThat(answered(client, port, "sluice\n", "sluice\n")).isTrue();
                assertThat(client.info().resumed()).isEqualTo(connection > 0);
                assertThat(((DirectEngine) client.engine()).detached()).isEqualTo(Detach.DIRECT);
                session = closing(Objects.requireNonNull(client.engine().session()));
            }
        }
    }

    /** Sends ten lines and checks the answers. */
    private static boolean answered(OurPeer client, int port, String line, String answer) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), SOCKET_TIMEOUT_MILLIS);
            socket.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
            shakeHands(socket, client);
            for (int i = 0; i < 10; i++) {
                client.write(line.getBytes(StandardCharsets.US_ASCII));
                send(socket, client);
                if (!readUntil(socket, client, answer).endsWith(answer)) {
                    return false;
                }
            }
        }
        return true;
    }

    @Test
    void gnutlsClientVerifiesTheServer() throws IOException {
        ForeignProgram gnutls = ForeignProgram.required("gnutls-cli", "gnutls-bin");
        OurPeer server = server(serverWith(CERTIFICATES.serverWithIntermediate()));
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RunningProgram client = gnutls.command(
                                "--x509cafile",
                                CERTIFICATES.rootFile().toString(),
                                "--port",
                                String.valueOf(listener.getLocalPort()),
                                "localhost")
                        .input("ping")
                        .inputStaysOpen()
                        .start();
                Socket socket = listener.accept()) {
            socket.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
            assertThat(readUntil(socket, server, "ping")).isEqualTo("ping");
            client.awaitOutput("Handshake was completed", LIMIT);

            assertThat(client.output()).contains("The certificate is trusted");
        }
    }

    private static void shakeHands(Socket socket, OurPeer peer) throws IOException {
        peer.handshake();
        send(socket, peer);
        while (!peer.isEstablished()) {
            receive(socket, peer);
            peer.handshake();
            send(socket, peer);
            assertThat(peer.failure()).isEmpty();
        }
    }

    private static String readUntil(Socket socket, OurPeer peer, String end) throws IOException {
        shakeHands(socket, peer);
        StringBuilder text = new StringBuilder(new String(peer.read(), StandardCharsets.US_ASCII));
        while (!text.toString().contains(end)) {
            receive(socket, peer);
            text.append(new String(peer.read(), StandardCharsets.US_ASCII));
            assertThat(peer.failure()).isEmpty();
        }
        return text.toString();
    }

    private static void receive(Socket socket, OurPeer peer) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] buffer = new byte[16_384];
        int count = in.read(buffer);
        if (count < 0) {
            peer.endOfStream();
        } else {
            peer.offer(Arrays.copyOf(buffer, count));
        }
    }

    private static void send(Socket socket, OurPeer peer) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(peer.takeOutput());
        out.flush();
    }
}
