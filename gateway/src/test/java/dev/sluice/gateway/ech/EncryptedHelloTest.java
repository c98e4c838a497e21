package dev.sluice.gateway.ech;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.gateway.ConfiguredGateway;
import dev.sluice.gateway.GatewayConformance;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricSample;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of Encrypted ClientHello by OpenSSL's own client, which needs OpenSSL 4 on both sides. */
class EncryptedHelloTest extends GatewayConformance {
    private static final String PUBLIC = "gateway.example.com";
    private static final String INNER = "shop.example.com";

    @TempDir
    Path directory;

    @BeforeEach
    void requireSupport() {
        OpenSsl openSsl = OpenSsl.require();
        Assumptions.assumeTrue(openSsl.supportsEncryptedHello(), openSsl.version() + " lacks Encrypted ClientHello");
        Assumptions.assumeTrue(Files.isExecutable(client()), client() + " is absent; see tools/fetch-openssl");
    }

    /** The program beside the library. */
    private static Path client() {
        return Path.of(OpenSsl.require().libraryFile()).resolveSibling("openssl");
    }

    @Test
    void servesTheNameInside() throws IOException {
        ConfiguredGateway gateway = start();

        String told = ask(gateway, INNER, "-ech_config_list", published());

        assertThat(told).contains("ECH: success", "subject=CN=" + INNER, ConfiguredGateway.GREETING);
        assertThat(handshakes(gateway)).containsExactly("accepted public 1");
        assertThat(value(gateway, Metric.TLS_SERVER_NAMES, INNER)).isEqualTo(1);
        assertThat(value(gateway, Metric.TLS_LEAN, "encrypted_hello")).isEqualTo(1);
    }

    @Test
    void sendsTheCurrentConfigurationToAClientWithAnother() throws IOException {
        ConfiguredGateway gateway = start();

        String told = ask(gateway, INNER, "-ech_config_list", foreign());

        assertThat(told)
                .contains("subject=CN=" + PUBLIC, "ECH: failed+retry-configs", "ECH: Got 1 retry-configs")
                .doesNotContain(ConfiguredGateway.GREETING);
        assertThat(ask(gateway, INNER, "-ech_config_list", published())).contains("ECH: success");
        Waiting.until(
                Waiting.LIMIT,
                () -> ends(gateway).equals(Set.of("completed", "handshake_alert_received_ech_required")),
                () -> ends(gateway).toString());
    }

    /** The name outside would lead to a backend that the client does not mean. */
    @Test
    void connectsNowhereAtTheHelloBeforeTheNameInsideIsKnown() throws IOException {
        Files.createDirectories(directory.resolve("ech"));
        String ech = "    ech: {public-name: " + PUBLIC + ", directory: ech}\n";
        String routes = "    routes: [{sni: " + PUBLIC + ", backend: ahead}, {backend: main}]\n";
        ConfiguredGateway gateway = ConfiguredGateway.start(fixture, transport, directory, yaml(ech + routes));

        String told = ask(gateway, INNER, "-ech_config_list", published());

        assertThat(told).contains("ECH: success", ConfiguredGateway.GREETING);
        assertThat(value(gateway, Metric.BACKEND_CONNECTS, "main")).isEqualTo(1);
        assertThat(value(gateway, Metric.BACKEND_CONNECTS, "ahead")).isZero();
    }

    @Test
    void ignoresGreaseAndClientsWithoutIt() {
        ConfiguredGateway gateway = start();

        assertThat(ask(gateway, INNER, "-ech_grease")).contains("subject=CN=" + INNER, ConfiguredGateway.GREETING);
        assertThat(ask(gateway, INNER)).contains("subject=CN=" + INNER, ConfiguredGateway.GREETING);

        assertThat(handshakes(gateway)).containsExactlyInAnyOrder("rejected other 1", "absent other 1");
        assertThat(value(gateway, Metric.TLS_LEAN, "answered")).isEqualTo(1);
    }

    @Test
    void answersGreaseLeanWithoutKeys() {
        ConfiguredGateway gateway = ConfiguredGateway.start(fixture, transport, directory, yaml(""));

        assertThat(ask(gateway, INNER, "-ech_grease")).contains("subject=CN=" + INNER, ConfiguredGateway.GREETING);

        assertThat(value(gateway, Metric.TLS_LEAN, "answered")).isEqualTo(1);
        assertThat(handshakes(gateway)).isEmpty();
    }

