package dev.sluice.tls.engine;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.context.HandshakePath;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.failure.TlsAlert;
import dev.sluice.tls.failure.TlsFailure;
import dev.sluice.tls.lean.FallbackReason;
import dev.sluice.tls.lean.HelloReference;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A server with the lean handshake and one with libssl's, to which the same ClientHello is given: what the first one
 * answers, libssl answers with the same version, suite, group and extensions, and what is refused, is refused alike.
 */
final class HelloOracle implements AutoCloseable {
    private static final int RANDOM_OFFSET = 5 + 4 + 2;
    private static final int KEY_SHARE = 51;

    private final LoopCrypto crypto = new LoopCrypto(new MallocAllocator(), 20 * 1024, 16);
    private final TicketKeyRing ring =
            new TicketKeyRing(Duration.ofHours(1), Duration.ofHours(1), InstantSource.system());
    private final TlsContext leanContext = context(HandshakePath.LEAN);
    private final TlsContext libsslContext = context(HandshakePath.LIBSSL);

    /**
     * The outcome of a ClientHello.
     *
     * @param status of the handshake
     * @param suite its number; 0 without a ServerHello
     * @param answer of the server: the ServerHello without its random, suite and share, or its alert
     */
    private record Outcome(int status, int suite, String answer) {
        Outcome withoutSuite() {
            return new Outcome(status, 0, answer);
        }
    }

    /**
     * The outcome of a ClientHello for the lean server.
     *
     * @param reason for which the lean handshake has left it to libssl; null when it has answered
     * @param alert that was sent; null when it was answered
     * @param sent what the server has sent, alert or flight
     */
    @SuppressWarnings("ArrayRecordComponent") // of a test
    record Reply(@Nullable FallbackReason reason, @Nullable TlsAlert alert, byte[] sent) {}

    /**
     * Gives a ClientHello to both.
     *
     * @return whether the lean handshake has answered it, not left it to libssl
     * @throws AssertionError when their outcomes differ
     */
    boolean answersAlike(byte[] hello) {
        long fallbacks = fallbacks();
        Outcome ours = outcome(leanContext, hello);
        boolean lean = fallbacks() == fallbacks && ours.status() != EngineStatus.FAILED;
        Outcome theirs = outcome(libsslContext, hello);
        boolean alike = ours.equals(theirs)
                || (beginsWithOlderSuite(hello) && ours.withoutSuite().equals(theirs.withoutSuite()));
        if (!alike) {
            throw new AssertionError((lean ? "lean: " : "left to libssl: ") + ours + "\n  libssl: " + theirs
                    + "\n  hello: " + HexFormat.of().formatHex(hello));
        }
        return lean;
    }

