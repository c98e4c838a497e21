package dev.sluice.tls.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.Wire;
import dev.sluice.tls.engine.EngineKind;
import dev.sluice.tls.engine.MemoryEngine;
import dev.sluice.tls.engine.OurPeer;
import dev.sluice.tls.engine.TlsSession;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests with ClientHellos of OpenSSL: complete, truncated and forged. */
final class ClientHelloPeekTest {
    private static final int MUTATIONS = 20_000;

    private static final Duration ROTATE = Duration.ofHours(12);
    private static final Duration KEEP = Duration.ofHours(24);

    private final Arena arena = Arena.ofConfined();
    private Instant now = Instant.now();
    private final TicketKeyRing keys = new TicketKeyRing(ROTATE, KEEP, () -> now);
    private final TlsContext server = server(keys);

    @AfterEach
    void close() {
        server.close();
        keys.close();
        arena.close();
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void recognizesATicketOfAKnownKeyOnly(ProtocolVersion version) {
        byte[] hello = helloOfferingTicket(version);

        assertThat(isKnown(server, hello)).isTrue();
        try (TicketKeyRing otherKeys = new TicketKeyRing(ROTATE, KEEP, InstantSource.system());
                TlsContext other = server(otherKeys);
                TlsContext withoutRing = TlsContext.server()
                        .certificate(
                                TestCertificates.shared().server().chainFile(),
                                TestCertificates.shared().server().keyFile())
                        .build()) {
            assertThat(isKnown(other, hello)).isFalse();
            assertThat(isKnown(withoutRing, hello)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void findsNoTicketWithoutAnOffer(ProtocolVersion version) {
        assertThat(isKnown(server, hello(version, null))).isFalse();
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void findsNoTicketInATruncatedMessage(ProtocolVersion version) {
        byte[] hello = helloOfferingTicket(version);
        for (int length = 0; length < hello.length; length++) {
            assertThat(isKnown(server, Arrays.copyOf(hello, length)))
                    .as("%s of %s bytes", length, hello.length)
                    .isFalse();
        }
    }

    @Test
    void ignoresBytesAfterTheMessage() {
        byte[] hello = helloOfferingTicket(ProtocolVersion.TLS_1_3);

        assertThat(isKnown(server, Arrays.copyOf(hello, hello.length + 100))).isTrue();
    }

    /** Checks that a name found in a forged message lies within the input. */
    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void staysWithinAForgedMessage(ProtocolVersion version) {
        byte[] hello = helloOfferingTicket(version);
        Random random = new Random(5);
        MemorySegment memory = arena.allocate(hello.length);
        for (int i = 0; i < MUTATIONS; i++) {
            MemorySegment.copy(hello, 0, memory, ValueLayout.JAVA_BYTE, 0, hello.length);
            for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                memory.set(ValueLayout.JAVA_BYTE, random.nextInt(hello.length), (byte) random.nextInt(256));
            }
            assertThat(ClientPreference.of(memory.address(), hello.length)).isNotNull();
            long name = ClientHelloPeek.ticketName(memory.address(), hello.length);
            if (name != ClientHelloPeek.NONE) {
                assertThat(name - memory.address()).isBetween(0L, hello.length - 16L);
            }
        }
    }

    @Test
    void ignoresATicketOfAnExpiredKey() {
        byte[] hello = helloOfferingTicket(ProtocolVersion.TLS_1_3);
        now = now.plus(ROTATE).plus(KEEP).minusSeconds(1);
        assertThat(isKnown(server, hello)).isTrue();

        now = now.plusSeconds(1);
        assertThat(isKnown(server, hello)).isFalse();
    }

    @Test
    void findsThePreferredCipher() {
        assertThat(preference(tls13("TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256")))
                .isEqualTo(ClientPreference.CHACHA20);
        assertThat(preference(tls13("TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256")))
                .isEqualTo(ClientPreference.AES);
        assertThat(preference(tls12("ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES128-GCM-SHA256")))
                .isEqualTo(ClientPreference.CHACHA20);
        assertThat(preference(tls12("ECDHE-RSA-AES256-GCM-SHA384:ECDHE-RSA-CHACHA20-POLY1305")))
                .isEqualTo(ClientPreference.AES);
    }

    /** Skips GREASE values (RFC 8701), which browsers send first among the suites. */
    @Test
    void skipsReservedSuites() {
        byte[] hello = tls13("TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256");
        int suites = 5 + 4 + 2 + 32 + 1 + hello[5 + 4 + 2 + 32] + 2;
        hello[suites] = (byte) 0xDA;
        hello[suites + 1] = (byte) 0xDA;

        assertThat(preference(hello)).isEqualTo(ClientPreference.CHACHA20);
    }

    @Test
    void findsNoPreferenceInATruncatedMessage() {
        byte[] hello = tls13("TLS_CHACHA20_POLY1305_SHA256");
        for (int length = 0; length < hello.length; length++) {
            assertThat(preference(Arrays.copyOf(hello, length))).isEqualTo(ClientPreference.UNKNOWN);
        }
    }

    private ClientPreference preference(byte[] bytes) {
        return ClientPreference.of(copied(bytes).address(), bytes.length);
    }

    private static byte[] tls13(String... suites) {
        return hello(TlsContext.client().cipherSuites(List.of(suites)), null);
    }

    private static byte[] tls12(String suites) {
        return hello(
                TlsContext.client()
                        .versions(ProtocolVersion.TLS_1_2, ProtocolVersion.TLS_1_2)
                        .cipherList(suites),
                null);
    }

    private boolean isKnown(TlsContext context, byte[] bytes) {
        return context.isTicketKnown(copied(bytes).address(), bytes.length);
    }

    private MemorySegment copied(byte[] bytes) {
        MemorySegment memory = arena.allocate(Math.max(1, bytes.length));
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return memory;
    }

    private static TlsContext server(TicketKeyRing ring) {
        return TlsContext.server()
                .certificate(
                        TestCertificates.shared().server().chainFile(),
                        TestCertificates.shared().server().keyFile())
                .ticketKeys(ring)
                .build();
    }

    private byte[] helloOfferingTicket(ProtocolVersion version) {
        try (TlsContext clients = clients(version).build();
                OurPeer ours = EngineKind.MEMORY.server(server);
                OurPeer client = EngineKind.MEMORY.client(clients, "localhost")) {
            Wire wire = Wire.whole();
            wire.handshake(client, ours);
            ours.write(new byte[] {1});
            wire.carry(ours, client);
            try (TlsSession session = Objects.requireNonNull(client.engine().session())) {
                return hello(version, session);
            }
        }
    }

    private static ClientContextBuilder clients(ProtocolVersion version) {
        return TlsContext.client().trust(TestCertificates.shared().rootFile()).versions(version, version);
    }

    private static byte[] hello(ProtocolVersion version, @Nullable TlsSession session) {
        return hello(clients(version), session);
    }

    private static byte[] hello(ClientContextBuilder builder, @Nullable TlsSession session) {
        try (TlsContext clients = builder.build();
                MemoryEngine client = session == null
                        ? MemoryEngine.client(clients, "localhost")
                        : MemoryEngine.client(clients, "localhost", session)) {
            client.handshake();
            byte[] bytes = new byte[client.sendLength()];
            RawMemory.copy(client.sendAddress(), bytes, 0, bytes.length);
            return bytes;
        }
    }
}
