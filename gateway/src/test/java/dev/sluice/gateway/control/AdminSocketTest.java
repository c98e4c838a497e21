package dev.sluice.gateway.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.ServerNamePattern;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TransportChoice;
import dev.sluice.gateway.outcome.GatewayStartException;
import dev.sluice.gateway.reload.ReloadRequest;
import dev.sluice.gateway.tickets.TicketKeyLog;
import dev.sluice.gateway.tickets.TicketKeys;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The admin socket, and what it does with ticket keys. */
final class AdminSocketTest {
    private static final TicketKeyLog NO_LOG = new TicketKeyLog() {
        @Override
        public void info(String line) {}

        @Override
        public void warn(String line) {}
    };

    private static final GatewayConfig CONFIG = new GatewayConfig(
            List.of(),
            List.of(new CertificateConfig(
                    "shop",
                    List.of(new KeyPairFiles(
                            Path.of("shop.pem"),
                            Path.of("shop.key"),
                            "EC",
                            Instant.EPOCH,
                            Instant.parse("2999-01-01T00:00:00Z"))),
                    List.of(new ServerNamePattern("shop.example")))),
            List.of(),
            LimitsConfig.DEFAULT,
            1,
            TransportChoice.AUTO,
            null,
            Duration.ZERO);

    private final TicketKeys keys = start();

    @TempDir
    private Path directory = Path.of("");

