package dev.sluice.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.config.certificate.AgreeingTlsCheck;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.read.ConfigFile;
import dev.sluice.config.read.ConfigSource;
import dev.sluice.config.read.RememberedHosts;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The resolution of names in a configuration, and the kinds of problems. */
class NamesInConfigTest {
    private static final InetAddress FOUND = InetAddress.ofLiteral("192.0.2.1");

    @TempDir
    Path directory;

    private final AtomicBoolean resolves = new AtomicBoolean(true);
    private final AtomicInteger lookups = new AtomicInteger();
    private final RememberedHosts hosts = new RememberedHosts(this::lookUp);

    private InetAddress lookUp(String name) throws UnknownHostException {
        lookups.incrementAndGet();
        if (!resolves.get()) {
            throw new UnknownHostException(name);
        }
        return FOUND;
    }

    @Test
    void doesNotResolveNamesOfServers() throws Exception {
        GatewayConfig config = read("127.0.0.1:8443", "web.example:8080", hosts::refreshed);

        SocketAddress server = config.backends().getFirst().address(0);
        assertThat(server).isEqualTo(InetSocketAddress.createUnresolved("web.example", 8080));
        assertThat(BackendConfig.text(server)).isEqualTo("web.example:8080");
        assertThat(lookups).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"web", "web.example.", "_web._tcp.example", "1.web", "a-b.example", "xn--bcher-kva.example"})
    void acceptsANameOfAServerThatDoesNotResolve(String name) throws Exception {
        assertThat(Addresses.nameOf(read("127.0.0.1:8443", name + ":80", hosts::refreshed)
                        .backends()
                        .getFirst()
                        .address(0)))
                .isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "999.0.0.1",
                "web.1",
                "web..example",
                "-web",
                "we b",
                "web.0x1f",
                "büro.example",
                "[web]",
                "[::g]"
            })
    void reportsAMalformedNameAsPermanent(String host) throws IOException {
        ConfigException problem = problem("127.0.0.1:8443", host + ":80");

        assertThat(problem.kind()).isEqualTo(ProblemKind.PERMANENT);
        assertThat(problem).hasMessageContaining("is neither an address nor a name");
    }

    @Test
    void reportsAListenersNameThatDoesNotResolveAsTransient() throws IOException {
        resolves.set(false);

        ConfigException problem = problem("gateway.example:8443", "127.0.0.1:80");

        assertThat(problem.kind()).isEqualTo(ProblemKind.TRANSIENT);
        assertThat(problem).hasMessageContaining("the host of \"gateway.example:8443\" does not resolve");
    }

    @Test
    void isPermanentWithOnePermanentProblem() throws IOException {
        resolves.set(false);

        assertThat(problem("gateway.example:8443", "127.0.0.1:99999").kind()).isEqualTo(ProblemKind.PERMANENT);
    }

    @ParameterizedTest
    @CsvSource({"chain: shop.pem, TRANSIENT", "dir: shops, TRANSIENT", "chian: shop.pem, PERMANENT"})
    void reportsAMissingFileAsTransient(String form, ProblemKind kind) throws IOException {
        String yaml = yaml("127.0.0.1:8443", "127.0.0.1:80");
        Path file = write(yaml.replaceFirst("chain: .*, key: [^}]*", form.contains("dir") ? form : form + ", key: k"));

        ConfigException problem =
                catchThrowableOfType(ConfigException.class, () -> ConfigFile.read(file, new AgreeingTlsCheck()));
        assertThat(problem.kind()).isEqualTo(kind);
        assertThat(catchThrowableOfType(
                                ConfigException.class, () -> ConfigSource.read(directory.resolve("absent.yaml")))
                        .kind())
                .isEqualTo(ProblemKind.TRANSIENT);
    }

    @Test
    void remembersTheLastKnownAddress() throws Exception {
        assertThat(listener(hosts::refreshed)).isEqualTo(FOUND);
        resolves.set(false);

        assertThat(listener(hosts::refreshed)).isEqualTo(FOUND);
        assertThat(listener(hosts::remembered)).isEqualTo(FOUND);
        assertThat(lookups).as("a remembered address takes no lookup").hasValue(2);
        assertThatThrownBy(() -> hosts.remembered("other.example")).isInstanceOf(UnknownHostException.class);
    }

    private InetAddress listener(HostLookup lookup) throws Exception {
        return read("gateway.example:8443", "127.0.0.1:80", lookup)
                .listeners()
                .getFirst()
                .address()
                .getAddress();
    }

    private GatewayConfig read(String listener, String server, HostLookup lookup) throws Exception {
        return ConfigFile.parseWithPlaces(
                        ConfigSource.read(write(yaml(listener, server))), new AgreeingTlsCheck(), lookup)
                .config();
    }

    private ConfigException problem(String listener, String server) throws IOException {
        Path file = write(yaml(listener, server));
        return catchThrowableOfType(
                ConfigException.class,
                () -> ConfigFile.parseWithPlaces(ConfigSource.read(file), new AgreeingTlsCheck(), hosts::refreshed));
    }

    private Path write(String yaml) throws IOException {
        return Files.writeString(directory.resolve("sluice.yaml"), yaml);
    }

    private static String yaml(String listener, String server) {
        Credential credential = TestCertificates.shared().server();
        return """
                listeners:
                  - {address: "%s", certificates: [shop], backend: web}
                certificates:
                  shop: {chain: %s, key: %s}
                backends:
                  web: {servers: ["%s"]}
                """.formatted(listener, credential.chainFile(), credential.keyFile(), server);
    }
}