    @Test
    void acceptsThePreviousKeyAfterAReload() throws IOException {
        ConfiguredGateway gateway = start();
        String previous = published();
        make(directory.resolve("ech/z-later.pem"));

        gateway.reload(yaml());

        assertThat(published()).isNotEqualTo(previous);
        assertThat(ask(gateway, INNER, "-ech_config_list", previous)).contains("ECH: success");
        assertThat(ask(gateway, INNER, "-ech_config_list", published())).contains("ECH: success");
        assertThat(value(gateway, Metric.TLS_ECH_KEYS, directory.resolve("ech").toString()))
                .isEqualTo(2);
    }

    @Test
    void opensTheSecondHelloOfARetry() throws IOException {
        ConfiguredGateway gateway = start();

        String told = ask(gateway, INNER, "-ech_config_list", published(), "-groups", "P-521:P-256");

        assertThat(told).contains("ECH: success", "subject=CN=" + INNER, ConfiguredGateway.GREETING);
    }

    /** Go's client compresses the inner hello by references to the outer one, and retries with what it is sent. */
    @Test
    void servesGo() throws IOException {
        Path program = directory.resolve("ech-client");
        ForeignResult compiled = ForeignProgram.required("go", "golang-go")
                .command("build", "-o", program.toString(), "ech.go")
                .in(Path.of("src/test/go"))
                .with("GO111MODULE", "off")
                .within(Duration.ofMinutes(5))
                .run();
        // Fields of a newer Go's crypto/tls are unknown to an older one.
        Assumptions.assumeTrue(compiled.exitCode() == 0, "needs Go 1.23 or later: " + compiled.errors());
        ConfiguredGateway gateway = start();
        String accepted = "accepted=true name=" + INNER + " answer=" + ConfiguredGateway.GREETING;

        assertThat(go(program, gateway, published())).containsExactly(accepted);
        assertThat(go(program, gateway, foreign())).containsExactly("retry=" + published(), accepted);
    }

    private static List<String> go(Path program, ConfiguredGateway gateway, String configuration) {
        String address = "127.0.0.1:" + gateway.gateway().addresses().getFirst().getPort();
        String root = TestCertificates.shared().rootFile().toString();
        return ForeignProgram.at(program)
                .command(root, address, INNER, configuration)
                .run()
                .expectSuccess()
                .output()
                .lines()
                .toList();
    }

    private ConfiguredGateway start() {
        return ConfiguredGateway.start(fixture, transport, directory, yaml());
    }

    private String yaml() {
        try {
            Files.createDirectories(directory.resolve("ech"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return yaml("    ech: {public-name: " + PUBLIC + ", directory: ech}\n");
    }

    private static String yaml(String ech) {
        return """
                tickets: off
                listeners:
                  - certificates: [gateway, shop]
                %scertificates:
                %s%s""".formatted(ech, certificate("gateway", PUBLIC), certificate("shop", INNER));
    }

    private static String certificate(String name, String host) {
        Credential credential =
                TestCertificates.shared().issue(CertificateRequest.named(host).forHosts(host));
        return "  " + name + ": {chain: " + credential.chainFile() + ", key: " + credential.keyFile() + "}\n";
    }

    private static String ask(ConfiguredGateway gateway, String host, String... arguments) {
        return gateway.askBy(ForeignProgram.at(client()), host, arguments);
    }

    private String published() throws IOException {
        return EchKeySets.newest(directory.resolve("ech")).configuration();
    }

    /** Returns a configuration whose key the gateway does not have. */
    private String foreign() throws IOException {
        Path other = Files.createDirectory(directory.resolve("other"));
        make(other.resolve("key.pem"));
        return EchKeySets.newest(other).configuration();
    }

    private static void make(Path file) {
        ForeignProgram.at(client())
                .command("ech", "-public_name", PUBLIC, "-out", file.toString())
                .run()
                .expectSuccess();
    }

    private static List<String> handshakes(ConfiguredGateway gateway) {
        return gateway.gateway().metrics().samples(Metric.TLS_ECH).stream()
                .map(sample -> String.join(" ", sample.labelValues()) + " " + (long) sample.value())
                .toList();
    }

    private static Set<String> ends(ConfiguredGateway gateway) {
        return gateway.gateway().metrics().samples(Metric.CONNECTION_ENDS).stream()
                .filter(sample -> sample.value() > 0)
                .map(sample -> String.join(" ", sample.labelValues()))
                .collect(Collectors.toSet());
    }

    private static double value(ConfiguredGateway gateway, Metric metric, String label) {
        return gateway.gateway().metrics().samples(metric).stream()
                .filter(sample -> sample.labelValues().contains(label))
                .mapToDouble(MetricSample::value)
                .sum();
    }
}
