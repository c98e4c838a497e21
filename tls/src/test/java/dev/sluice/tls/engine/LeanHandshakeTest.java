package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.context.HandshakePath;
import dev.sluice.tls.context.ServerContextBuilder;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.lean.FallbackReason;
import dev.sluice.tls.ticket.TicketKeyRing;
import dev.sluice.tls.ticket.TicketResult;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the lean handshake against clients of libssl. */
final class LeanHandshakeTest {
    private static final TestCertificates CERTIFICATES = TestCertificates.shared();
    private static final int ROOM = 64 * 1024;

    private final Map<String, Ledger.Balance> before = Ledger.process().balances();
    private final MallocAllocator allocator = new MallocAllocator();
    private final LoopCrypto crypto = new LoopCrypto(allocator, 20 * 1024, 64);
    private final MemorySegment room = allocator.allocate(ROOM, 64);
    private final TicketKeyRing ring =
            new TicketKeyRing(Duration.ofHours(1), Duration.ofHours(1), InstantSource.system());

    @AfterEach
    void everythingIsGivenBack() {
        assertThat(crypto.leasedBuffers()).isZero();
        crypto.close();
        ring.close();
        allocator.free(room);
        assertThat(Ledger.process().leaksSince(before)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "TLS_AES_128_GCM_SHA256, X25519, false",
        "TLS_AES_256_GCM_SHA384, X25519, false",
        "TLS_CHACHA20_POLY1305_SHA256, X25519, true",
        "TLS_AES_128_GCM_SHA256, P-256, true",
        "TLS_AES_256_GCM_SHA384, P-384, false",
        "TLS_AES_128_GCM_SHA256, X25519MLKEM768, false"
    })
    void completesAndCarriesData(String suite, String group, boolean rsa) {
        Assumptions.assumeTrue(OpenSsl.require().supportsGroup(group));
        Credential credential = rsa ? CERTIFICATES.serverRsa() : CERTIFICATES.server();
        try (TlsContext context = server(credential).build();
                TlsContext clientContext = TlsContext.client()
                        .trust(CERTIFICATES.rootFile())
                        .cipherSuites(List.of(suite))
                        .groups(List.of(group))
                        .alpn(List.of("http/1.1"))
                        .build();
                DirectEngine server = DirectEngine.server(context, crypto);
                MemoryEngine client = MemoryEngine.client(clientContext, "localhost")) {
            handshake(server, client);
            assertThat(fallbacks()).isEmpty();
            assertThat(server.detached()).isEqualTo(Detach.DIRECT);
            HandshakeInfo info = Objects.requireNonNull(server.handshakeInfo());
            assertThat(info.cipher()).isEqualTo(suite);
            assertThat(info.group()).isEqualTo(group);
            assertThat(info.alpn()).isEqualTo("http/1.1");
            assertThat(info.serverName()).isEqualTo("localhost");
            for (int i = 0; i < 5; i++) {
                exchange(client, server, "ping " + i);
                exchange(server, client, "pong " + i);
            }
        }
    }

    /** Either path resumes the sessions of the other, so that a fleet can mix them. */
    @ParameterizedTest
    @CsvSource({
        "LEAN, LIBSSL, TLS_AES_128_GCM_SHA256",
        "LIBSSL, LEAN, TLS_AES_128_GCM_SHA256",
        "LEAN, LEAN, TLS_AES_128_GCM_SHA256",
        "LEAN, LIBSSL, TLS_AES_256_GCM_SHA384",
        "LIBSSL, LEAN, TLS_AES_256_GCM_SHA384",
        "LEAN, LEAN, TLS_AES_256_GCM_SHA384"
    })
    void resumesSessions(HandshakePath first, HandshakePath then, String suite) {
        try (TlsContext firstContext =
                        server(CERTIFICATES.server()).handshake(first).build();
                TlsContext thenContext =
                        server(CERTIFICATES.server()).handshake(then).build();
                TlsContext clientContext = client(suite)) {
            TlsSession session = fullHandshake(firstContext, clientContext);
            for (int i = 0; i < 3; i++) {
                session = resumed(thenContext, clientContext, session);
            }
            session.close();
            assertThat(fallbacks()).isEmpty();
            assertThat(ring.count(TicketKeyRing.Outcome.CURRENT)).isEqualTo(3);
            assertThat(ring.count(TicketKeyRing.Outcome.SEALED)).isEqualTo(5);
        }
    }

    /** libssl decides what becomes of a session that cannot be resumed as it is. */
    @Test
    void leavesOtherSessionsToLibssl() {
        try (TlsContext context = server(CERTIFICATES.server()).build();
                TlsContext other =
                        server(CERTIFICATES.server()).virtualHost("other").build();
                TlsContext sha384 = client("TLS_AES_256_GCM_SHA384");
                TlsContext sha256 = client("TLS_AES_128_GCM_SHA256")) {
            assertThat(missOf(other, sha256, fullHandshake(context, sha256))).isEqualTo(ResumptionMiss.OTHER_CONTEXT);
            assertThat(missOf(context, sha256, fullHandshake(context, sha384))).isEqualTo(ResumptionMiss.OTHER_SUITE);
            TlsSession stale = fullHandshake(context, sha256);
            ring.install(List.of());
            assertThat(missOf(context, sha256, stale)).isEqualTo(ResumptionMiss.EXPIRED);
            assertThat(crypto.count(FallbackReason.PRE_SHARED_KEY)).isEqualTo(3);
        }
    }

