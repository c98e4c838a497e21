package dev.sluice.gateway.proxyprotocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HAProxy, where the protocol comes from, reads what we write and writes what we read. */
class ProxyHeaderPeersTest {
    private static final Duration LIMIT = Waiting.LIMIT;

    private static final TlsFacts FACTS =
            new TlsFacts("TLSv1.3", "TLS_AES_128_GCM_SHA256", "X25519", "shop.example", "h2", "anna", true, true, 1234);

    @TempDir
    Path directory;

    @Test
    void haproxyReadsWhatWeWrite() throws Exception {
        int port = FreePort.onLoopback();
        String answer = "src=%[src] %[src_port] dst=%[dst] %[dst_port] authority=%[fc_pp_authority]";
        ProxyHeader four = header("192.0.2.7", "198.51.100.1", FACTS);
        ProxyHeader six = header("2001:db8::7", "2001:db8::1", FACTS);

        try (RunningProgram haproxy = haproxy(
                port,
                "accept-proxy",
                "http-request return status 200 content-type " + "text/plain lf-string \"" + answer + "\"")) {
            assertThat(ask(haproxy, port, four.toVersionTwo()))
                    .contains("src=192.0.2.7 56324 dst=198.51.100.1 443 authority=shop.example");
            assertThat(ask(haproxy, port, six.toVersionTwo()))
                    .contains("src=2001:db8::7 56324 dst=2001:db8::1 443 authority=shop.example");
            assertThat(ask(haproxy, port, four.toVersionOne())).contains("src=192.0.2.7 56324 dst=198.51.100.1 443");
            assertThat(ask(haproxy, port, six.toVersionOne())).contains("src=2001:db8::7 56324 dst=2001:db8::1 443");
            assertThat(ask(haproxy, port, ProxyHeader.UNKNOWN.toVersionTwo())).contains("src=127.0.0.1");
        }
    }

    @Test
    void weReadWhatHaproxyWrites() throws Exception {
        int port = FreePort.onLoopback();
        Credential server = TestCertificates.shared().server();
        Path pem = Files.writeString(
                directory.resolve("both.pem"),
                Files.readString(server.chainFile()) + Files.readString(server.keyFile()));
        try (ServerSocket backend = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String target = "server b 127.0.0.1:" + backend.getLocalPort()
                    + " send-proxy-v2-ssl-cn proxy-v2-options ssl-cipher,authority,crc32c,unique-id";
            try (RunningProgram haproxy = haproxy(port, "ssl crt " + pem + " alpn http/1.1", target);
                    RunningProgram client = client(haproxy, port)) {
                ProxyHeader header =
                        CompletableFuture.supplyAsync(() -> headerOf(backend)).get(LIMIT.toSeconds(), TimeUnit.SECONDS);

                assertThat(client.isRunning()).isTrue();
                assertThat(header.tls().version()).isEqualTo("TLSv1.3");
                assertThat(header.tls().cipher()).startsWith("TLS_");
                assertThat(header.tls().serverName()).isEqualTo("shop.example");
                assertThat(header.tls().alpn()).isEqualTo("http/1.1");
                assertThat(header.tls().clientCertificate()).isFalse();
                assertThat(header.destination())
                        .isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            }
        }
    }

    private static RunningProgram client(RunningProgram haproxy, int port) {
        awaitListening(haproxy, port);
        return ForeignProgram.required("openssl", "openssl")
                .command(
                        "s_client", "-connect", "127.0.0.1:" + port, "-servername", "shop.example", "-alpn", "http/1.1")
                .input("GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n")
                .inputStaysOpen()
                .start();
    }

    private static ProxyHeader headerOf(ServerSocket backend) {
        try (Socket accepted = backend.accept()) {
            return ProxyHeader.read(accepted.getInputStream());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private RunningProgram haproxy(int port, String bindOptions, String proxyLine) throws IOException {
        boolean answersItself = proxyLine.startsWith("http-request");
        Path config = Files.writeString(directory.resolve("haproxy-" + port + ".cfg"), """
                defaults
                  timeout connect 5s
                  timeout client 20s
                  timeout server 20s
                listen test
                  mode %s
                  bind 127.0.0.1:%d %s
                  %s
                """.formatted(
                        answersItself ? "http" : "tcp", port, bindOptions, proxyLine));
        return ForeignProgram.required("haproxy", "haproxy")
                .command("-db", "-f", config.toString())
                .start();
    }

    private static String ask(RunningProgram haproxy, int port, byte[] header) throws IOException {
        awaitListening(haproxy, port);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) LIMIT.toMillis());
            socket.getOutputStream().write(header);
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            InputStream input = socket.getInputStream();
            return new String(input.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static void awaitListening(RunningProgram haproxy, int port) {
        Waiting.until(LIMIT, () -> !haproxy.isRunning() || accepts(port), haproxy::toString);
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private static ProxyHeader header(String source, String destination, TlsFacts tls) throws IOException {
        return new ProxyHeader(
                new InetSocketAddress(InetAddress.ofLiteral(source), 56324),
                new InetSocketAddress(InetAddress.ofLiteral(destination), 443),
                tls);
    }
}
