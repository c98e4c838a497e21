package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.example.AsynchronousClient;
import dev.sluice.interop.example.Client;
import dev.sluice.interop.example.ConfiguredServer;
import dev.sluice.interop.example.EchoServer;
import dev.sluice.interop.example.FileServer;
import dev.sluice.interop.example.LineCounter;
import dev.sluice.interop.example.TlsEchoServer;
import dev.sluice.interop.fixture.Curl;
import dev.sluice.interop.fixture.HttpBackend;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.memory.Ledger;
import dev.sluice.net.channel.TlsChannel;
import dev.sluice.net.client.TlsClient;
import dev.sluice.net.server.TlsServer;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The programs that docs/guide/embedding.md shows or links do what the page says, and are what the page shows. */
class EmbeddingTest {
    private static final int BYTES = 10_000_000;
    private static final Pattern SNIPPET = Pattern.compile(" *// snippet: [^\n]*\n(.*?) *// end\n", Pattern.DOTALL);
    private static final Pattern SHOWN = Pattern.compile("```java\n(.*?)```\n", Pattern.DOTALL);

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @Test
    void theServerEchoesMoreThanItMayHold() throws IOException {
        Credential credential = TestCertificates.shared().server();
        byte[] sent = Arrays.copyOf(HttpBackend.pattern(), BYTES);
        try (TlsEchoServer server = new TlsEchoServer(credential.chainFile(), credential.keyFile());
                SSLSocket client = client(server)) {
            Thread.ofVirtual().start(() -> write(client, sent));

            assertThat(client.getInputStream().readNBytes(BYTES)).isEqualTo(sent);
        }
    }

    /**
     * TLS 1.2, which has no key updates: when one is due, the JDK's reader waits for its writer, and that one waits
     * here for what the server may hold.
     */
    private static SSLSocket client(TlsEchoServer server) throws IOException {
        int port = ((InetSocketAddress) server.address()).getPort();
        return dev.sluice.interop.fixture.TlsClient.over(dev.sluice.interop.fixture.TlsClient.raw(port), "TLSv1.2");
    }

    @Test
    void theClientTalksToTheEchoServer() throws IOException {
        Credential credential = TestCertificates.shared().server();
        try (TlsServer server = EchoServer.start(0, credential.chainFile(), credential.keyFile())) {
            assertThat(Client.ask(TestCertificates.shared().rootFile(), port(server), "hello"))
                    .isEqualTo("hello");
        }
    }

    private static int port(TlsServer server) {
        return server.address().getPort();
    }

    @Test
    void theFileServerServesCurlAndOpenssl(@TempDir Path directory) throws IOException {
        Credential credential = TestCertificates.shared().server();
        Path root = Files.createDirectory(directory.resolve("root"));
        byte[] content = Arrays.copyOf(HttpBackend.pattern(), 3_000_000);
        Files.write(root.resolve("file"), content);
        Files.writeString(root.resolve("text"), "from a file");
        Files.writeString(directory.resolve("secret"), "not served");
        try (TlsServer server = FileServer.start(0, credential.chainFile(), credential.keyFile(), root)) {
            String url = "https://localhost:" + port(server) + "/";

            assertThat(Curl.command(url + "file").run().expectSuccess().outputBytes())
                    .isEqualTo(content);
            assertThat(Curl.command("--path-as-is", "--write-out", "%{http_code}", url + "../secret")
                            .run()
                            .output())
                    .isEqualTo("404");
            assertThat(openssl(server, "-tls1_2").output()).endsWith("from a file");
            assertThat(openssl(server, "-tls1_3").output()).endsWith("from a file");
        }
    }

    private static ForeignResult openssl(TlsServer server, String version) {
        return ForeignProgram.required("openssl", "openssl")
                .command(
                        "s_client",
                        version,
                        "-quiet",
                        "-verify_return_error",
                        "-connect",
                        "127.0.0.1:" + port(server),
                        "-CAfile",
                        TestCertificates.shared().rootFile().toString())
                .input("GET /text HTTP/1.1\r\n\r\n")
                .inputStaysOpen()
                .run();
    }

    @Test
    void theConfiguredServerServesEachHost() throws Exception {
        Credential credential = TestCertificates.shared().server();
        Credential api =
                TestCertificates.shared().issue(CertificateRequest.named("api").forHosts("api.example.com"));
        Path root = TestCertificates.shared().rootFile();
        TlsServer server = ConfiguredServer.start(
                0, credential.chainFile(), credential.keyFile(), api.chainFile(), api.keyFile(), root);
        try (server;
                TlsClient client = TlsClient.builder()
                        .trust(root)
                        .alpn("lines")
                        .resolver(host -> List.of(InetAddress.getLoopbackAddress()))
                        .build();
                TlsChannel channel = client.open("api.example.com", port(server))) {
            channel.outputStream().write("one\ntwo\n".getBytes(StandardCharsets.UTF_8));
            channel.shutdownOutput();

            assertThat(channel.inputStream().readAllBytes())
                    .asString(StandardCharsets.UTF_8)
                    .startsWith("2 lines from ")
                    .contains("TLSv1.3", "for api.example.com", "with lines");
            assertThat(AsynchronousClient.connect(client, "localhost", port(server), new LineCounter())
                            .get(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .startsWith("TLSv1.3");
            assertThat(AsynchronousClient.connect(client, "other.example", port(server), new LineCounter())
                            .get(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .startsWith("do not retry: cannot connect to other.example");
        }
    }

    /** The programs hold what the page shows between the marks "snippet" and "end". */
    @Test
    void thePageShowsTheProgramsAndNothingElse() throws IOException {
        String page = Files.readString(Sluice.home().resolve("docs/guide/embedding.md"));
        Path sources = Sluice.home().resolve("interop/src/test/java/dev/sluice/interop/example");
        List<String> snippets = new ArrayList<>();
        try (Stream<Path> files = Files.list(sources)) {
            for (Path file : files.toList()) {
                SNIPPET.matcher(Files.readString(file))
                        .results()
                        .map(found -> found.group(1).stripTrailing().stripIndent() + "\n")
                        .forEach(snippets::add);
            }
        }
        List<String> shown =
                SHOWN.matcher(page).results().map(found -> found.group(1)).toList();

        assertThat(snippets).isNotEmpty();
        assertThat(shown).containsExactlyInAnyOrderElementsOf(snippets);
    }

    private static void write(SSLSocket client, byte[] bytes) {
        try {
            OutputStream output = client.getOutputStream();
            output.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
