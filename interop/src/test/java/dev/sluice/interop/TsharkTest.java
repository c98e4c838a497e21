package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.TlsClient;
import dev.sluice.interop.fixture.Tshark;
import dev.sluice.interop.fixture.Tshark.Plaintext;
import dev.sluice.interop.fixture.Wiretap;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Wireshark reads what the gateway and OpenSSL have said to each other, with the secrets that OpenSSL has logged: a
 * third implementation finds in the gateway's records what was meant, before and behind each change of keys.
 */
class TsharkTest extends GatewayTest {
    /** So few that a connection of TLS 1.3 sees changes of keys that the gateway begins. */
    private static final int RECORDS_PER_KEY = 4;

    private static final int LINES = 12;
    private static final int LINES_PER_UPDATE = 6;

    /** The updates that OpenSSL asks for, and the gateway's answers. */
    private static final long UPDATES_ASKED_FOR = 2L * LINES / LINES_PER_UPDATE;

    private static final List<String> VERSIONS = List.of("-tls1_3", "-tls1_2");

    private final ForeignProgram openssl = ForeignProgram.required("openssl", "openssl");

    @TempDir
    Path directory = Path.of("");

    @Test
    void whatClientsAndTheGatewaySayIsReadByWireshark() throws IOException {
        GatewayProcess gateway = gateway(GatewaySetup.before(backend(Backend.echoing()), transport)
                .javaOption("-Dsluice.tls.records-per-key=" + RECORDS_PER_KEY)
                .listener("handshake: lean")
                .furtherListener("handshake: libssl"));
        for (int port : gateway.ports()) {
            for (String version : VERSIONS) {
                assertIsRead(port, version, directory.resolve(port + version));
            }
        }
    }

    private void assertIsRead(int gateway, String version, Path file) throws IOException {
        Path keys = Path.of(file + ".keys");
        StringBuilder said = new StringBuilder();
        try (Wiretap tap = Wiretap.before(gateway);
                RunningProgram client = client(tap.port(), version, keys)) {
            for (int i = 0; i < LINES; i++) {
                String line = "line " + i + " of the client\n";
                client.type(line);
                client.awaitOutput(line, LONG);
                said.append(line);
                if (updates(version, i)) {
                    updateKeys(client, "KEYUPDATE");
                }
            }
            client.type("Q\n");
            client.awaitExit(LONG);
            tap.capture(file);
        }
        assertReads(version, Tshark.decrypt(file, keys), said.toString(), said.toString());
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void whatTheGatewayAndABackendSayIsReadByWireshark(String version) throws IOException {
        int port = FreePort.onLoopback();
        Path keys = directory.resolve("keys");
        Path capture = directory.resolve("capture");
        StringBuilder said = new StringBuilder();
        StringBuilder answered = new StringBuilder();
        try (RunningProgram server = server(port, version, keys);
                Wiretap tap = Wiretap.before(port)) {
            GatewayProcess gateway = gateway(GatewaySetup.before("127.0.0.1:" + tap.port(), transport)
                    .javaOption("-Dsluice.tls.records-per-key=" + RECORDS_PER_KEY)
                    .backendKey("tls: {ca: " + TestCertificates.shared().rootFile() + ", server-name: localhost}"));
            try (SSLSocket client = TlsClient.connect(gateway.port())) {
                for (int i = 0; i < LINES; i++) {
                    String question = "question " + i + "\n";
                    client.getOutputStream().write(question.getBytes(StandardCharsets.UTF_8));
                    server.awaitOutput(question, LONG);
                    said.append(question);
                    if (updates(version, i)) {
                        updateKeys(server, "SSL_do_handshake ->");
                    }
                    String answer = "answer " + i + "\n";
                    server.type(answer);
                    assertThat(client.getInputStream().readNBytes(answer.length()))
                            .asString(StandardCharsets.UTF_8)
                            .isEqualTo(answer);
                    answered.append(answer);
                }
            }
            tap.capture(capture);
        }
        assertReads(version, Tshark.decrypt(capture, keys), said.toString(), answered.toString());
    }

    private static void assertReads(String version, Plaintext plaintext, String toServer, String toClient) {
        assertThat(plaintext.toServer()).isEqualTo(toServer);
        assertThat(plaintext.toClient()).isEqualTo(toClient);
        if (version.equals("-tls1_3")) {
            assertThat(plaintext.keyUpdates()).isGreaterThan(UPDATES_ASKED_FOR);
        }
    }

    private static boolean updates(String version, int line) {
        return version.equals("-tls1_3") && line % LINES_PER_UPDATE == 0;
    }

    /** OpenSSL's programs take a letter for a command only where nothing else comes with it: waits for the answer. */
    private static void updateKeys(RunningProgram program, String said) throws IOException {
        int before = times(said, program);
        program.type("K\n");
        Waiting.until(LONG, () -> times(said, program) > before, () -> "no '" + said + "' from " + program);
    }

    private static int times(String said, RunningProgram program) {
        return (program.output() + program.errors()).split(said, -1).length;
    }

    private RunningProgram client(int port, String version, Path keys) {
        String root = TestCertificates.shared().rootFile().toString();
        return openssl.command(
                        "s_client",
                        version,
                        "-connect",
                        "127.0.0.1:" + port,
                        "-servername",
                        "localhost",
                        "-CAfile",
                        root,
                        "-keylogfile",
                        keys.toString())
                .inputStaysOpen()
                .start();
    }

    private RunningProgram server(int port, String version, Path keys) {
        Credential credential = TestCertificates.shared().server();
        RunningProgram server = openssl.command(
                        "s_server",
                        version,
                        "-accept",
                        "127.0.0.1:" + port,
                        "-cert",
                        credential.chainFile().toString(),
                        "-key",
                        credential.keyFile().toString(),
                        "-naccept",
                        "1",
                        "-keylogfile",
                        keys.toString())
                .inputStaysOpen()
                .start();
        server.awaitOutput("ACCEPT", LONG);
        return server;
    }
}
