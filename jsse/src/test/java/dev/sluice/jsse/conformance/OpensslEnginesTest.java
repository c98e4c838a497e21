package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Engines with {@code openssl s_client} and {@code s_server} as their peers. */
@ParameterizedClass
@MethodSource("onePerProvider")
final class OpensslEnginesTest {
    private static final ForeignProgram OPENSSL = ForeignProgram.required("openssl", "openssl");
    private static final String HOST = "127.0.0.1";

    /** The provider of both roles, since the peer is neither. */
    private final ProviderPair pair;

    OpensslEnginesTest(ProviderPair pair) {
        this.pair = pair;
    }

    static List<ProviderPair> onePerProvider() {
        return ProviderPair.all().stream()
                .filter(each -> each.client() == each.server())
                .toList();
    }

    @Test
    void clientTalksToOpensslServer() throws IOException {
        withServer(List.of(), socket -> {
            EnginePeer client = peer(pair.clientEngine(JsseContexts.client(pair.client())));
            completeHandshake(client, socket);
            client.send("abcdef\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(plainLine(client, socket)).isEqualTo("fedcba\n");
            client.engine().closeOutbound();
            pump(client, socket);
        });
    }

    /** Connects to an {@code openssl s_server} that sends lines back reversed. */
    private static void withServer(List<String> options, Conversation conversation) throws IOException {
        int port = FreePort.onLoopback();
        Credential server = JsseContexts.AUTHORITY.server();
        List<String> arguments = new ArrayList<>(List.of("s_server", "-rev", "-accept", HOST + ":" + port));
        arguments.addAll(List.of(
                "-cert", server.chainFile().toString(), "-key", server.keyFile().toString()));
        arguments.addAll(options);
        try (RunningProgram program =
                OPENSSL.command(arguments.toArray(String[]::new)).start()) {
            program.awaitOutput("ACCEPT", Waiting.LIMIT);
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                conversation.run(socket);
            }
        }
    }

    /** A conversation of an engine over a socket. */
    private interface Conversation {
        void run(Socket socket) throws IOException;
    }

    private static void completeHandshake(EnginePeer peer, Socket socket) throws IOException {
        while (peer.engine().getSession().getProtocol().equals("NONE")) {
            receive(peer, socket);
        }
    }

    @Test
    void trustManagersSeeStapledResponses(@TempDir Path directory) throws IOException {
        // The shortest OCSP response there is: tryLater (RFC 6960 section 4.2.1).
        byte[] response = {0x30, 0x03, 0x0A, 0x01, 0x03};
        Path file = Files.write(directory.resolve("response.der"), response);
        List<byte[]> seen = new ArrayList<>();
        WatchingTrustManager trust = new WatchingTrustManager() {
            @Override
            void onCheck(SSLEngine engine) {
                seen.addAll(((ExtendedSSLSession) engine.getHandshakeSession()).getStatusResponses());
            }
        };
        withServer(List.of("-status_file", file.toString()), socket -> {
            EnginePeer client = peer(pair.clientEngine(JsseContexts.newClient(pair.client(), trust)));
            completeHandshake(client, socket);
        });
        if (pair.isTls13()) {
            assertThat(seen).hasSize(1);
        } else {
            Difference.STAPLE_UNDER_TLS12.check(pair.client(), seen.isEmpty() ? "not yet seen" : "seen");
        }
        assertThat(seen).allMatch(each -> Arrays.equals(each, response));
    }

    private static EnginePeer peer(SSLEngine engine) throws IOException {
        engine.beginHandshake();
        return new EnginePeer(engine);
    }

    /** Steps until the engine needs bytes of the peer, and writes what it has to send. */
    private static void pump(EnginePeer peer, Socket socket) throws IOException {
        boolean progress = true;
        while (progress) {
            progress = peer.step();
        }
        socket.getOutputStream().write(peer.takeOutgoing());
        assertThat(peer.failure()).isNull();
    }

    private static void receive(EnginePeer peer, Socket socket) throws IOException {
        pump(peer, socket);
        byte[] buffer = new byte[20_000];
        int length = socket.getInputStream().read(buffer);
        assertThat(length).as("bytes of the peer").isPositive();
        peer.receive(Arrays.copyOf(buffer, length));
        pump(peer, socket);
    }

    private static String plainLine(EnginePeer peer, Socket socket) throws IOException {
        String line = new String(peer.takePlain(), StandardCharsets.US_ASCII);
        while (!line.endsWith("\n")) {
            receive(peer, socket);
            line += new String(peer.takePlain(), StandardCharsets.US_ASCII);
        }
        return line;
    }

    /** Under TLS 1.3 the client asks for new keys, by its command K. */
    @Test
    void serverTalksToOpensslClient() throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RunningProgram program = OPENSSL.command(
                                "s_client",
                                "-connect",
                                HOST + ":" + listening.getLocalPort(),
                                "-CAfile",
                                JsseContexts.AUTHORITY.rootFile().toString(),
                                "-verify_return_error")
                        .inputStaysOpen()
                        .start();
                Socket socket = listening.accept()) {
            EnginePeer server = peer(pair.serverEngine(JsseContexts.server(pair.server())));
            completeHandshake(server, socket);
            program.type("one\n");
            assertThat(plainLine(server, socket)).isEqualTo("one\n");
            if (pair.isTls13()) {
                program.type("K\n");
                program.awaitOutput("KEYUPDATE", Waiting.LIMIT);
            }
            program.type("two\n");
            assertThat(plainLine(server, socket)).isEqualTo("two\n");
            server.send("answer\n".getBytes(StandardCharsets.US_ASCII));
            pump(server, socket);
            program.awaitOutput("answer", Waiting.LIMIT);
            program.type("Q\n");
            while (!server.engine().isInboundDone()) {
                receive(server, socket);
            }
        }
    }
}
