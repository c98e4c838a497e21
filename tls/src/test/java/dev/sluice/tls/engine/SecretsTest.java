package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.testkit.HeapDump;
import dev.sluice.tls.BytePatterns;
import dev.sluice.tls.Bytes;
import dev.sluice.tls.Wire;
import dev.sluice.tls.context.EngineConformance;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.ServerContextBuilder;
import dev.sluice.tls.record.Aead;
import dev.sluice.tls.record.ConnectionKeys;
import dev.sluice.tls.record.TrafficKeys;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
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
    private final LoopCrypto crypto = closing(new LoopCrypto(slots, LoopCrypto.MIN_BUFFER_BYTES, 2));

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

    private static List<byte[]> secrets(MemorySegment slot) {
        List<byte[]> secrets = new ArrayList<>();
        for (long direction :
                new long[] {ConnectionKeys.opening(slot.address()), ConnectionKeys.sealing(slot.address())}) {
            secrets.add(bytes(slot, TrafficKeys.secretAddress(direction), SHA_256_BYTES));
            secrets.add(bytes(slot, TrafficKeys.keyAddress(direction), AES_128_BYTES));
            secrets.add(bytes(slot, TrafficKeys.ivAddress(direction), Aead.NONCE_BYTES));
        }
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

    /** An observer of key memory, of which the first connection takes the first block. */
    private static final class KeySlots implements NativeAllocator {
        private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[ConnectionKeys.BYTES]);

        private final MallocAllocator malloc = new MallocAllocator();
        private MemorySegment first = MemorySegment.NULL;

        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            MemorySegment segment = malloc.allocate(byteSize, byteAlignment);
            if (byteSize == KeyMemory.CHUNK_BYTES) {
                first = segment.asSlice(0, ConnectionKeys.BYTES);
            }
            return segment;
        }

        @Override
        public void free(MemorySegment segment) {
            malloc.free(segment);
        }

        /**
         * Returns whether the block is free again: it would hold the address of the next free one, and there is none.
         */
        boolean isWiped() {
            return first.mismatch(ZEROS) < 0;
        }
    }
}
