package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.ServerContextBuilder;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.TlsAlert;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the direct engine against libssl: they must be indistinguishable. */
final class DirectEngineTest {
    private static final Credential SERVER = TestCertificates.shared().server();
    private static final int ROOM = 64 * 1024;

    private final Map<String, Ledger.Balance> before = Ledger.process().balances();
    private final MallocAllocator allocator = new MallocAllocator();
    private final LoopCrypto crypto = new LoopCrypto(allocator, 20 * 1024, 64);
    private final MemorySegment room = allocator.allocate(ROOM, 64);
    private final TlsContext clientContext =
            TlsContext.client().trust(TestCertificates.shared().rootFile()).build();

    @AfterEach
    void everythingIsGivenBack() {
        assertThat(crypto.leasedBuffers()).isZero();
        crypto.close();
        clientContext.close();
        allocator.free(room);
        assertThat(Ledger.process().leaksSince(before)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"})
    void tls13DetachesAndCarriesDataBothWays(String suite) {
        carriesDataBothWays(server().cipherSuites(List.of(suite)).build(), suite);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305"
            })
    void tls12DetachesAndCarriesDataBothWays(String suite) {
        carriesDataBothWays(
                server().versions(ProtocolVersion.TLS_1_2, ProtocolVersion.TLS_1_2)
                        .cipherList(suite)
                        .build(),
                "");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5})
    void continuesSequenceNumbersAfterTheTickets(int tickets) {
        carriesDataBothWays(server().sessionTickets(tickets).build(), "");
    }

    @Test
    void aSuiteWithoutAeadStaysInLibssl() {
        try (TlsContext context = server().versions(ProtocolVersion.TLS_1_2, ProtocolVersion.TLS_1_2)
                        .cipherList("ECDHE-ECDSA-AES128-SHA256")
                        .build();
                TlsContext oldClient = TlsContext.client()
                        .trust(TestCertificates.shared().rootFile())
                        .cipherList("ECDHE-ECDSA-AES128-SHA256")
                        .build();
                DirectEngine server = DirectEngine.server(context, crypto);
                MemoryEngine client = MemoryEngine.client(oldClient, "localhost")) {
            handshake(server, client);
            assertThat(server.detached()).isEqualTo(Detach.SUITE);
            exchange(client, server, "ping");
            exchange(server, client, "pong");
        }
    }

    @Test
    void moreTicketsThanTheRingStayInLibssl() {
        try (TlsContext context = server().sessionTickets(200).build();
                DirectEngine server = DirectEngine.server(context, crypto);
                MemoryEngine client = MemoryEngine.client(clientContext, "localhost")) {
            client.handshake();
            shuttle(client, server);
            server.handshake();
            shuttle(server, client);
            client.handshake();
            shuttle(client, server);
            assertThat(server.handshake()).isEqualTo(EngineStatus.WANT_WRITE);
            while (server.handshake() == EngineStatus.WANT_WRITE) {
                shuttle(server, client);
                assertThat(client.read(room.address(), ROOM)).isEqualTo(EngineStatus.WANT_READ);
            }
            assertThat(server.detached()).isEqualTo(Detach.BYTES_HELD);
            exchange(server, client, "in order");
        }
    }

    @Test
    void detachKeepsMemoryOfAPendingReceive() {
        try (TlsContext context = server().build();
                DirectEngine server = DirectEngine.server(context, crypto);
                MemoryEngine client = MemoryEngine.client(clientContext, "localhost")) {
            client.handshake();
            shuttle(client, server);
            server.handshake();
            shuttle(server, client);
            client.handshake();
            shuttle(client, server);
            long lent = server.receiveAddress();
            assertThat(server.handshake()).isEqualTo(EngineStatus.DONE);
            assertThat(server.detached()).isEqualTo(Detach.BYTES_HELD);

            write(client, "received while it was lent");
            int count = client.sendLength();
            RawMemory.copy(client.sendAddress(), lent, count);
            server.received(count);
            client.sent(count);
            assertThat(server.read(room.address(), ROOM)).isEqualTo("received while it was lent".length());
        }
    }

