package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.Bytes;
import dev.sluice.tls.JdkPeer;
import dev.sluice.tls.Peer;
import dev.sluice.tls.Wire;
import dev.sluice.tls.context.EngineConformance;
import dev.sluice.tls.record.RecordChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests of key updates between the direct engine and foreign implementations: from both sides, with and without a
 * request, at random moments, crossing under bulk data and tiny records, split at random boundaries.
 */
final class KeyUpdateTest extends EngineConformance {
    private static final int RECORD_HEADER = 5;
    private static final int KEY_UPDATE_BODY = 5 + 1 + 16; // the message, the inner type, the tag
    private static final int JDK_PADDING = 16; // zeros that the JDK appends to every record's inner type
    private static final int STEPS = 150;
    private static final int MAX_PLAINTEXT = 40_000;

    KeyUpdateTest() {
        super(EngineKind.DIRECT);
    }

    @ParameterizedTest
    @CsvSource({
        "TLS_AES_128_GCM_SHA256, 1",
        "TLS_AES_128_GCM_SHA256, 2",
        "TLS_AES_256_GCM_SHA384, 3",
        "TLS_CHACHA20_POLY1305_SHA256, 4"
    })
    void updatesKeysWithTheJdk(String suite, long seed) {
        OurPeer server = server(serverWith(CERTIFICATES.server()).cipherSuites(List.of(suite)));
        JdkPeer client = closing(JdkPeer.client(CERTIFICATES.rootCertificate(), "localhost", parameters -> {}));
        Wire.whole().handshake(client, server);

        // The JDK updates its keys after each 16 KiB in either direction: see JdkPeer.
        Conversation conversation = new Conversation(client, server, JDK_PADDING, () -> {}, new Random(seed));
        conversation.run();
        assertThat(conversation.updatesOfClient).isGreaterThan(STEPS / 4);
        assertThat(conversation.updatesOfServer).isGreaterThan(STEPS / 4);
    }

    @ParameterizedTest
    @CsvSource({
        "TLS_AES_128_GCM_SHA256, 11",
        "TLS_AES_128_GCM_SHA256, 12",
        "TLS_AES_256_GCM_SHA384, 13",
        "TLS_CHACHA20_POLY1305_SHA256, 14"
    })
    void updatesKeysWithLibssl(String suite, long seed) {
        OurPeer server = server(serverWith(CERTIFICATES.server()).cipherSuites(List.of(suite)));
        OurPeer client = client(trustingClient(), "localhost");
        Wire.whole().handshake(client, server);

        Random random = new Random(seed);
        MemoryEngine libssl = (MemoryEngine) client.engine();
        Conversation conversation =
                new Conversation(client, server, 0, () -> libssl.ssl().updateKeys(random.nextBoolean()), random);
        conversation.run();
        assertThat(conversation.updatesOfClient).isGreaterThan(STEPS / 4);
        assertThat(conversation.updatesOfServer).isGreaterThan(STEPS / 4);
    }

    /** A conversation in which both sides write before either reads, so that updates cross. */
    private static final class Conversation {
        private final Peer client;
        private final OurPeer server;
        private final RecordChannel channel;
        private final int clientsPadding;
        private final Runnable clientUpdatesKeys;
        private final Random random;
        private int updatesOfClient;
        private int updatesOfServer;

        Conversation(Peer client, OurPeer server, int clientsPadding, Runnable clientUpdatesKeys, Random random) {
            this.client = client;
            this.server = server;
            this.channel = Objects.requireNonNull(((DirectEngine) server.engine()).channel());
            this.clientsPadding = clientsPadding;
            this.clientUpdatesKeys = clientUpdatesKeys;
            this.random = random;
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                byte[] up = plaintext();
                byte[] down = plaintext();
                if (up.length > 0 && random.nextInt(3) == 0) {
                    clientUpdatesKeys.run(); // sent with the next write, so there must be one
                }
                if (random.nextInt(3) == 0) {
                    channel.requestKeyUpdate();
                }
                channel.sealingLimit(1 + random.nextInt(50));
                client.write(up);
                server.write(down);
                byte[] fromClient = client.takeOutput();
                byte[] fromServer = server.takeOutput();
                updatesOfClient += keyUpdates(fromClient, KEY_UPDATE_BODY + clientsPadding);
                updatesOfServer += keyUpdates(fromServer, KEY_UPDATE_BODY);
                assertThat(deliver(fromClient, server))
                        .as("step %d, %s", step, server.failure())
                        .isEqualTo(up);
                assertThat(deliver(fromServer, client))
                        .as("step %d, %s", step, client.failure())
                        .isEqualTo(down);
            }
        }

        /** Returns nothing, tiny records, or bulk; never the length of a key update, which is recognized by it. */
        private byte[] plaintext() {
            int length = switch (random.nextInt(4)) {
                case 0 -> 0;
                case 1 -> 1 + random.nextInt(4);
                case 2 -> 6 + random.nextInt(1_000);
                default -> 6 + random.nextInt(MAX_PLAINTEXT);
            };
            return Bytes.random(length, random.nextLong());
        }

        private byte[] deliver(byte[] bytes, Peer to) {
            byte[] plaintext = {};
            int end;
            for (int at = 0; at < bytes.length; at = end) {
                end = Math.min(bytes.length, at + 1 + random.nextInt(random.nextBoolean() ? 40 : 20_000));
                to.offer(Arrays.copyOfRange(bytes, at, end));
                plaintext = Bytes.join(plaintext, to.read());
            }
            return plaintext;
        }

        private static int keyUpdates(byte[] records, int keyUpdateBody) {
            int count = 0;
            int body;
            for (int at = 0; at < records.length; at += RECORD_HEADER + body) {
                body = ((records[at + 3] & 0xFF) << 8) | (records[at + 4] & 0xFF);
                count += body == keyUpdateBody ? 1 : 0;
            }
            return count;
        }
    }
}
