package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.Bytes;
import dev.sluice.tls.context.HandshakePath;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.lean.FallbackReason;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * ClientHellos, genuine and mutated, given to the lean handshake and to libssl: whatever the lean one answers, libssl
 * answers with the same version, suite, group and extensions; everything else it leaves to libssl, without a byte sent.
 * The mutations are the same in every run.
 */
final class LeanDifferentialTest {
    private static final TestCertificates CERTIFICATES = TestCertificates.shared();
    private static final int MUTATIONS = 4_000;
    private static final int MAX_CHANGES = 3;
    private static final int RANDOM_OFFSET = 5 + 4 + 2;

    private final Map<String, Ledger.Balance> before = Ledger.process().balances();
    private final LoopCrypto crypto = new LoopCrypto(new MallocAllocator(), 20 * 1024, 16);
    private final TicketKeyRing ring =
            new TicketKeyRing(Duration.ofHours(1), Duration.ofHours(1), InstantSource.system());

    @AfterEach
    void everythingIsGivenBack() {
        assertThat(crypto.leasedBuffers()).isZero();
        crypto.close();
        ring.close();
        assertThat(Ledger.process().leaksSince(before)).isEmpty();
    }

    /**
     * The outcome of a ClientHello.
     *
     * @param status of the handshake
     * @param answer of the server: the ServerHello without its random and share, or its alert
     */
    private record Outcome(int status, String answer) {}

    @Test
    void answersAsLibsslDoes() {
        int lean = 0;
        try (TlsContext leanContext = context(HandshakePath.LEAN);
                TlsContext libsslContext = context(HandshakePath.LIBSSL)) {
            List<byte[]> hellos = hellos(libsslContext);
            Random random = new Random(20);
            for (int i = 0; i < MUTATIONS; i++) {
                byte[] hello = hellos.get(i % hellos.size()).clone();
                // The first ones stay as they are.
                for (int changes = i < hellos.size() ? 0 : 1 + random.nextInt(MAX_CHANGES); changes > 0; changes--) {
                    mutate(hello, random);
                }
                long fallbacks = fallbacks();
                Outcome ours = outcome(leanContext, hello);
                boolean answered = fallbacks() == fallbacks;
                lean += answered ? 1 : 0;
                Outcome theirs = outcome(libsslContext, hello);
                assertThat(ours)
                        .as(
                                "mutation %d, %s, hello %s",
                                i, answered ? "lean" : "libssl", HexFormat.of().formatHex(hello))
                        .isEqualTo(theirs);
            }
        }
        assertThat(lean).isBetween(MUTATIONS / 10, MUTATIONS);
    }

    private long fallbacks() {
        long count = 0;
        for (FallbackReason reason : FallbackReason.values()) {
            count += crypto.count(reason);
        }
        return count;
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

    private Outcome outcome(TlsContext context, byte[] hello) {
        try (DirectEngine server = DirectEngine.server(context, crypto)) {
            RawMemory.copy(hello, 0, server.receiveAddress(), hello.length);
            server.received(hello.length);
            int status = server.handshake();
            byte[] sent = new byte[server.sendLength()];
            RawMemory.copy(server.sendAddress(), sent, 0, sent.length);
            return new Outcome(status, status == EngineStatus.FAILED ? failure(server) : answer(sent));
        }
    }

    private static String failure(DirectEngine server) {
        return Objects.requireNonNull(server.failure()).toString();
    }

    /** Returns the ServerHello with its random, its share and what depends on them left out. */
    private static String answer(byte[] sent) {
        if (sent.length < RANDOM_OFFSET + 32 || sent[0] != 22) {
            return HexFormat.of().formatHex(sent);
        }
        HexFormat hex = HexFormat.of();
        int at = RANDOM_OFFSET + 32;
        String text = hex.formatHex(sent, 0, 3) + " random " + hex.formatHex(sent, at, at + 1 + sent[at] + 2 + 1);
        at += 1 + sent[at] + 2 + 1;
        int extensions = unsigned16(sent, at);
        int end = at + 2 + extensions;
        List<String> all = new ArrayList<>();
        for (at += 2; at + 4 <= end; ) {
            int type = unsigned16(sent, at);
            int length = unsigned16(sent, at + 2);
            all.add(type + "=" + hex.formatHex(sent, at + 4, at + 4 + Math.min(length, 4)) + "/" + length);
            at += 4 + length;
        }
        return text + " " + all.stream().sorted().toList();
    }

    private static int unsigned16(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 8 | (bytes[at + 1] & 0xFF);
    }

    /** Genuine ones: with and without SNI and ALPN, several groups and suites, TLS 1.2, a ticket. */
    private List<byte[]> hellos(TlsContext context) {
        List<byte[]> hellos = new ArrayList<>();
        for (List<String> groups :
                List.of(List.of("X25519"), List.of("P-256", "X25519"), List.of("P-384"), List.of("P-521", "X25519"))) {
            for (List<String> alpn : List.of(List.of("http/1.1", "h2"), List.<String>of(), List.of("other"))) {
                try (TlsContext client = client(groups, alpn)) {
                    hellos.add(hello(client, "localhost", null));
                }
            }
        }
        try (TlsContext client = client(List.of("X25519"), List.of("h2"))) {
            for (int scheme : new int[] {0x0403, 0x0401, 0x0603}) {
                byte[] schemes = {0, 50, 0, 4, 0, 2, (byte) (scheme >>> 8), (byte) scheme};
                hellos.add(extended(hello(client, "localhost", null), schemes));
            }
            try (TlsSession session = session(context, client)) {
                hellos.add(hello(client, "localhost", session));
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

    private static byte[] hello(TlsContext context, String host, @Nullable TlsSession session) {
        try (MemoryEngine client =
                session == null ? MemoryEngine.client(context, host) : MemoryEngine.client(context, host, session)) {
            client.handshake();
            byte[] hello = new byte[client.sendLength()];
            RawMemory.copy(client.sendAddress(), hello, 0, hello.length);
            return hello;
        }
    }

    private TlsSession session(TlsContext context, TlsContext clientContext) {
        try (DirectEngine server = DirectEngine.server(context, crypto);
                MemoryEngine client = MemoryEngine.client(clientContext, "localhost")) {
            client.handshake();
            shuttle(client, server);
            server.handshake();
            shuttle(server, client);
            client.handshake();
            shuttle(client, server);
            server.handshake();
            shuttle(server, client);
            try (Room room = new Room()) {
                client.read(room.address(), 1);
            }
            client.closeOutput();
            return Objects.requireNonNull(client.session());
        }
    }

    /** A byte of native memory. */
    private static final class Room implements AutoCloseable {
        private final MallocAllocator allocator = new MallocAllocator();
        private final MemorySegment memory = allocator.allocate(1, 1);

        long address() {
            return memory.address();
        }

        @Override
        public void close() {
            allocator.free(memory);
        }
    }

    private static void shuttle(BufferedEngine from, BufferedEngine to) {
        while (from.sendLength() > 0) {
            int count = Math.min(from.sendLength(), to.receiveCapacity());
            RawMemory.copy(from.sendAddress(), to.receiveAddress(), count);
            to.received(count);
            from.sent(count);
        }
    }

    private TlsContext context(HandshakePath path) {
        Credential credential = CERTIFICATES.server();
        return TlsContext.server()
                .certificate(credential.chainFile(), credential.keyFile())
                .alpn(List.of("h2", "http/1.1"))
                .ticketKeys(ring)
                .handshake(path)
                .build();
    }
}