    @Test
    void resumesSessions() {
        try (TlsContext context = server().build()) {
            TlsSession session;
            try (DirectEngine server = DirectEngine.server(context, crypto);
                    MemoryEngine client = MemoryEngine.client(clientContext, "localhost")) {
                handshake(server, client);
                exchange(server, client, "tickets come first");
                session = Objects.requireNonNull(client.session());
                client.closeOutput(); // libssl does not offer the session of a truncated connection
            }
            try (session;
                    DirectEngine server = DirectEngine.server(context, crypto);
                    MemoryEngine client = MemoryEngine.client(clientContext, "localhost", session)) {
                handshake(server, client);
                assertThat(server.detached()).isEqualTo(Detach.DIRECT);
                assertThat(Objects.requireNonNull(server.handshakeInfo()).resumed())
                        .isTrue();
                exchange(client, server, "again");
                exchange(server, client, "and back");
            }
        }
    }

    @Test
    void distinguishesCloseNotifyFromTruncation() {
        try (TlsContext context = server().build()) {
            try (DirectEngine server = DirectEngine.server(context, crypto);
                    MemoryEngine client = MemoryEngine.client(clientContext, "localhost")) {
                handshake(server, client);
                assertThat(client.closeOutput()).isEqualTo(EngineStatus.DONE);
                shuttle(client, server);
                assertThat(server.read(room.address(), ROOM)).isEqualTo(EngineStatus.CLOSED);
                assertThat(server.state()).isEqualTo(EngineState.CLOSING_RECEIVED);
                exchange(server, client, "the other direction stays open");
                assertThat(server.closeOutput()).isEqualTo(EngineStatus.DONE);
                shuttle(server, client);
                assertThat(client.read(room.address(), ROOM)).isEqualTo(EngineStatus.CLOSED);
                assertThat(server.state()).isEqualTo(EngineState.CLOSED);
            }
            try (DirectEngine server = DirectEngine.server(context, crypto);
                    MemoryEngine client = MemoryEngine.client(clientContext, "localhost")) {
                handshake(server, client);
                server.receivedEndOfStream();
                assertThat(server.read(room.address(), ROOM)).isEqualTo(EngineStatus.FAILED);
                assertThat(Objects.requireNonNull(server.failure()).reason()).isEqualTo(EndReason.TRUNCATED);
            }
        }
    }

    @Test
    void answersAForgedRecordWithAnAlertForLibssl() {
        try (TlsContext context = server().build();
                DirectEngine server = DirectEngine.server(context, crypto);
                MemoryEngine client = MemoryEngine.client(clientContext, "localhost")) {
            handshake(server, client);
            write(client, "forged");
            RawMemory.putByte(client.sendAddress() + 7, (byte) (RawMemory.getByte(client.sendAddress() + 7) ^ 1));
            shuttle(client, server);
            assertThat(server.read(room.address(), ROOM)).isEqualTo(EngineStatus.FAILED);
            shuttle(server, client);
            assertThat(client.read(room.address(), ROOM)).isEqualTo(EngineStatus.FAILED);
            assertThat(Objects.requireNonNull(client.failure()).reason())
                    .isEqualTo(EndReason.ALERT_RECEIVED_BAD_RECORD_MAC);
        }
    }

    @Test
    void sendsAnAlertOnceThereIsRoom() {
        try (TlsContext context = server().build();
                DirectEngine server = DirectEngine.server(context, crypto);
                MemoryEngine client = MemoryEngine.client(clientContext, "localhost")) {
            handshake(server, client);
            write(client, "forged");
            RawMemory.putByte(client.sendAddress() + 7, (byte) (RawMemory.getByte(client.sendAddress() + 7) ^ 1));
            shuttle(client, server);
            int filled = fill(server);
            assertThat(server.read(room.address(), ROOM)).isEqualTo(EngineStatus.FAILED);
            assertThat(drained(server, client)).isEqualTo(filled);
            assertThat(client.read(room.address(), ROOM)).isEqualTo(EngineStatus.FAILED);
            assertThat(Objects.requireNonNull(client.failure()).reason())
                    .isEqualTo(EndReason.ALERT_RECEIVED_BAD_RECORD_MAC);
        }
    }

