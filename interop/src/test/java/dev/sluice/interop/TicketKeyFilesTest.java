package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.HttpBackend;
import dev.sluice.interop.fixture.SessionClient;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.interop.fixture.TlsServer;
import dev.sluice.interop.fixture.Transport;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients move from nginx or HAProxy to Sluice, and back, and their sessions with them. */
class TicketKeyFilesTest {
    /**
     * The suites that browsers prefer, a choice which nginx leaves to them. The hash of a TLS 1.3 session is that of
     * its suite.
     */
    private static final String SUITES = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384";

    private static final String TLS12_SUITES = "ECDHE-ECDSA-AES256-GCM-SHA384, ECDHE-ECDSA-AES128-GCM-SHA256";
    private static final String NGINX_SUITES =
            "ciphers: [TLS_AES_128_GCM_SHA256, TLS_AES_256_GCM_SHA384, " + TLS12_SUITES + "]";

    /** HAProxy has an order of its own. */
    private static final String HAPROXY_SUITES =
            "ciphers: [TLS_AES_256_GCM_SHA384, TLS_AES_128_GCM_SHA256, " + TLS12_SUITES + "]";

    private final SplittableRandom random = new SplittableRandom(7);
    private final Backend backend = HttpBackend.start();
    private Path keys = Path.of("");

    @TempDir
    private Path directory = Path.of("");

    @BeforeEach
    void makeDirectory() throws IOException {
        keys = Files.createDirectory(directory.resolve("keys"));
    }

    @AfterEach
    void close() {
        backend.close();
    }

    private byte[] key(int bytes) {
        byte[] key = new byte[bytes];
        random.nextBytes(key);
        return key;
    }

    private GatewayProcess gateway(String server) {
        return GatewayProcess.start(GatewaySetup.before(backend, Transport.EPOLL)
                .listener(server.equals("haproxy") ? HAPROXY_SUITES : NGINX_SUITES)
                .with("tickets: {store: \"file:" + keys + "\", shared-with: " + server + "}"));
    }

    @ParameterizedTest
    @ValueSource(ints = {48, 80})
    void sessionsMoveBetweenNginxAndSluice(int keyBytes) throws IOException {
        Path key = Files.write(keys.resolve("nginx.key"), key(keyBytes));
        try (TlsServer nginx = TlsServer.nginx(key);
                GatewayProcess gateway = gateway("nginx")) {
            assertSessionsMove(nginx.port(), gateway.port());
        }
    }

    @Test
    void sessionsMoveBetweenNginxsStreamModuleAndSluice() throws IOException {
        Path key = Files.write(keys.resolve("nginx.key"), key(80));
        try (TlsServer nginx = TlsServer.nginxStream(key, backend.address());
                GatewayProcess gateway = gateway("nginx-stream")) {
            assertSessionsMove(nginx.port(), gateway.port());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {48, 80})
    void sessionsMoveBetweenHaproxyAndSluice(int keyBytes) throws IOException {
        String lines = IntStream.range(0, 3)
                .mapToObj(i -> Base64.getEncoder().encodeToString(key(keyBytes)))
                .collect(Collectors.joining("\n", "", "\n"));
        Path file = Files.writeString(keys.resolve("haproxy.keys"), lines);
        try (TlsServer haproxy = TlsServer.haproxy(file);
                GatewayProcess gateway = gateway("haproxy")) {
            assertSessionsMove(haproxy.port(), gateway.port());
        }
    }

    private void assertSessionsMove(int other, int gateway) {
        for (String version : new String[] {"-tls1_2", "-tls1_3"}) {
            assertMoves(version, other, gateway);
            assertMoves(version, gateway, other);
            assertMoves(version, gateway, gateway);
        }
    }

    private void assertMoves(String version, int from, int to) {
        String session = directory.resolve("session").toString();
        assertThat(SessionClient.get(from, version, "-ciphersuites", SUITES, "-sess_out", session))
                .contains("New, TLSv1", "HTTP/1.1 200");
        assertThat(SessionClient.get(to, version, "-ciphersuites", SUITES, "-sess_in", session))
                .as("from " + from + " to " + to)
                .contains("Reused, TLSv1", "HTTP/1.1 200");
    }

    /** A key alone is not enough: the session must have been made under the same certificate. */
    @Test
    void aSessionOfNginxUnderAnotherCertificateIsNotResumed() throws IOException {
        Path key = Files.write(keys.resolve("nginx.key"), key(80));
        try (TlsServer nginx = TlsServer.nginx(key);
                GatewayProcess gateway = GatewayProcess.start(GatewaySetup.before(backend, Transport.EPOLL)
                        .presenting(TestCertificates.shared().serverRsa())
                        .with("tickets: {store: \"file:" + keys + "\", shared-with: nginx}"))) {
            String session = directory.resolve("session").toString();
            SessionClient.get(nginx.port(), "-tls1_3", "-ciphersuites", SUITES, "-sess_out", session);
            assertThat(SessionClient.get(gateway.port(), "-tls1_3", "-ciphersuites", SUITES, "-sess_in", session))
                    .contains("New, TLSv1", "HTTP/1.1 200");
        }
    }

    /** So that keys can be taken along from one to the other by hand, too. */
    @Test
    void keysThatAreExportedAreHaproxysAndThoseOfOthersAreImported() throws IOException {
        Path socket = directory.resolve("admin");
        Path exported = directory.resolve("exported");
        GatewaySetup setup = GatewaySetup.before(backend, Transport.EPOLL)
                .listener(HAPROXY_SUITES)
                .with("tickets: {shared-with: haproxy}")
                .with("admin: unix:" + socket);
        String session = directory.resolve("session").toString();
        try (GatewayProcess gateway = GatewayProcess.start(setup)) {
            tickets(socket, "export", exported.toString());
            try (TlsServer haproxy = TlsServer.haproxy(tripled(exported))) {
                assertMoves("-tls1_3", gateway.port(), haproxy.port());
            }
            SessionClient.get(gateway.port(), "-tls1_3", "-sess_out", session);
        }
        try (GatewayProcess successor = GatewayProcess.start(setup)) {
            tickets(socket, "import", exported.toString());
            assertThat(SessionClient.get(successor.port(), "-tls1_3", "-sess_in", session))
                    .contains("Reused, TLSv1.3");
        }
    }

    private static void tickets(Path socket, String verb, String file) {
        Sluice.command("tickets", verb, "--admin", socket.toString(), file)
                .run()
                .expectSuccess();
    }

    /** HAProxy wants three keys; the oldest may stand twice. */
    private static Path tripled(Path file) throws IOException {
        String[] lines = Files.readString(file).split("\n");
        return Files.writeString(
                file.resolveSibling("three"),
                lines[0] + "\n" + Arrays.stream(lines).collect(Collectors.joining("\n", "", "\n")));
    }
}
