package dev.sluice.gateway.tickets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.model.RedisAddress;
import dev.sluice.gateway.tickets.DocumentStore.Snapshot;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.RedisServer;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A document in a real Redis. */
final class RedisStoreTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final byte[] FIRST = {1, 0, -1};
    private static final byte[] SECOND = {2};

    private final RedisServer redis = RedisServer.start();
    private RedisStore store = store(redis.url());

    private static RedisStore store(String url) {
        try {
            return new RedisStore(RedisAddress.parse(url), RedisTls.trusting(null));
        } catch (TicketKeyException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void requireClient() throws TicketKeyException {
        RedisClient.require();
    }

    @AfterEach
    void close() {
        store.close();
        redis.close();
    }

    @Test
    void keepsWhatWasPutThere() throws Exception {
        assertThat(store.read().isEmpty()).isTrue();
        assertThat(store.replace(0, 1, FIRST)).isTrue();
        assertThat(store.replace(1, 2, SECOND)).isTrue();

        Snapshot snapshot = store.read();
        assertThat(snapshot.generation()).isEqualTo(2);
        assertThat(snapshot.document()).isEqualTo(SECOND);
        assertThat(Duration.between(snapshot.time(), Instant.now()).abs()).isLessThan(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*2\r\n$1\r\nx\r\n$1\r\n0\r\n",
                "*2\r\n$19\r\n9223372036854775807\r\n$1\r\n0\r\n",
                "*0\r\n",
                "$1\r\nx\r\n",
                ":1\r\n"
            })
    void reportsAnAnswerThatIsNoneOfRedis(String time) throws Exception {
        try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RedisStore liar = store("redis://127.0.0.1:" + port.getLocalPort())) {
            Thread server = Thread.ofVirtual().start(() -> answer(port, time));
            assertThatThrownBy(liar::read)
                    .isInstanceOf(TicketKeyException.class)
                    .hasMessageContainingAll("ticket keys of redis://127.0.0.1", "none of Redis");
            server.join(LONG);
        }
    }

    /** Answers one client by the book, but for TIME. */
    private static void answer(ServerSocket port, String time) {
        try (Socket client = port.accept();
                BufferedReader words =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII))) {
            for (String count = words.readLine(); count != null; count = words.readLine()) {
                List<String> command = new ArrayList<>();
                for (int left = Integer.parseInt(count.substring(1)); left > 0; left--) {
                    words.readLine(); // its length
                    command.add(words.readLine());
                }
                String answer = switch (command.getFirst()) {
                    case "TIME" -> time;
                    case "HMGET" -> "*2\r\n$-1\r\n$-1\r\n";
                    case "HELLO" -> "*2\r\n$5\r\nproto\r\n:2\r\n";
                    default -> "+OK\r\n";
                };
                client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            // The store has ended the connection.
        }
    }

    @Test
    void ofTwoWhoReplaceTheSameOneIsTaken() throws Exception {
        try (RedisStore other = store(redis.url())) {
            assertThat(store.replace(0, 1, FIRST)).isTrue();
            assertThat(other.replace(0, 1, SECOND)).isFalse();
            assertThat(other.read().document()).isEqualTo(FIRST);
        }
    }

    @Test
    void keysOfSeveralFleetsStandBesideEachOther() throws Exception {
        try (RedisStore other = store(redis.url() + "/3?key=other")) {
            store.replace(0, 1, FIRST);
            assertThat(other.read().isEmpty()).isTrue();
        }
    }

    @Test
    void aChangeIsAnnouncedAlsoAfterARestart() throws Exception {
        AtomicInteger announced = new AtomicInteger();
        store.onChange(announced::incrementAndGet);
        Waiting.until(LONG, () -> announced.get() == 1, () -> "not subscribed");
        try (RedisStore other = store(redis.url())) {
            other.replace(0, 1, FIRST);
            Waiting.until(LONG, () -> announced.get() == 2, () -> "not announced");
        }
        redis.restartEmpty();
        Waiting.until(LONG, () -> announced.get() == 3, () -> "not subscribed again");
        assertThat(store(redis.url()).replace(0, 1, FIRST)).isTrue();
        Waiting.until(LONG, () -> announced.get() == 4, () -> "not announced again");
    }

    @Test
    void whatDoesNotAnswerIsToldAndTriedAgain() throws Exception {
        store.replace(0, 1, FIRST);
        redis.suspend();
        assertThatThrownBy(store::read)
                .hasMessageContaining("redis://127.0.0.1:" + redis.port())
                .hasMessageContaining("check that it runs");
        redis.resume();
        assertThat(store.read().document()).isEqualTo(FIRST);

        redis.kill();
        assertThatThrownBy(store::read).isInstanceOf(TicketKeyException.class);
        assertThatThrownBy(() -> store.replace(1, 2, SECOND)).hasMessageContaining("Connection refused");
        redis.startAgain();
        assertThat(store.read().isEmpty()).isTrue();
    }

    @Test
    void aWrongPasswordIsToldAndNotRepeated() throws Exception {
        try (RedisServer guarded = RedisServer.start("--requirepass", "right")) {
            String host = "127.0.0.1:" + guarded.port();
            try (RedisStore right = store("redis://:right@" + host);
                    RedisStore wrong = store("redis://:wrong@" + host)) {
                assertThat(right.read().isEmpty()).isTrue();
                assertThatThrownBy(wrong::read)
                        .hasMessageContaining("password")
                        .hasMessageContaining("redis://" + host + " ")
                        .message()
                        .doesNotContain("wrong@");
            }
        }
    }

    @Test
    void whatSomebodyElseWroteThereIsNoDocument() throws Exception {
        store.replace(0, 1, FIRST);
        Snapshot snapshot = store.read();
        Path key = Files.write(Files.createTempFile("fleet", "key"), new byte[32]);
        try (FleetKey fleetKey = FleetKey.read(key)) {
            assertThatThrownBy(() -> fleetKey.open(snapshot.document(), store.toString()))
                    .hasMessageContaining("no document of ours");
        }
    }

    @Test
    void tlsNeedsACertificateForTheHostFromATrustedAuthority() throws Exception {
        Credential server = TestCertificates.shared().server();
        int port = FreePort.onLoopback();
        try (RedisServer tls = RedisServer.start(
                "--tls-port", Integer.toString(port),
                "--tls-cert-file", server.chainFile().toString(),
                "--tls-key-file", server.keyFile().toString(),
                "--tls-auth-clients", "no")) {
            assertThat(tls.port()).isNotEqualTo(port);
            RedisAddress address = RedisAddress.parse("rediss://localhost:" + port);
            RedisTls trusting = RedisTls.trusting(TestCertificates.shared().rootFile());
            try (RedisStore trusted = new RedisStore(address, trusting);
                    RedisStore stranger = new RedisStore(address, RedisTls.trusting(null))) {
                assertThat(trusted.read().isEmpty()).isTrue();
                assertThatThrownBy(stranger::read).hasMessageContaining("certification path");
            }
        }
    }
}