    private static TicketKeys start() {
        try {
            return TicketKeys.start(TicketConfig.DEFAULT, NO_LOG);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void wipe() {
        keys.close();
    }

    private Path socket() {
        return directory.resolve("admin");
    }

    private String ask(String line) throws IOException {
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket()))) {
            client.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
            return new String(Channels.newInputStream(client).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void theSocketIsItsOwnersAloneAndGoesWithTheGateway() throws IOException {
        try (AdminSocket admin = listen(socket(), line -> line)) {
            assertThat(admin).isNotNull();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket())))
                    .isEqualTo("rw-------");
            try (var entries = Files.list(directory)) {
                assertThat(entries).containsExactly(socket());
            }
            assertThat(ask("x")).isEqualTo("ok\nx");
        }
        assertThat(socket()).doesNotExist();
    }

    private static AdminSocket listen(Path path, AdminSocket.Commands commands) {
        AdminSocket made = AdminSocket.prepare(path, commands);
        try {
            made.publish();
            return made;
        } catch (RuntimeException e) {
            made.close();
            throw e;
        }
    }

    @Test
    void aSuccessorTakesTheSocketOverAndKeepsIt() throws IOException {
        AdminSocket first = listen(socket(), line -> "first");
        try (AdminSocket second = AdminSocket.prepare(socket(), line -> "second")) {
            assertThat(ask("")).isEqualTo("ok\nfirst");
            second.replace();
            assertThat(ask("")).isEqualTo("ok\nsecond");
            first.close();
            assertThat(ask("")).isEqualTo("ok\nsecond");
        }
        assertOnly();
    }

    private void assertOnly(Path... expected) throws IOException {
        try (var entries = Files.list(directory)) {
            assertThat(entries).containsExactlyInAnyOrder(expected);
        }
    }

    @Test
    void aSocketThatAnswersIsNotTaken() throws IOException {
        try (AdminSocket running = listen(socket(), line -> "serving\n")) {
            assertThat(running).isNotNull();
            assertThatThrownBy(() -> listen(socket(), line -> "second"))
                    .isInstanceOf(GatewayStartException.class)
                    .hasMessageContaining(socket().toString())
                    .hasMessageContaining("another gateway is running")
                    .hasMessageContaining("--replace");
            assertThat(ask("")).isEqualTo("ok\nserving\n");
            assertOnly(socket());
        }
        assertOnly();
    }

    /** It may be another program's, or a gateway's that is too busy to answer. */
    @Test
    void aSocketThatAcceptsAndIsSilentIsNotTaken() throws IOException {
        try (ServerSocketChannel silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            silent.bind(UnixDomainSocketAddress.of(socket()));
            assertThatThrownBy(() -> listen(socket(), line -> "second")).hasMessageContaining("is in use");
        }
        assertOnly(socket());
    }

    @Test
    void aSocketThatNobodyListensOnIsReplaced() throws IOException {
        try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            killed.bind(UnixDomainSocketAddress.of(socket()));
        }
        assertThat(socket()).exists();
        try (AdminSocket next = listen(socket(), line -> "next")) {
            assertThat(next).isNotNull();
            assertThat(ask("")).isEqualTo("ok\nnext");
        }
        assertOnly();
    }

    /** The next instance may start as soon as the first one has logged that it drains. */
    @Test
    void theSocketOfAGatewayThatDrainsIsReplaced() throws IOException {
        AdminSocket draining = listen(socket(), line -> line.equals("state") ? "draining\n" : "old");
        try (AdminSocket next = listen(socket(), line -> "next")) {
            assertThat(next).isNotNull();
            assertThat(ask("")).isEqualTo("ok\nnext");
            draining.close();
            assertThat(ask("")).isEqualTo("ok\nnext");
        }
    }

    @Test
    void whatIsNoSocketStaysWhereItLies() throws IOException {
        Files.writeString(socket(), "notes");
        assertThatThrownBy(() -> listen(socket(), line -> "second"))
                .isInstanceOf(GatewayStartException.class)
                .hasMessageContaining("something else than a socket lies there");
        assertThat(socket()).hasContent("notes");
        assertOnly(socket());
    }

    @Test
    void onlyItsOwnFileGoesWithASocket() throws IOException {
        AdminSocket first = listen(socket(), line -> "first");
        Files.delete(socket());
        Files.writeString(socket(), "somebody else's");
        first.close();
        assertThat(socket()).hasContent("somebody else's");
    }

    @Test
    void aDirectoryThatIsNotThereIsTold() {
        assertThatThrownBy(() -> listen(directory.resolve("absent/admin"), line -> line))
                .isInstanceOf(GatewayStartException.class)
                .hasMessageContaining("absent/admin")
                .hasMessageContaining("may write to");
    }

    @Test
    void whatIsNoCommandIsToldWithThoseThatThereAre() throws IOException {
        try (AdminSocket admin = listen(socket(), new TicketCommands(keys))) {
            assertThat(admin).isNotNull();
            assertThat(ask("")).startsWith("error\n").contains("tickets show");
            assertThat(ask("tickets steal")).startsWith("error\n").contains("\"steal\" is no command");
            assertThat(ask("tickets import x")).contains("no absolute path");
            assertThat(ask("tickets import /absent/keys"))
                    .startsWith("error\n")
                    .contains("/absent/keys cannot be read");
            assertThat(ask("tickets export /tmp/a\0b")).startsWith("error\nno file can be named so");
        }
        try (AdminSocket admin = listen(socket(), new TicketCommands(null))) {
            assertThat(admin).isNotNull();
            assertThat(ask("tickets show")).contains("tickets: off");
        }
    }

    @Test
    void aReloadIsAskedForAndItsOutcomeTold() throws IOException {
        AtomicReference<@Nullable ReloadRequest> request = new AtomicReference<>();
        try (AdminSocket admin = listen(socket(), new ConfigurationCommands(() -> CONFIG, List::of, request::get))) {
            assertThat(admin).isNotNull();
            assertThat(ask("reload")).startsWith("error\n").contains("not started with a configuration file");
            request.set(() -> "reloaded\n");
            assertThat(ask("reload")).isEqualTo("ok\nreloaded\n");
            request.set(() -> {
                throw new ReloadRequest.RefusedException("line 3 is wrong");
            });
            assertThat(ask("reload")).isEqualTo("error\nline 3 is wrong\n");
            assertThat(ask("reload now")).startsWith("error\n").contains("there are reload, certificates");
        }
    }

    @Test
    void certificatesAreShownWithTheirEnds() throws IOException {
        try (AdminSocket admin = listen(socket(), new ConfigurationCommands(() -> CONFIG, List::of, () -> null))) {
            assertThat(admin).isNotNull();
            assertThat(ask("certificates"))
                    .startsWith("ok\nshop ")
                    .contains("EC", "until 2999-01-01T00:00:00Z (", "shop.pem");
            assertThat(ask("certificates json"))
                    .contains("\"name\":\"shop\"", "\"key_type\":\"EC\"", "\"not_after\":\"2999-01-01T00:00:00Z\"")
                    .contains("\"server_names\":[\"shop.example\"]", "\"revocation_lists\":[]");
        }
    }

    @Test
    void keysAreShownWithoutTheirSecrets() throws IOException {
        try (AdminSocket admin = listen(socket(), new TicketCommands(keys))) {
            assertThat(admin).isNotNull();
            String shown = ask("tickets show") + ask("tickets show json");
            assertThat(shown).contains("local", "current", "next", "\"state\":\"current\"", "\"local_keys_total\":0");
            keys.ring().timedKeys().forEach(key -> {
                byte[] secret = key.key().secret().toArray(ValueLayout.JAVA_BYTE);
                String hex = HexFormat.of().formatHex(secret);
                assertThat(shown).contains(hex.substring(0, 16)).doesNotContain(hex.substring(32, 40));
            });
        }
    }

    @Test
    void rotatesExportsAndImports() throws IOException {
        Path file = directory.resolve("exported");
        try (AdminSocket admin = listen(socket(), new TicketCommands(keys))) {
            assertThat(admin).isNotNull();
            String before = keys.keys().get(1).id();
            assertThat(ask("tickets export " + file)).startsWith("ok\n2 keys written");
            assertThat(ask("tickets export " + file)).startsWith("error\n").contains("already exists");
            List<String> lines = Files.readAllLines(file);
            assertThat(HexFormat.of().formatHex(Base64.getDecoder().decode(lines.get(0))))
                    .startsWith(before);

            assertThat(ask("tickets rotate")).startsWith("ok\n");
            assertThat(keys.keys().get(1).id()).isNotEqualTo(before);

            byte[] foreign = new byte[48];
            foreign[0] = 0x77;
            Path nginx = Files.write(directory.resolve("nginx.key"), foreign);
            assertThat(ask("tickets import " + nginx)).startsWith("ok\n1 keys open tickets");
            assertThat(ask("tickets show")).contains("7700000000000000");
        }
    }
}
