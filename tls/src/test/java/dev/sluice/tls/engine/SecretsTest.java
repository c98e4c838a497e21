package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.testkit.HeapDump;
import dev.sluice.tls.BytePatterns;
import dev.sluice.tls.Bytes;
import dev.sluice.tls.Wire;
import dev.sluice.tls.context.EngineConformance;
import dev.sluice.tls.context.HandshakePath;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.ServerContextBuilder;
import dev.sluice.tls.lean.HandshakeSecrets;
import dev.sluice.tls.record.Aead;
import dev.sluice.tls.record.ConnectionKeys;
import dev.sluice.tls.record.Hash;
import dev.sluice.tls.record.TrafficKeys;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the places where a connection's secrets are, and are not. */
final class SecretsTest extends EngineConformance {
    private static final int SHA_256_BYTES = 32;
    private static final int AES_128_BYTES = 16;

    private final KeySlots slots = new KeySlots();
    private final LoopCrypto crypto = closing(new LoopCrypto(slots, LoopCrypto.MIN_BUFFER_BYTES, 8));

    @TempDir
    Path directory;

    SecretsTest() {
        super(EngineKind.DIRECT);
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void wipesTheSlotAtClose(ProtocolVersion version) {
        OurPeer server = direct();
        OurPeer client = client(trustingClient().versions(version, version), "localhost");
        Wire.whole().handshake(client, server);
        assertThat(detach(server)).isEqualTo(Detach.DIRECT);
        assertThat(slots.isWiped()).isFalse();
        server.engine().close();
        assertThat(slots.isWiped()).isTrue();
    }

    @Test
    void wipesTheSlotAfterAFailure() {
        OurPeer server = direct();
        OurPeer client = client(trustingClient(), "localhost");
        Wire.whole().handshake(client, server);
        server.endOfStream();
        server.read();
        assertThat(server.failure()).isEqualTo("truncated");
        server.engine().close();
        assertThat(slots.isWiped()).isTrue();
    }

    @Test
    void wipesTheSlotOfAnUnfinishedHandshake() {
        OurPeer server = direct();
        OurPeer client = client(trustingClient(), "localhost");
        client.handshake();
        server.offer(client.takeOutput());
        server.handshake();
        assertThat(ConnectionKeys.has(slots.first.address(), ConnectionKeys.SERVER_SECRET))
                .as("libssl tells the server's secret with its Finished")
                .isTrue();
        server.engine().close();
        assertThat(slots.isWiped()).isTrue();
    }

    @Test
    void wipesTheSlotOfAConnectionThatStaysInLibssl() {
        String suite = "ECDHE-ECDSA-AES128-SHA256";
        OurPeer server = direct(serverWith(CERTIFICATES.server()).cipherList(suite));
        OurPeer client = client(
                trustingClient()
                        .versions(ProtocolVersion.TLS_1_2, ProtocolVersion.TLS_1_2)
                        .cipherList(suite),
                "localhost");
        Wire.whole().handshake(client, server);
        assertThat(detach(server)).isEqualTo(Detach.SUITE);
        assertThat(slots.isWiped()).isTrue();
    }

    @Test
    void aHeapDumpContainsNoSecret() throws IOException {
        byte[] canary = Bytes.random(SHA_256_BYTES, System.nanoTime());
        String canaryInHex = HexFormat.of().formatHex(canary);
        OurPeer server = direct();
        OurPeer client = client(trustingClient(), "localhost");
        Wire.whole().handshake(client, server);
        client.write(PING);
        assertThat(Wire.whole().carry(client, server)).isEqualTo(PING);
        try (HeapDump dump = HeapDump.take(directory)) {
            // Only now do the secrets become Java arrays.
            List<byte[]> secrets = secrets(slots.first);
            assertThat(BytePatterns.of(secrets).foundIn(dump.file())).isEmpty();
            assertThat(BytePatterns.of(List.of(canary)).foundIn(dump.file()))
                    .as("what is on the heap is found")
                    .contains("raw 0", "hex 0");
        }
        assertThat(canaryInHex).hasSize(2 * SHA_256_BYTES); // keeps it alive
    }

    /** The secrets of the handshake itself end with it, those of the connection with the connection. */
    @Test
    void aLeanHandshakeLeavesNoSecret() throws IOException {
        OurPeer client = client(trustingClient(), "localhost");
        OurPeer server = withLeanFlight(client);
        List<byte[]> handshake;
        List<byte[]> connection;
        try (HeapDump dump = HeapDump.take(directory)) {
            handshake = handshakeSecrets(slots.block(1));
            connection = secrets(slots.first);
            assertThat(BytePatterns.of(handshake).foundIn(dump.file())).isEmpty();
            assertThat(BytePatterns.of(connection).foundIn(dump.file())).isEmpty();
        }
        assertThat(slots.holding(handshake)).hasSameSizeAs(handshake);
        Wire.whole().handshake(client, server);
        assertThat(slots.holding(handshake)).isEmpty();
        assertThat(slots.holding(connection)).hasSameSizeAs(connection);
        server.engine().close();
        assertThat(slots.holding(connection)).isEmpty();
    }

    @Test
    void anUnfinishedLeanHandshakeLeavesNoSecret() {
        OurPeer server = withLeanFlight(client(trustingClient(), "localhost"));
        List<byte[]> secrets = handshakeSecrets(slots.block(1));
        secrets.addAll(secrets(slots.first));
        assertThat(slots.holding(secrets)).hasSameSizeAs(secrets);
        server.engine().close();
        assertThat(slots.holding(secrets)).isEmpty();
    }

    private OurPeer withLeanFlight(OurPeer client) {
        TicketKeyRing ring =
                closing(new TicketKeyRing(Duration.ofHours(1), Duration.ofHours(1), InstantSource.system()));
        OurPeer server = direct(serverWith(CERTIFICATES.server())
                .cipherSuites(List.of("TLS_AES_128_GCM_SHA256"))
                .ticketKeys(ring)
                .handshake(HandshakePath.LEAN));
        client.handshake();
        server.offer(client.takeOutput());
        server.handshake();
        assertThat(crypto.leanFlights()).isEqualTo(1);
        return server;
    }

    private static List<byte[]> handshakeSecrets(MemorySegment block) {
        long finished = HandshakeSecrets.expectedFinished(block.address());
        List<byte[]> secrets = direction(block, HandshakeSecrets.clientKeys(block.address()));
        secrets.add(bytes(block, finished, SHA_256_BYTES));
        secrets.add(bytes(block, finished + Hash.MAX_BYTES, SHA_256_BYTES)); // the resumption master secret
        return secrets;
    }

    private static List<byte[]> secrets(MemorySegment slot) {
        List<byte[]> secrets = direction(slot, ConnectionKeys.opening(slot.address()));
        secrets.addAll(direction(slot, ConnectionKeys.sealing(slot.address())));
        return secrets;
    }

    private static List<byte[]> direction(MemorySegment slot, long keys) {
        List<byte[]> secrets = new ArrayList<>();
        secrets.add(bytes(slot, TrafficKeys.secretAddress(keys), SHA_256_BYTES));
        secrets.add(bytes(slot, TrafficKeys.keyAddress(keys), AES_128_BYTES));
        secrets.add(bytes(slot, TrafficKeys.ivAddress(keys), Aead.NONCE_BYTES));
        return secrets;
    }

    private static byte[] bytes(MemorySegment slot, long address, int length) {
        return slot.asSlice(address - slot.address(), length).toArray(ValueLayout.JAVA_BYTE);
    }

    private OurPeer direct() {
        return direct(serverWith(CERTIFICATES.server()).cipherSuites(List.of("TLS_AES_128_GCM_SHA256")));
    }

    /** Creates a peer on this test's own crypto, whose allocator is observed. */
    private OurPeer direct(ServerContextBuilder builder) {
        return closing(new OurPeer(new MemoryTransport(DirectEngine.server(closing(builder.build()), crypto))));
    }

    private static @Nullable Detach detach(OurPeer server) {
        return ((DirectEngine) server.engine()).detached();
    }

    /** An observer of a loop's memory; of the key memory the first connection takes the first block. */
    private static final class KeySlots implements NativeAllocator {
        private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[ConnectionKeys.BYTES]);

        private final MallocAllocator malloc = new MallocAllocator();
        private final List<MemorySegment> live = new ArrayList<>();
        private MemorySegment first = MemorySegment.NULL;
        private MemorySegment chunk = MemorySegment.NULL;

        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            MemorySegment segment = malloc.allocate(byteSize, byteAlignment);
            live.add(segment);
            if (byteSize == KeyMemory.CHUNK_BYTES) {
                chunk = segment;
                first = segment.asSlice(0, ConnectionKeys.BYTES);
            }
            return segment;
        }

        @Override
        public void free(MemorySegment segment) {
            live.remove(segment);
            malloc.free(segment);
        }

        /** Returns a block of the key memory, by its number. */
        MemorySegment block(int index) {
            return chunk.asSlice((long) index * ConnectionKeys.BYTES, ConnectionKeys.BYTES);
        }

        /** Returns those of some secrets that are anywhere in the loop's memory. */
        List<byte[]> holding(List<byte[]> secrets) {
            List<String> contents = live.stream()
                    .map(segment -> new String(segment.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1))
                    .toList();
            return secrets.stream()
                    .filter(secret -> contents.stream()
                            .anyMatch(content -> content.contains(new String(secret, StandardCharsets.ISO_8859_1))))
                    .toList();
        }

        /**
         * Returns whether the block is free again: it would hold the address of the next free one, and there is none.
         */
        boolean isWiped() {
            return first.mismatch(ZEROS) < 0;
        }
    }
}
