package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.Wire;
import dev.sluice.tls.context.ContextBuilder;
import dev.sluice.tls.context.EngineConformance;
import dev.sluice.tls.context.TlsContext;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of a memory engine's rings. */
class MemoryEngineTest extends EngineConformance {
    private static final int RECORD = 16_384;
    private static final int RECORD_OVERHEAD = 22;

    private final Arena arena = Arena.ofConfined();
    private final long buffer = arena.allocate(4L * RECORD).address();

    MemoryEngineTest() {
        super(EngineKind.MEMORY);
    }

    @AfterEach
    void closeArena() {
        arena.close();
    }

    private record Engines(MemoryEngine client, MemoryEngine server) {}

    private Engines engines(int ringBytes) {
        OurPeer client = client(trustingClient().ringBytes(ringBytes), "localhost");
        OurPeer server = server(serverWith(CERTIFICATES.server()).ringBytes(ringBytes));
        Wire.whole().handshake(client, server);
        client.info();
        server.write(PING);
        assertThat(Wire.whole().carry(server, client)).isEqualTo(PING);
        return new Engines((MemoryEngine) client.engine(), (MemoryEngine) server.engine());
    }

    @Test
    void doesNotStartARecordThatDoesNotFit() {
        Engines engines = engines(ContextBuilder.DEFAULT_RING_BYTES);

        assertThat(engines.client().write(buffer, 4 * RECORD)).isEqualTo(RECORD);
        assertThat(engines.client().sendLength()).isEqualTo(RECORD + RECORD_OVERHEAD);
        assertThat(engines.client().write(buffer, RECORD)).isEqualTo(EngineStatus.WANT_WRITE);
        assertThat(engines.client().write(buffer, 100)).isEqualTo(100);
        engines.client().sent(engines.client().sendLength());
        assertThat(engines.client().write(buffer, RECORD)).isEqualTo(RECORD);
    }

    @Test
    void aLargerRingTakesMoreRecordsAtOnce() {
        Engines engines = engines(4 * (RECORD + 64) + 512);

        for (int i = 0; i < 4; i++) {
            assertThat(engines.client().write(buffer, RECORD)).isEqualTo(RECORD);
        }
        assertThat(engines.client().write(buffer, RECORD)).isEqualTo(EngineStatus.WANT_WRITE);
    }

    @Test
    void aFullRingKeepsRoomForCloseNotifyOrReportsNone() {
        Engines engines = engines(ContextBuilder.DEFAULT_RING_BYTES);
        engines.client().write(buffer, RECORD);
        while (engines.client().write(buffer, 1) > 0) {
            // until nothing fits any more
        }

        assertThat(engines.client().closeOutput()).isEqualTo(EngineStatus.WANT_WRITE);
        engines.client().sent(1000);
        assertThat(engines.client().closeOutput()).isEqualTo(EngineStatus.DONE);
        assertThat(engines.client().state()).isEqualTo(EngineState.CLOSING_SENT);
    }

    /**
     * Simulates io_uring, which may still write to an address after the earlier bytes were read and the ring is empty.
     */
    @Test
    void keepsBytesReceivedAtAnAddressThatMovedMeanwhile() {
        Engines engines = engines(ContextBuilder.DEFAULT_RING_BYTES);
        byte[] first = record(engines.client(), 1);
        byte[] second = record(engines.client(), 2);
        put(engines.server(), first);

        int capacity = engines.server().receiveCapacity();
        long address = engines.server().receiveAddress();
        assertThat(engines.server().read(buffer, RECORD)).isEqualTo(100);
        assertThat(engines.server().read(buffer, RECORD)).isEqualTo(EngineStatus.WANT_READ);
        assertThat(capacity).isGreaterThanOrEqualTo(second.length);
        RawMemory.copy(second, 0, address, second.length);
        engines.server().received(second.length);

        assertThat(engines.server().read(buffer, RECORD)).isEqualTo(100);
        assertThat(RawMemory.getByte(buffer)).isEqualTo((byte) 2);
    }

    @Test
    void keepsUnsentBytesInPlaceDuringWrites() {
        Engines engines = engines(ContextBuilder.DEFAULT_RING_BYTES);
        engines.client().write(buffer, 100);
        long address = engines.client().sendAddress();
        int length = engines.client().sendLength();
        byte[] before = new byte[length];
        RawMemory.copy(address, before, 0, length);
        while (engines.client().write(buffer, 1000) > 0) {
            // fill the ring
        }
        byte[] after = new byte[length];
        RawMemory.copy(address, after, 0, length);

        assertThat(after).isEqualTo(before);
        assertThat(engines.client().sendAddress()).isEqualTo(address);
    }

    @Test
    void reportsPendingPlaintext() {
        Engines engines = engines(ContextBuilder.DEFAULT_RING_BYTES);
        put(engines.server(), record(engines.client(), 1));

        assertThat(engines.server().hasPendingPlaintext()).isTrue();
        assertThat(engines.server().read(buffer, 60)).isEqualTo(60);
        assertThat(engines.server().hasPendingPlaintext()).isTrue();
        assertThat(engines.server().read(buffer, 60)).isEqualTo(40);
        assertThat(engines.server().hasPendingPlaintext()).isFalse();
    }

    @Test
    void aFullReceiveRingHasNoRoom() {
        OurPeer server = server(serverWith(CERTIFICATES.server()));
        MemoryEngine engine = (MemoryEngine) server.engine();
        int capacity = engine.receiveCapacity();
        engine.received(capacity);

        assertThat(capacity).isEqualTo(ContextBuilder.DEFAULT_RING_BYTES);
        assertThat(engine.receiveCapacity()).isZero();
    }

    @Test
    void rejectsImpossibleCounts() {
        Engines engines = engines(ContextBuilder.DEFAULT_RING_BYTES);
        int capacity = engines.server().receiveCapacity();

        assertThatThrownBy(() -> engines.server().received(capacity + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("count=" + (capacity + 1));
        assertThatThrownBy(() -> engines.server().received(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> engines.server().sent(1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sendLength=0");
    }

    @Test
    void aClosedEngineHoldsAndAcceptsNothing() {
        Engines engines = engines(ContextBuilder.DEFAULT_RING_BYTES);
        engines.server().receiveCapacity();
        engines.server().close();
        engines.server().received(10);
        engines.server().sent(10);
        engines.server().receivedEndOfStream();

        assertThat(engines.server().receiveCapacity()).isZero();
        assertThat(engines.server().sendLength()).isZero();
        assertThat(engines.server().sendAddress()).isZero();
    }

    @Test
    void rejectsAContextOfTheOtherRole() {
        TlsContext server = closing(serverWith(CERTIFICATES.server()).build());
        TlsContext client = closing(trustingClient().build());

        assertThatThrownBy(() -> MemoryEngine.server(client)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MemoryEngine.client(server, "localhost")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DescriptorEngine.server(client, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    private byte[] record(MemoryEngine engine, int content) {
        RawMemory.putByte(buffer, (byte) content);
        assertThat(engine.write(buffer, 100)).isEqualTo(100);
        byte[] bytes = new byte[engine.sendLength()];
        RawMemory.copy(engine.sendAddress(), bytes, 0, bytes.length);
        engine.sent(bytes.length);
        return bytes;
    }

    private static void put(MemoryEngine engine, byte[] bytes) {
        assertThat(engine.receiveCapacity()).isGreaterThanOrEqualTo(bytes.length);
        RawMemory.copy(bytes, 0, engine.receiveAddress(), bytes.length);
        engine.received(bytes.length);
    }
}
