package dev.sluice.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.TlsClient;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of temporary obstacles to a start or a reload: names without an address, files that are not there yet. */
class NamesTest extends GatewayTest {
    /** Less than the 30 s for which the JVM keeps addresses by itself. */
    private static final Duration LESS_THAN_THE_CACHE = Duration.ofSeconds(20);

    private static final String NAME = "web.example";

    @TempDir
    Path directory = Path.of("");

    private Path hosts = Path.of("");

    @BeforeEach
    void nobodyHasAnAddress() throws IOException {
        hosts = Files.writeString(directory.resolve("hosts"), "");
    }

    @Test
    void aChangedAddressIsUsedWithinTheConfiguredInterval() throws IOException {
        address("127.0.0.2");
        GatewayProcess gateway = gateway(named().backendKey("resolve: 1s"));
        assertThat(isServed(gateway)).as("nobody listens there").isFalse();

        address("127.0.0.1");

        Waiting.until(LESS_THAN_THE_CACHE, () -> isServed(gateway), gateway::log);
        await(gateway, () -> gateway.log().contains(" has new servers: 127.0.0.1:"));
        assertThat(gateway.log()).contains(" has no more, so that they get no new connections: 127.0.0.2:");
    }

    @Test
    void aNameThatDoesNotResolveStopsNeitherTheStartNorARenewedCertificate() throws IOException {
        Credential renewed = TestCertificates.shared()
                .issue(CertificateRequest.named("renewed").forHosts("localhost"));
        Credential first = TestCertificates.shared().server();
        Path chain = Files.copy(first.chainFile(), directory.resolve("chain.pem"));
        Path key = Files.copy(first.keyFile(), directory.resolve("key.pem"));
        GatewayProcess gateway = gateway(named().certificate("{chain: " + chain + ", key: " + key + "}"));
        assertThat(isServed(gateway)).isFalse();
        assertThat(gateway.log()).contains(" is down: " + NAME + " does not resolve");
        await(gateway, () -> gateway.log().contains("backend_unresolved"));

        Files.copy(renewed.keyFile(), key, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(renewed.chainFile(), chain, StandardCopyOption.REPLACE_EXISTING);
        await(gateway, () -> gateway.log().contains(" changed): 1 listener,"));
        gateway.program().hangUp();
        await(gateway, () -> gateway.log().contains("(SIGHUP): 1 listener,"));

        address("127.0.0.1");
        await(gateway, () -> isServed(gateway));
    }

    @Test
    void aRedisWithoutAnAddressStopsNoStart() throws IOException {
        Path fleetKey = Files.write(directory.resolve("fleet.key"), new byte[32]);
        address("127.0.0.1");
        GatewayProcess gateway =
                gateway(named().with("tickets: {store: \"redis://redis.example\", fleet-key: " + fleetKey + "}"));

        await(gateway, () -> isServed(gateway));
        assertThat(gateway.log()).contains("ticket keys of redis://redis.example:6379 cannot be read");
    }

    @Test
    void aReloadWaitsForAFileThatIsNotThereYet() throws IOException {
        address("127.0.0.1");
        GatewayProcess gateway = gateway(named());
        Path authorities = directory.resolve("clients.pem");
        String yaml = Files.readString(gateway.config());
        Files.writeString(
                gateway.config(),
                yaml.replace(
                        "    backend: main",
                        "    backend: main\n    client-auth: required\n    client-ca: " + authorities));

        gateway.program().hangUp();
        await(gateway, () -> gateway.log().contains("reload rejected (SIGHUP; retrying); the previous configuration"));
        assertThat(isServed(gateway)).isTrue();

        Files.copy(TestCertificates.shared().rootFile(), authorities);

        await(gateway, () -> gateway.log().contains("(SIGHUP, tried again): 1 listener,"));
        assertThat(isServed(gateway)).as("without a certificate").isFalse();
    }

    private GatewaySetup named() {
        Backend hello = backend(Backend.serving(socket -> {
            socket.getOutputStream().write("hello".getBytes(UTF_8));
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        }));
        return GatewaySetup.before(hello.address().replace("127.0.0.1", NAME), transport)
                .javaOption("-Djdk.net.hosts.file=" + hosts)
                .noticingChangesSoon();
    }

    private void address(String address) throws IOException {
        Path next = Files.writeString(directory.resolve("hosts.new"), address + " " + NAME + "\n");
        Files.move(next, hosts, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static boolean isServed(GatewayProcess gateway) {
        try (SSLSocket socket = TlsClient.connect(gateway.port())) {
            return new String(socket.getInputStream().readAllBytes(), UTF_8).equals("hello");
        } catch (IOException refused) {
            return false;
        }
    }

    private static void await(GatewayProcess gateway, BooleanSupplier condition) {
        Waiting.until(LONG, condition, gateway::log);
    }
}
