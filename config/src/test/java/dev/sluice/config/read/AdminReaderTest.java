package dev.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.model.AdminConfig;
import dev.sluice.config.model.AdminHttpConfig;
import dev.sluice.config.model.AdminTlsConfig;
import dev.sluice.config.yaml.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The section {@code admin}. */
final class AdminReaderTest {
    @TempDir
    private Path directory = Path.of("");

    @BeforeEach
    void writeFiles() throws IOException {
        ConfigSamples.writeFiles(directory);
        token("token", "sixteen-or-more-characters\n", "rw-------");
        token("open", "sixteen-or-more-characters\n", "rw-r--r--");
        token("short", "fifteen-letters\n", "rw-------");
        Files.writeString(
                directory.resolve("old.key"), "-----BEGIN EC PRIVATE KEY-----\nAA==\n-----END EC PRIVATE KEY-----\n");
    }

    private void token(String name, String text, String mode) throws IOException {
        Path file = Files.writeString(directory.resolve(name), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    @Test
    void hasNoInterfacesByDefault() throws Exception {
        assertThat(read("").config().admin()).isEqualTo(AdminConfig.NONE);
    }

    @Test
    void readsATextAsTheSocketForCommands() throws Exception {
        assertThat(read("admin: unix:admin.sock").config().admin())
                .isEqualTo(new AdminConfig(directory.resolve("admin.sock"), null));
    }

    @Test
    void needsNoAccessControlOnTheLoopbackInterface() throws Exception {
        AdminConfig admin = read("admin: {address: \"[::1]:9900\"}").config().admin();

        AdminHttpConfig http = Objects.requireNonNull(admin.http());
        assertThat(http.isLoopback()).isTrue();
        assertThat(http.tokenFile()).isNull();
        assertThat(http.tls()).isNull();
        assertThat(admin.socket()).isNull();
    }

    @Test
    void acceptsATokenOrClientsCertificatesElsewhere() throws Exception {
        AdminHttpConfig byToken = Objects.requireNonNull(read("admin: {address: 0.0.0.0:9900, token-file: token}")
                .config()
                .admin()
                .http());
        AdminHttpConfig byCertificate = Objects.requireNonNull(
                read("admin: {address: 0.0.0.0:9900, certificate: shop.pem, key: shop.key, client-ca: shop.pem}")
                        .config()
                        .admin()
                        .http());

        assertThat(byToken.tokenFile()).isEqualTo(directory.resolve("token"));
        assertThat(byCertificate.tls())
                .isEqualTo(new AdminTlsConfig(
                        directory.resolve("shop.pem"), directory.resolve("shop.key"), directory.resolve("shop.pem")));
    }

    /** As a Secret is mounted in Kubernetes; a group's file of another owner is open to that group. */
    @Test
    void acceptsATokenThatRootLetsAGroupRead() throws Exception {
        token("grouped", "sixteen-or-more-characters\n", "r--r-----");
        boolean byRoot = Integer.valueOf(0).equals(Files.getAttribute(directory.resolve("grouped"), "unix:uid"));
        String admin = "admin: {address: 0.0.0.0:9900, token-file: grouped}";

        if (byRoot) {
            assertThat(read(admin).config().admin().http()).isNotNull();
        } else {
            assertThatThrownBy(() -> read(admin)).hasMessageContaining("chmod 600");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{address: 0.0.0.0:9900} | other machines can reach",
                "{address: 0.0.0.0:9900, certificate: shop.pem, key: shop.key} | other machines can reach",
                "{address: 9900} | host:port",
                "{address: 127.0.0.1:9900, token-file: missing} | does not exist",
                "{address: 127.0.0.1:9900, token-file: open} | chmod 600",
                "{address: 127.0.0.1:9900, token-file: short} | holds 15 characters",
                "{address: 127.0.0.1:9900, certificate: shop.pem} | needs key beside it",
                "{address: 127.0.0.1:9900, client-ca: shop.pem} | needs certificate beside it",
                "{address: 127.0.0.1:9900, certificate: shop.pem, key: old.key} | openssl pkcs8 -topk8",
                "{token-file: token} | which have no address",
                "{socket: 127.0.0.1:9900} | need a Unix socket",
                "{adress: 127.0.0.1:9900} | did you mean",
                "127.0.0.1:9900 | admin: {address: 127.0.0.1:9900}"
            })
    void rejectsContradictionsAndMissingAccessControl(String admin, String why) {
        assertThatThrownBy(() -> read("admin: " + admin))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(why);
    }

    @Test
    void printsTheTokensFileButNotTheToken() throws Exception {
        String effective = read("admin: {socket: unix:a.sock, address: 127.0.0.1:9900, token-file: token}")
                .effective();

        assertThat(effective)
                .contains("socket: unix:" + directory.resolve("a.sock"))
                .contains("token-file: " + directory.resolve("token"))
                .doesNotContain("sixteen-or-more");
    }

    private ReadConfig read(String admin) throws IOException, ConfigException {
        return ConfigSamples.read(directory, ConfigSamples.MINIMAL + admin + "\n", Map.of());
    }
}
