package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Curl;
import dev.sluice.interop.fixture.ExamplePrograms;
import dev.sluice.interop.fixture.StagingRepository;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignCommand;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The programs in {@code examples}, built outside of this build by coordinates, with clients of others. */
class ExamplesTest {
    private static final Credential SERVER = TestCertificates.shared().server();
    private static final Pattern URL = Pattern.compile("https://localhost:[0-9]+/");

    /** The JDK's own TLS, of which a handshake loads one of these. */
    private static final Pattern JDK_TLS = Pattern.compile("sun\\.security\\.ssl\\.(Client|Server)HandshakeContext\\b");

    @TempDir
    private static Path directory = Path.of("");

    private static ExamplePrograms examples;

    @BeforeAll
    static void build() {
        examples = ExamplePrograms.build(directory);
    }

    @ParameterizedTest
    @CsvSource({"sluice-memory", "sluice-jsse", "sluice-net"})
    void theArtifactsComeFromTheStagingRepository(String artifact) {
        Path staged = StagingRepository.shared()
                .directoryOf(artifact)
                .resolve(examples.downloaded(artifact).getFileName());

        assertThat(examples.downloaded(artifact)).hasSameBinaryContentAs(staged);
    }

    @Test
    void theClientGetsItsTextFromTheEchoServer() {
        try (RunningProgram server = echoServer()) {
            ForeignResult client = examples.run("tls-client", "localhost", port(server), root(), "Hello from Sluice")
                    .run()
                    .expectSuccess();

            assertThat(client.output()).isEqualTo("TLSv1.3\nHello from Sluice\n");
        }
    }

    @Test
    void gradleBuildsTheClientFromTheSameArtifacts() {
        Path run = examples.buildByGradle("tls-client");
        String net = "sluice-net-" + StagingRepository.version() + ".jar";
        assertThat(run.resolve(net)).hasSameBinaryContentAs(examples.downloaded("sluice-net"));

        try (RunningProgram server = echoServer()) {
            ForeignResult client = examples.java(
                            "--class-path=" + run + "/*",
                            "--enable-native-access=ALL-UNNAMED",
                            "dev.sluice.example.client.AskServer",
                            "localhost",
                            port(server),
                            root(),
                            "Hello from Gradle")
                    .run()
                    .expectSuccess();

            assertThat(client.output()).isEqualTo("TLSv1.3\nHello from Gradle\n");
        }
    }

    /** On the module path, where native access is enabled for one module. */
    private static RunningProgram echoServer() {
        Path target = examples.target("echo-server");
        return examples.java(
                        "--module-path=" + target.resolve("echo-server.jar") + ":" + target.resolve("lib"),
                        "--enable-native-access=dev.sluice.ffi",
                        "--module=dev.sluice.example.echo/dev.sluice.example.echo.EchoServer",
                        chain(),
                        key())
                .start();
    }

    private static String port(RunningProgram server) {
        return url(server).replaceAll("\\D", "");
    }

    @Test
    void theFileServerSendsFilesOfItsDirectoryAlone() throws IOException {
        Path served = Files.createDirectory(directory.resolve("served"));
        String content = "0123456789abcdef".repeat(100_000);
        Files.writeString(served.resolve("file"), content);
        write("secret", content);
        try (RunningProgram server =
                examples.run("file-server", chain(), key(), served.toString()).start()) {
            String url = url(server);

            assertThat(fetchByCurl(url + "file")).isEqualTo(content + "1.1");
            assertThat(status(url + "none")).isEqualTo("404");
            assertThat(status(url + "../secret")).isEqualTo("404");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "netty, 1.1, Hello from Netty",
        "tomcat, 2, Hello from Tomcat over HTTP/2.0",
        "vertx, 2, Hello from Vert.x over HTTP_2",
    })
    void aServerAnswersCurl(String example, String version, String greeting) throws IOException {
        try (RunningProgram server = server(example).start()) {
            assertThat(fetchByCurl(url(server))).isEqualTo(greeting + "\n" + version);
        }
        assertSluiceDidTheTls(example);
    }

