package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.memory.Ledger;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.Bytes;
import dev.sluice.tls.context.TlsContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * ClientHellos, genuine, crafted and mutated, given to the lean handshake and to libssl: whatever the lean one
 * answers, libssl answers with the same version, suite, group and extensions; everything else it leaves to libssl,
 * without a byte sent. The mutations are the same in every run.
 */
final class LeanDifferentialTest {
    private static final TestCertificates CERTIFICATES = TestCertificates.shared();
    private static final int MUTATIONS = 4_000;
    private static final int MAX_CHANGES = 3;
    private static final Path CORPUS = Path.of("src", "test", "fuzz", "hello");

    private final Map<String, Ledger.Balance> before = Ledger.process().balances();
    private final HelloOracle oracle = new HelloOracle();

    @AfterEach
    void everythingIsGivenBack() {
        oracle.close();
        assertThat(Ledger.process().leaksSince(before)).isEmpty();
    }

    @Test
    void answersAsLibsslDoes() {
        int lean = 0;
        List<byte[]> hellos = hellos();
        Random random = new Random(20);
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] hello = hellos.get(i % hellos.size()).clone();
            // The first ones stay as they are.
            for (int changes = i < hellos.size() ? 0 : 1 + random.nextInt(MAX_CHANGES); changes > 0; changes--) {
                mutate(hello, random);
            }
            lean += oracle.answersAlike(hello) ? 1 : 0;
        }
        assertThat(lean).isBetween(MUTATIONS / 10, MUTATIONS);
    }

    @Test
    void answersTheCorpusAsLibsslDoes() throws IOException {
        List<String> lean = new ArrayList<>();
        try (Stream<Path> files = Files.list(CORPUS)) {
            for (Path file : files.sorted().toList()) {
                if (oracle.answersAlike(Files.readAllBytes(file))) {
                    lean.add(file.getFileName().toString());
                }
            }
        }
        assertThat(lean).contains("openssl-3.0", "gnutls", "curl", "go", "jdk", "chromium", "grease");
    }

    /** Changes a byte. */
    private static void mutate(byte[] hello, Random random) {
        int at = random.nextInt(hello.length);
        switch (random.nextInt(4)) {
            case 0 -> hello[at] = (byte) random.nextInt();
            case 1 -> hello[at] ^= (byte) (1 << random.nextInt(8));
            case 2 -> hello[at]++;
            default -> hello[at] = 0;
        }
    }

    private static int unsigned16(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 8 | (bytes[at + 1] & 0xFF);
    }

    /** Genuine ones: with and without SNI and ALPN, several groups and suites, TLS 1.2, a ticket. */
    private List<byte[]> hellos() {
        List<byte[]> hellos = new ArrayList<>();
        for (List<String> groups :
                List.of(List.of("X25519"), List.of("P-256", "X25519"), List.of("P-384"), List.of("P-521", "X25519"))) {
            for (List<String> alpn : List.of(List.of("http/1.1", "h2"), List.<String>of(), List.of("other"))) {
                try (TlsContext client = client(groups, alpn)) {
                    hellos.add(HelloOracle.hello(client, null));
                }
            }
        }
        try (TlsContext client = client(List.of("X25519"), List.of("h2"))) {
            for (int scheme : new int[] {0x0403, 0x0401, 0x0603}) {
                byte[] schemes = {0, 50, 0, 4, 0, 2, (byte) (scheme >>> 8), (byte) scheme};
                hellos.add(extended(HelloOracle.hello(client, null), schemes));
            }
            try (TlsSession session = oracle.session(client)) {
                hellos.add(HelloOracle.hello(client, session));
            }
        }
        return hellos;
    }

    /** Adds an extension at the end of a ClientHello. */
    private static byte[] extended(byte[] hello, byte[] extension) {
        byte[] result = Bytes.join(hello, extension);
        int suites = 5 + 4 + 2 + 32 + 1 + hello[5 + 4 + 2 + 32];
        int extensions = suites + 2 + unsigned16(hello, suites) + 2;
        for (int at : new int[] {3, 7, extensions}) {
            int length = unsigned16(hello, at) + extension.length;
            result[at] = (byte) (length >>> 8);
            result[at + 1] = (byte) length;
        }
        return result;
    }

    private static TlsContext client(List<String> groups, List<String> alpn) {
        return TlsContext.client()
                .trust(CERTIFICATES.rootFile())
                .groups(groups)
                .alpn(alpn)
                .build();
    }
}
