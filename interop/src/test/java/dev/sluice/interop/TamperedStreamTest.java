package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.RecordProxy;
import dev.sluice.interop.fixture.RecordProxy.Attack;
import dev.sluice.interop.fixture.TlsClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Somebody between client and gateway changes, repeats, removes or exchanges records: what came behind the last good
 * one never reaches the backend, the client hears why, and the gateway counts it.
 */
class TamperedStreamTest extends GatewayTest {
    private static final int ROUNDS = 6;
    private static final int HEADER_BYTES = 5;
    private static final int MAX_MESSAGE = 2_000;
    private static final List<String> VERSIONS = List.of("TLSv1.3", "TLSv1.2");

    private final SplittableRandom random = new SplittableRandom(11);
    private final BlockingQueue<byte[]> heard = new LinkedBlockingQueue<>();
    private final Backend backend = Backend.serving(this::echo);

    /** The manipulation of three records in a row, with the number of them that are good until then. */
    private enum Tampering {
        FLIP_A_BIT(0) {
            @Override
            List<byte[]> apply(byte[] a, byte[] b, byte[] c, SplittableRandom random) {
                byte[] changed = a.clone();
                changed[random.nextInt(HEADER_BYTES, a.length)] ^= (byte) (1 << random.nextInt(8));
                return List.of(changed, b, c);
            }
        },
        CUT_A_BYTE(0) {
            @Override
            List<byte[]> apply(byte[] a, byte[] b, byte[] c, SplittableRandom random) {
                byte[] shorter = Arrays.copyOf(a, a.length - 1);
                int length = shorter.length - HEADER_BYTES;
                shorter[3] = (byte) (length >> 8);
                shorter[4] = (byte) length;
                return List.of(shorter, b, c);
            }
        },
        REPEAT(1) {
            @Override
            List<byte[]> apply(byte[] a, byte[] b, byte[] c, SplittableRandom random) {
                return List.of(a, a, b, c);
            }
        },
        REMOVE(0) {
            @Override
            List<byte[]> apply(byte[] a, byte[] b, byte[] c, SplittableRandom random) {
                return List.of(b, c);
            }
        },
        EXCHANGE(0) {
            @Override
            List<byte[]> apply(byte[] a, byte[] b, byte[] c, SplittableRandom random) {
                return List.of(b, a, c);
            }
        },
        REPEAT_LATER(3) {
            @Override
            List<byte[]> apply(byte[] a, byte[] b, byte[] c, SplittableRandom random) {
                return List.of(a, b, c, a);
            }
        };

        private final int good;

        Tampering(int good) {
            this.good = good;
        }

        abstract List<byte[]> apply(byte[] a, byte[] b, byte[] c, SplittableRandom random);

        Attack attack(SplittableRandom random) {
            return new Attack() {
                @Override
                public int records() {
                    return 3;
                }

                @Override
                public List<byte[]> replace(List<byte[]> records) {
                    return apply(records.get(0), records.get(1), records.get(2), random);
                }
            };
        }
    }

    @AfterEach
    void closeBackend() {
        backend.close();
    }

    @Test
    void nothingBehindTheLastGoodRecordReachesTheBackend() throws Exception {
        GatewayProcess gateway = gateway(backend);
        long connections = 0;
        try (RecordProxy proxy = RecordProxy.before(gateway)) {
            for (int round = 0; round < ROUNDS; round++) {
                for (String version : VERSIONS) {
                    for (Tampering tampering : Tampering.values()) {
                        assertIsNoticed(proxy, version, tampering);
                        connections++;
                    }
                }
            }
        }
        assertEnds(gateway, Map.of("client_bad_record_mac", connections));
    }

    private void assertIsNoticed(RecordProxy proxy, String version, Tampering tampering) throws Exception {
        try (Socket raw = TlsClient.raw(proxy.port());
                SSLSocket client = TlsClient.over(raw, version)) {
            ByteArrayOutputStream good = new ByteArrayOutputStream();
            for (int i = random.nextInt(4); i >= 0; i--) {
                byte[] message = message();
                client.getOutputStream().write(message);
                assertThat(client.getInputStream().readNBytes(message.length)).isEqualTo(message);
                good.write(message);
            }
            proxy.attack(tampering.attack(random));
            ByteArrayOutputStream undecided = new ByteArrayOutputStream();
            for (int i = 0; i < 3; i++) {
                byte[] message = message();
                client.getOutputStream().write(message);
                undecided.write(i < tampering.good ? message : new byte[0]);
            }
            assertThatThrownBy(() -> client.getInputStream().readAllBytes())
                    .as("%s, %s", version, tampering)
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("bad_record_mac");
            assertHeard(good.toByteArray(), undecided.toByteArray());
        }
    }

    /** All that was good when the tampering began, and at most the good records behind: a reset may overtake them. */
    private void assertHeard(byte[] good, byte[] perhaps) throws InterruptedException {
        byte[] bytes = heard.poll(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(bytes).isNotNull().startsWith(good);
        byte[] rest = Arrays.copyOfRange(bytes, good.length, bytes.length);
        assertThat(rest).hasSizeLessThanOrEqualTo(perhaps.length).isEqualTo(Arrays.copyOf(perhaps, rest.length));
    }

    private byte[] message() {
        byte[] message = new byte[1 + random.nextInt(MAX_MESSAGE)];
        random.nextBytes(message);
        return message;
    }

    private void echo(Socket socket) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] piece = new byte[MAX_MESSAGE];
        try {
            InputStream input = socket.getInputStream();
            int count;
            while ((count = input.read(piece)) >= 0) {
                all.write(piece, 0, count);
                socket.getOutputStream().write(piece, 0, count);
            }
        } finally {
            heard.add(all.toByteArray());
        }
    }
}