    @Test
    void closeWithoutRoomClosesNothing() {
        try (TlsContext context = server().build();
                DirectEngine server = DirectEngine.server(context, crypto);
                MemoryEngine client = MemoryEngine.client(clientContext, "localhost")) {
            handshake(server, client);
            int filled = fill(server);
            assertThat(server.closeOutput()).isEqualTo(EngineStatus.WANT_WRITE);
            assertThat(drained(server, client)).isEqualTo(filled);
            exchange(server, client, "still open");
            assertThat(server.closeOutput()).isEqualTo(EngineStatus.DONE);
            shuttle(server, client);
            assertThat(client.read(room.address(), ROOM)).isEqualTo(EngineStatus.CLOSED);
        }
    }

    @Test
    void bytesAfterTheEndUseNoBuffer() {
        try (TlsContext context = server().build();
                DirectEngine server = DirectEngine.server(context, crypto);
                MemoryEngine client = MemoryEngine.client(clientContext, "localhost")) {
            handshake(server, client);
            client.closeOutput();
            shuttle(client, server);
            assertThat(server.read(room.address(), ROOM)).isEqualTo(EngineStatus.CLOSED);
            for (int i = 0; i < 3; i++) {
                server.receiveAddress();
                server.received(server.receiveCapacity());
                assertThat(server.hasPendingPlaintext()).isFalse();
                assertThat(server.read(room.address(), ROOM)).isEqualTo(EngineStatus.CLOSED);
                assertThat(crypto.leasedBuffers()).isZero();
            }
        }
    }

    @Test
    void sendsAndReportsNoAlertAfterCloseNotify() {
        try (TlsContext context = server().build();
                DirectEngine server = DirectEngine.server(context, crypto);
                MemoryEngine client = MemoryEngine.client(clientContext, "localhost")) {
            handshake(server, client);
            server.closeOutput();
            shuttle(server, client);
            server.receivedEndOfStream();
            assertThat(server.read(room.address(), ROOM)).isEqualTo(EngineStatus.FAILED);
            assertThat(Objects.requireNonNull(server.failure()).alert()).isEqualTo(TlsAlert.NONE);
            assertThat(server.sendLength()).isZero();
        }
    }