    @Test
    void jettyAnswersCurlChromiumAndTheJdksHttpClient() throws IOException {
        try (RunningProgram server = server("jetty").start()) {
            String url = url(server);

            assertThat(fetchByCurl(url)).isEqualTo("Hello from Jetty over HTTP/2.0\n2");
            assertThat(fetchByChromium(url)).contains("Hello from Jetty over HTTP/2.0");
            ForeignResult client = examples.run("http-client", url).run().expectSuccess();
            assertThat(client.output()).isEqualTo("HTTP_2 200\nHello from Jetty over HTTP/2.0\n");
        }
        assertSluiceDidTheTls("jetty");
        assertSluiceDidTheTls("http-client");
    }

    @Test
    void springBootAnswersCurlAndChromium() throws IOException {
        ForeignCommand command = examples.run("spring-boot")
                .with("KEYSTORE", examples.keyStore().toString())
                .with("KEYSTORE_PASSWORD", ExamplePrograms.PASSWORD);
        try (RunningProgram server = command.start()) {
            String url = url(server);

            assertThat(fetchByCurl(url)).isEqualTo("Hello from Spring Boot over HTTP/2.0\n2");
            assertThat(fetchByChromium(url)).contains("Hello from Spring Boot over HTTP/2.0");
        }
        assertSluiceDidTheTls("spring-boot");
    }

    @Test
    void aGrpcCallIsAnswered() throws IOException {
        ForeignResult result =
                examples.run("grpc", chain(), key(), root()).run().expectSuccess();

        assertThat(result.output()).isEqualTo("Hello, gRPC\n");
        assertSluiceDidTheTls("grpc");
    }

    @Test
    void kafkasClientsAndBrokerExchangeARecord() throws IOException {
        String ownKeys = Files.readString(examples.target("kafka").resolveSibling("client.properties"))
                + "ssl.truststore.location=" + examples.trustStore() + "\n"
                + "ssl.truststore.password=" + ExamplePrograms.PASSWORD + "\n";
        int port = FreePort.onLoopback();
        Path client = write("client.properties", ownKeys + "bootstrap.servers=localhost:" + port + "\n");
        Path broker = write("broker.properties", ownKeys + brokerSettings(port, FreePort.onLoopback()));
        kafka("kafka.tools.StorageTool", "format", "--cluster-id=Y2VydGFpbmx5LWEtdGVzdA", "--config=" + broker)
                .run()
                .expectSuccess();

        try (RunningProgram running = kafka("kafka.Kafka", broker.toString()).start()) {
            ForeignResult result = examples.run("kafka", client.toString()).run();

            assertThat(result.exitCode()).as(result + "\n" + running).isZero();
            assertThat(result.output()).isEqualTo("Hello from Kafka\n");
        }
        assertSluiceDidTheTls("kafka");
        assertSluiceDidTheTls("broker");
    }

