package dev.sluice.transfer.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.memory.Ledger;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.KeyFingerprint;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Channels with OpenSSL's own client and server, which know nothing of the detach. */
@Timeout(120)
class OpenSslPeerTest {
    private static final Duration LIMIT = Waiting.LIMIT;

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @TempDir
    private Path directory;

    private String certificate = "";
    private String key = "";

    /** Dates do not count. */
    @BeforeEach
    void choose() {
        Credential expired = TestCertificates.shared().expiredServer();
        certificate = expired.chainFile().toString();
        key = expired.keyFile().toString();
    }

    @Test
    void talksToAServerOfOpenSsl() throws Exception {
        int port = FreePort.onLoopback();
        try (OwnKey own = OwnKey.generate(OwnKeyType.ED25519);
                RunningProgram server = openssl()
                        .command(
                                "s_server",
                                "-accept",
                                "127.0.0.1:" + port,
                                "-tls1_3",
                                "-cert",
                                certificate,
                                "-key",
                                key,
                                "-Verify",
                                "1",
                                "-rev")
                        .inputStaysOpen()
                        .start()) {
            server.awaitOutput("ACCEPT", LIMIT);
            ChannelSocket socket = ChannelSocket.connect(Ends.loopback(port), LIMIT);
            try (SecureChannel channel = SecureChannel.connect(socket, own, allowed(), Ends.SETTINGS)) {
                assertThat(channel.peer()).isEqualTo(peer());
                for (int i = 0; i < 3; i++) {
                    Ends.send(channel, ascii("abc\n"));
                    assertThat(Ends.receive(channel, 4)).isEqualTo(ascii("cba\n"));
                }
                channel.finish();
                assertThat(channel.incoming().await()).isFalse();
            }
        }
    }

    @Test
    void talksToAClientOfOpenSsl() throws Exception {
        try (OwnKey own = OwnKey.generate(OwnKeyType.P_256);
                ChannelListener listener = ChannelListener.open(Ends.loopback(0))) {
            CompletableFuture<SecureChannel> accepted = accepting(listener, own);
            try (RunningProgram client = openssl()
                            .command(
                                    "s_client",
                                    "-connect",
                                    address(listener),
                                    "-cert",
                                    certificate,
                                    "-key",
                                    key,
                                    "-quiet")
                            .input("from the client\n")
                            .inputStaysOpen()
                            .start();
                    SecureChannel channel = accepted.get()) {
                assertThat(channel.peer()).isEqualTo(peer());
                assertThat(Ends.receive(channel, 16)).isEqualTo(ascii("from the client\n"));
                Ends.send(channel, ascii("from the server\n"));
                client.awaitOutput("from the server", LIMIT);
                channel.finish();
                assertThat(channel.incoming().await()).isFalse();
            }
        }
    }

    @Test
    void rejectsAClientWithoutACertificate() throws Exception {
        try (OwnKey own = OwnKey.generate(OwnKeyType.P_256);
                ChannelListener listener = ChannelListener.open(Ends.loopback(0))) {
            CompletableFuture<SecureChannel> accepted = accepting(listener, own);
            try (RunningProgram _ = openssl()
                    .command("s_client", "-connect", address(listener))
                    .inputStaysOpen()
                    .start()) {
                assertThat(Ends.failureOf(accepted))
                        .isInstanceOfSatisfying(
                                ChannelException.class,
                                e -> assertThat(e.failure()).isEqualTo(ChannelFailure.HANDSHAKE));
            }
        }
    }

    @Test
    void rejectsOlderVersions() throws Exception {
        int port = FreePort.onLoopback();
        try (OwnKey own = OwnKey.generate(OwnKeyType.ED25519);
                RunningProgram server = openssl()
                        .command(
                                "s_server",
                                "-accept",
                                "127.0.0.1:" + port,
                                "-tls1_2",
                                "-cert",
                                certificate,
                                "-key",
                                key)
                        .inputStaysOpen()
                        .start()) {
            server.awaitOutput("ACCEPT", LIMIT);
            ChannelSocket socket = ChannelSocket.connect(Ends.loopback(port), LIMIT);
            CompletableFuture<SecureChannel> connected =
                    Ends.async(() -> SecureChannel.connect(socket, own, allowed(), Ends.SETTINGS));
            assertThat(Ends.failureOf(connected))
                    .isInstanceOfSatisfying(
                            ChannelException.class, e -> assertThat(e.failure()).isEqualTo(ChannelFailure.HANDSHAKE));
        }
    }

    private CompletableFuture<SecureChannel> accepting(ChannelListener listener, OwnKey own) {
        return Ends.async(() -> SecureChannel.accept(listener.accept(LIMIT), own, allowed(), Ends.SETTINGS));
    }

    private static String address(ChannelListener listener) {
        return "127.0.0.1:" + ((InetSocketAddress) listener.address()).getPort();
    }

    private AllowedKeys allowed() throws Exception {
        return AllowedKeys.of(peer());
    }

    /** The digest as the openssl command writes the key. */
    private KeyFingerprint peer() throws Exception {
        Path der = directory.resolve("peer.der");
        run("pkey", "-in", key, "-pubout", "-outform", "DER", "-out", der.toString());
        return KeyFingerprint.of(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(der)));
    }

    private static void run(String... arguments) {
        ForeignResult result = openssl().command(arguments).run();
        assertThat(result.exitCode()).as(result.errors()).isZero();
    }

    private static ForeignProgram openssl() {
        return ForeignProgram.required("openssl", "openssl");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