    @Test
    void rejectsABufferSmallerThanARecord() {
        assertThatThrownBy(() -> new LoopCrypto(allocator, 16_384, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bufferBytes=16384");
    }

    @Test
    void updatesKeysBeforeTheLimit() {
        try (TlsContext context = server().build();
                DirectEngine server = DirectEngine.server(context, crypto);
                MemoryEngine client = MemoryEngine.client(clientContext, "localhost")) {
            handshake(server, client);
            Objects.requireNonNull(server.channel()).sealingLimit(3);
            for (int i = 0; i < 50; i++) {
                exchange(server, client, "record " + i);
                exchange(client, server, "answer " + i);
            }
            Objects.requireNonNull(server.channel()).requestKeyUpdate();
            exchange(server, client, "asks libssl for its own update");
            exchange(client, server, "which comes before this");
        }
    }

    @Test
    void carriesBulkDataAcrossRandomBoundaries() {
        Random random = new Random(42);
        try (TlsContext context = server().build();
                DirectEngine server = DirectEngine.server(context, crypto);
                MemoryEngine client = MemoryEngine.client(clientContext, "localhost")) {
            handshake(server, client);
            for (int i = 0; i < 200; i++) {
                byte[] data = new byte[1 + random.nextInt(16_384)];
                random.nextBytes(data);
                boolean up = random.nextBoolean();
                assertThat(carry(up ? client : server, up ? server : client, data, random))
                        .isEqualTo(data);
            }
        }
    }

    private static ServerContextBuilder server() {
        return TlsContext.server().certificate(SERVER.chainFile(), SERVER.keyFile());
    }

    private void carriesDataBothWays(TlsContext context, String suite) {
        try (context;
                DirectEngine server = DirectEngine.server(context, crypto);
                MemoryEngine client = MemoryEngine.client(clientContext, "localhost")) {
            handshake(server, client);
            assertThat(server.detached()).isEqualTo(Detach.DIRECT);
            HandshakeInfo info = Objects.requireNonNull(server.handshakeInfo());
            assertThat(info.cipher()).contains(suite);
            for (int i = 0; i < 5; i++) {
                exchange(client, server, "ping " + i);
                exchange(server, client, "pong " + i);
            }
        }
    }

    private void handshake(BufferedEngine server, BufferedEngine client) {
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
        write(from, text);
        shuttle(from, to);
        int read = to.read(room.address(), ROOM);
        assertThat(read).as("%s %s", to.state(), to.failure()).isPositive();
        byte[] bytes = new byte[read];
        RawMemory.copy(room.address(), bytes, 0, read);
        assertThat(new String(bytes, StandardCharsets.US_ASCII)).isEqualTo(text);
        assertThat(to.read(room.address(), ROOM)).isEqualTo(EngineStatus.WANT_READ);
        shuttle(to, from);
    }

    /** Writes records until not even an alert fits; returns the plaintext bytes. */
    private int fill(BufferedEngine engine) {
        int filled = 0;
        for (int length = 16_384; length > 0; length /= 2) {
            int now;
            while ((now = engine.write(room.address(), length)) > 0) {
                filled += now;
            }
            assertThat(now).isEqualTo(EngineStatus.WANT_WRITE);
        }
        return filled;
    }

    /** Carries all waiting bytes as fast as the receiver reads; returns the plaintext bytes. */
    private int drained(BufferedEngine from, BufferedEngine to) {
        int plaintext = 0;
        while (from.sendLength() > 0) {
            move(from, to, Integer.MAX_VALUE);
            int now;
            while (from.sendLength() > 0 && (now = to.read(room.address(), ROOM)) > 0) {
                plaintext += now;
            }
        }
        int rest;
        while ((rest = to.read(room.address(), ROOM)) > 0) {
            plaintext += rest;
        }
        return plaintext;
    }

    private void write(BufferedEngine from, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        RawMemory.copy(bytes, 0, room.address(), bytes.length);
        assertThat(from.write(room.address(), bytes.length)).isEqualTo(bytes.length);
    }

    private byte[] carry(BufferedEngine from, BufferedEngine to, byte[] data, Random random) {
        byte[] result = new byte[data.length];
        int written = 0;
        int read = 0;
        while (read < data.length) {
            if (written < data.length) {
                RawMemory.copy(data, written, room.address(), data.length - written);
                written += Math.max(0, from.write(room.address(), 1 + random.nextInt(data.length - written)));
            }
            move(from, to, 1 + random.nextInt(4_000));
            int now = to.read(room.address(), 1 + random.nextInt(data.length - read));
            assertThat(now).as("%s", to.failure()).isGreaterThanOrEqualTo(EngineStatus.WANT_READ);
            if (now > 0) {
                RawMemory.copy(room.address(), result, read, now);
                read += now;
            }
        }
        return result;
    }

    private static void shuttle(BufferedEngine from, BufferedEngine to) {
        while (from.sendLength() > 0) {
            move(from, to, Integer.MAX_VALUE);
        }
    }

    private static void move(BufferedEngine from, BufferedEngine to, int most) {
        int count = Math.min(most, Math.min(from.sendLength(), from.sendLength() == 0 ? 0 : to.receiveCapacity()));
        if (count > 0) {
            RawMemory.copy(from.sendAddress(), to.receiveAddress(), count);
            to.received(count);
            from.sent(count);
        }
    }
}