    @Test
    void aMissingOpensslIsReportedWithTheRemedy() {
        ForeignResult result = httpClient("--enable-native-access=ALL-UNNAMED", "-Dsluice.openssl=/nonexistent");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.errors())
                .contains("OpenSSL not found: /nonexistent holds no libcrypto.so.4 with libssl.so.4", "sluice.openssl");
    }

    @Test
    void deniedNativeAccessIsReportedWithTheRemedy() {
        ForeignResult result = httpClient();

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.errors()).contains("native access is denied", "--enable-native-access=dev.sluice.ffi");
    }

    /** On the class path, where no manifest enables native access. */
    private static ForeignResult httpClient(String... options) {
        Path target = examples.target("http-client");
        List<String> line = new ArrayList<>(List.of(options));
        line.add("--class-path=" + target.resolve("http-client.jar") + ":" + target.resolve("lib") + "/*");
        line.add("dev.sluice.example.httpclient.HttpFetch");
        line.add("https://localhost:1/");
        return examples.java(line.toArray(String[]::new)).run();
    }

    /** The JDK tries the next provider where the first one makes no context, and reports nothing. */
    @Test
    void aRegisteredProviderWithoutOpensslLeavesTlsToTheJdk() throws IOException {
        ForeignCommand command = examples.java(
                "-Dsluice.openssl=/nonexistent",
                "-Xlog:class+load:file=" + examples.loadedClasses("tomcat"),
                "-jar",
                examples.target("tomcat").resolve("tomcat.jar").toString(),
                examples.keyStore().toString(),
                ExamplePrograms.PASSWORD);
        try (RunningProgram server = command.start()) {
            assertThat(fetchByCurl(url(server))).isEqualTo("Hello from Tomcat over HTTP/2.0\n2");
        }

        assertThat(Files.readString(examples.loadedClasses("tomcat"))).containsPattern(JDK_TLS);
    }

    private static String brokerSettings(int port, int controllerPort) {
        return """
                process.roles=broker,controller
                node.id=1
                listeners=SSL://localhost:%1$d,CONTROLLER://localhost:%2$d
                controller.listener.names=CONTROLLER
                controller.quorum.voters=1@localhost:%2$d
                listener.security.protocol.map=CONTROLLER:PLAINTEXT,SSL:SSL
                inter.broker.listener.name=SSL
                log.dirs=%3$s
                ssl.keystore.location=%4$s
                ssl.keystore.password=%5$s
                ssl.key.password=%5$s
                """.formatted(
                port, controllerPort, directory.resolve("kafka-logs"), examples.keyStore(), ExamplePrograms.PASSWORD);
    }

    /** A program of Kafka's server, with the example's class in its class path. */
    private static ForeignCommand kafka(String main, String... arguments) {
        Path target = examples.target("kafka");
        String[] line = new String[arguments.length + 5];
        line[0] = "--enable-native-access=ALL-UNNAMED";
        line[1] = "-Xlog:class+load:file=" + examples.loadedClasses("broker");
        line[2] = "--class-path";
        line[3] = target.resolve("kafka.jar") + ":" + target.resolve("broker") + "/*";
        line[4] = main;
        System.arraycopy(arguments, 0, line, 5, arguments.length);
        return examples.java(line);
    }

    private static ForeignCommand server(String example) {
        return example.equals("netty")
                ? examples.run(example, chain(), key())
                : examples.run(example, examples.keyStore().toString(), ExamplePrograms.PASSWORD);
    }

    private static String chain() {
        return SERVER.chainFile().toString();
    }

    private static String key() {
        return SERVER.keyFile().toString();
    }

    private static String root() {
        return TestCertificates.shared().rootFile().toString();
    }

    /** The address that a server prints once it listens. */
    private static String url(RunningProgram server) {
        server.awaitOutput("https://localhost:", Waiting.LIMIT);
        Waiting.until(Waiting.LIMIT, () -> URL.matcher(server.output()).find(), server::toString);
        Matcher url = URL.matcher(server.output());
        assertThat(url.find()).isTrue();
        return url.group();
    }

    /** The body, then the version of HTTP. */
    private static String fetchByCurl(String url) {
        return Curl.command("--http2", "--write-out", "%{http_version}", url)
                .run()
                .expectSuccess()
                .output();
    }

    private static String status(String url) {
        return Curl.command("--path-as-is", "--output", "-", "--write-out", "%{http_code}", url)
                .run()
                .output();
    }

    private static String fetchByChromium(String url) {
        return ForeignProgram.required("chromium", "chromium")
                .command(
                        "--headless",
                        "--no-sandbox",
                        "--ignore-certificate-errors",
                        "--user-data-dir=" + directory.resolve("chromium"),
                        "--dump-dom",
                        url)
                .run()
                .expectSuccess()
                .output();
    }

    private static void assertSluiceDidTheTls(String example) throws IOException {
        String classes = Files.readString(examples.loadedClasses(example));
        assertThat(classes).contains("dev.sluice.jsse.");
        assertThat(JDK_TLS.matcher(classes).results().map(found -> found.group()))
                .isEmpty();
    }

    private static Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }
}