    /** A storm of handshakes takes all buffers: libssl, which has its own, takes over before anything is sent. */
    @Test
    void needsNoBufferThatIsNotThere() {
        LoopCrypto small = new LoopCrypto(allocator, LoopCrypto.MIN_BUFFER_BYTES, 3);
        try (TlsContext context = server(CERTIFICATES.server()).build();
                TlsContext clientContext = client("TLS_AES_128_GCM_SHA256");
                DirectEngine first = DirectEngine.server(context, small);
                DirectEngine second = DirectEngine.server(context, small);
                DirectEngine third = DirectEngine.server(context, small);
                MemoryEngine firstClient = MemoryEngine.client(clientContext, "localhost");
                MemoryEngine secondClient = MemoryEngine.client(clientContext, "localhost");
                MemoryEngine thirdClient = MemoryEngine.client(clientContext, "localhost")) {
            firstClient.handshake();
            shuttle(firstClient, first);
            assertThat(first.handshake()).isEqualTo(EngineStatus.WANT_READ); // its flight stays in the third buffer
            handshake(second, secondClient);
            assertThat(small.count(FallbackReason.BUFFERS)).isEqualTo(1);
            handshake(third, thirdClient);
            shuttle(first, firstClient);
            handshake(first, firstClient);
            assertThat(small.leanFlights()).isEqualTo(1);
        }
        assertThat(small.leasedBuffers()).isZero();
        small.close();
    }

    private static TlsContext client(String suite) {
        return TlsContext.client()
                .trust(CERTIFICATES.rootFile())
                .cipherSuites(List.of(suite))
                .alpn(List.of("http/1.1"))
                .build();
    }

    private TlsSession fullHandshake(TlsContext context, TlsContext clientContext) {
        try (DirectEngine server = DirectEngine.server(context, crypto);
                MemoryEngine client = MemoryEngine.client(clientContext, "localhost")) {
            handshake(server, client);
            return sessionOf(server, client);
        }
    }

    private TlsSession resumed(TlsContext context, TlsContext clientContext, TlsSession session) {
        try (session;
                DirectEngine server = DirectEngine.server(context, crypto);
                MemoryEngine client = MemoryEngine.client(clientContext, "localhost", session)) {
            handshake(server, client);
            HandshakeInfo info = Objects.requireNonNull(server.handshakeInfo());
            assertThat(info.kind()).isEqualTo(HandshakeKind.RESUMED);
            assertThat(info.miss()).isNull();
            assertThat(info.ticket()).isEqualTo(TicketResult.CURRENT);
            assertThat(Objects.requireNonNull(client.handshakeInfo()).resumed()).isTrue();
            exchange(client, server, "ping");
            return sessionOf(server, client);
        }
    }

    private TlsSession sessionOf(DirectEngine server, MemoryEngine client) {
        exchange(server, client, "tickets come first");
        TlsSession session = Objects.requireNonNull(client.session());
        client.closeOutput(); // libssl does not offer the session of a truncated connection
        return session;
    }

    private @Nullable ResumptionMiss missOf(TlsContext context, TlsContext clientContext, TlsSession session) {
        try (session;
                DirectEngine server = DirectEngine.server(context, crypto);
                MemoryEngine client = MemoryEngine.client(clientContext, "localhost", session)) {
            handshake(server, client);
            return Objects.requireNonNull(server.handshakeInfo()).miss();
        }
    }

    private ServerContextBuilder server(Credential credential) {
        return TlsContext.server()
                .certificate(credential.chainFile(), credential.keyFile())
                .alpn(List.of("h2", "http/1.1"))
                .ticketKeys(ring)
                .handshake(HandshakePath.LEAN);
    }

    private List<FallbackReason> fallbacks() {
        return List.of(FallbackReason.values()).stream()
                .filter(reason -> crypto.count(reason) > 0)
                .toList();
    }

    private static void handshake(BufferedEngine server, BufferedEngine client) {
        for (int i = 0; i < 10; i++) {
            int c = client.handshake();
            shuttle(client, server);
            int s = server.handshake();
            shuttle(server, client);
            if (c == EngineStatus.DONE && s == EngineStatus.DONE) {
                return;
            }
        }
        throw new AssertionError("no handshake: " + server.failure() + ", " + client.failure());
    }

    private void exchange(BufferedEngine from, BufferedEngine to, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        RawMemory.copy(bytes, 0, room.address(), bytes.length);
        assertThat(from.write(room.address(), bytes.length)).isEqualTo(bytes.length);
        shuttle(from, to);
        int read = to.read(room.address(), ROOM);
        assertThat(read).as("%s %s", to.state(), to.failure()).isPositive();
        byte[] got = new byte[read];
        RawMemory.copy(room.address(), got, 0, read);
        assertThat(new String(got, StandardCharsets.US_ASCII)).isEqualTo(text);
        assertThat(to.read(room.address(), ROOM)).isEqualTo(EngineStatus.WANT_READ);
        shuttle(to, from);
    }

    private static void shuttle(BufferedEngine from, BufferedEngine to) {
        while (from.sendLength() > 0) {
            int count = Math.min(from.sendLength(), to.receiveCapacity());
            RawMemory.copy(from.sendAddress(), to.receiveAddress(), count);
            to.received(count);
            from.sent(count);
        }
    }
}