    /**
     * Returns whether the first suite, GREASE aside, is one of an older version. libssl then prefers ChaCha20 if that
     * one has it; the lean handshake looks at the suites of TLS 1.3 alone.
     */
    private static boolean beginsWithOlderSuite(byte[] hello) {
        try {
            return HelloReference.of(Arrays.copyOfRange(hello, 5, hello.length)).suites().stream()
                    .filter(suite -> (suite & 0x0F0F) != 0x0A0A)
                    .limit(1)
                    .anyMatch(suite -> suite >>> 8 != 0x13);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Gives a ClientHello to both, and returns what the lean one has made of it.
     *
     * @throws AssertionError when their outcomes differ
     */
    Reply reply(byte[] hello) {
        answersAlike(hello);
        Map<FallbackReason, Long> before = counts();
        try (DirectEngine server = DirectEngine.server(leanContext, crypto)) {
            feed(server, hello);
            byte[] sent = sent(server);
            TlsFailure failure = server.failure();
            FallbackReason reason = counts().entrySet().stream()
                    .filter(entry -> entry.getValue() > before.getOrDefault(entry.getKey(), 0L))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElse(null);
            // The alert as the client gets it: the last record.
            TlsAlert alert = failure == null ? null : TlsAlert.of(sent[sent.length - 1]);
            return new Reply(reason, alert, sent);
        }
    }

    private Map<FallbackReason, Long> counts() {
        Map<FallbackReason, Long> counts = new EnumMap<>(FallbackReason.class);
        for (FallbackReason reason : FallbackReason.values()) {
            counts.put(reason, crypto.count(reason));
        }
        return counts;
    }

    private long fallbacks() {
        return counts().values().stream().mapToLong(Long::longValue).sum();
    }

    private Outcome outcome(TlsContext context, byte[] hello) {
        try (DirectEngine server = DirectEngine.server(context, crypto)) {
            int status = feed(server, hello);
            return status == EngineStatus.FAILED
                    ? new Outcome(status, 0, failure(server))
                    : answer(status, sent(server));
        }
    }

    private static int feed(DirectEngine server, byte[] hello) {
        int status = EngineStatus.WANT_READ;
        for (int at = 0; at < hello.length && status == EngineStatus.WANT_READ; ) {
            int count = Math.min(hello.length - at, server.receiveCapacity());
            RawMemory.copy(hello, at, server.receiveAddress(), count);
            server.received(count);
            at += count;
            status = server.handshake();
        }
        return status;
    }

    private static byte[] sent(DirectEngine server) {
        byte[] sent = new byte[server.sendLength()];
        RawMemory.copy(server.sendAddress(), sent, 0, sent.length);
        return sent;
    }

    private static String failure(DirectEngine server) {
        return Objects.requireNonNull(server.failure()).toString();
    }

    private static Outcome answer(int status, byte[] sent) {
        HexFormat hex = HexFormat.of();
        if (sent.length < RANDOM_OFFSET + 32 || sent[0] != 22) {
            return new Outcome(status, 0, hex.formatHex(sent));
        }
        int at = RANDOM_OFFSET + 32;
        String text = hex.formatHex(sent, 0, 3) + " session id " + hex.formatHex(sent, at, at + 1 + sent[at]);
        at += 1 + sent[at];
        int suite = unsigned16(sent, at);
        at += 2 + 1;
        int extensions = unsigned16(sent, at);
        int end = at + 2 + extensions;
        List<String> all = new ArrayList<>();
        for (at += 2; at + 4 <= end; ) {
            int type = unsigned16(sent, at);
            int length = unsigned16(sent, at + 2);
            // Before 3.5 libssl takes the client's first acceptable share, not the server's preferred one.
            boolean compared = type != KEY_SHARE || OpenSsl.require().isAtLeast(3, 5);
            all.add(type
                    + (compared ? "=" + hex.formatHex(sent, at + 4, at + 4 + Math.min(length, 4)) + "/" + length : ""));
            at += 4 + length;
        }
        return new Outcome(status, suite, text + " " + all.stream().sorted().toList());
    }

    private static int unsigned16(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 8 | (bytes[at + 1] & 0xFF);
    }

    /** Returns the ClientHello with which a client begins, or resumes a session. */
    static byte[] hello(TlsContext context, @Nullable TlsSession session) {
        try (MemoryEngine client = session == null
                ? MemoryEngine.client(context, "localhost")
                : MemoryEngine.client(context, "localhost", session)) {
            client.handshake();
            byte[] hello = new byte[client.sendLength()];
            RawMemory.copy(client.sendAddress(), hello, 0, hello.length);
            return hello;
        }
    }

    /** Returns a session of a client with either server. */
    TlsSession session(TlsContext clientContext) {
        try (DirectEngine server = DirectEngine.server(libsslContext, crypto);
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
        Credential credential = TestCertificates.shared().server();
        return TlsContext.server()
                .certificate(credential.chainFile(), credential.keyFile())
                .alpn(List.of("h2", "http/1.1"))
                .ticketKeys(ring)
                .handshake(path)
                .build();
    }

    @Override
    public void close() {
        leanContext.close();
        libsslContext.close();
        if (crypto.leasedBuffers() != 0) {
            throw new AssertionError("buffers not given back: " + crypto.leasedBuffers());
        }
        crypto.close();
        ring.close();
    }
}
