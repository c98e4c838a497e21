package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.testkit.AllocatedBytes;
import dev.sluice.tls.context.EngineConformance;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.TlsContext;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the data crypto allocates nothing on the heap. */
class AllocationTest extends EngineConformance {
    private static final int RECORDS = 20_000;
    private static final int BYTES = 200;

    private final Arena arena = Arena.ofConfined();
    private final long buffer = arena.allocate(20_000).address();

    AllocationTest() {
        super(EngineKind.MEMORY);
    }

    @AfterEach
    void closeArena() {
        arena.close();
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void recordsThroughMemoryEnginesAllocateNothing(ProtocolVersion version) {
        Pair pair = established(version);
        MemoryEngine client = (MemoryEngine) pair.client().engine();
        MemoryEngine server = (MemoryEngine) pair.server().engine();
        Runnable manyRecords = () -> {
            for (int i = 0; i < RECORDS; i++) {
                oneRecord(client, server);
            }
        };

        assertThat(AllocatedBytes.leastDuring(manyRecords)).isZero();
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void recordsThroughDirectEnginesAllocateNothing(ProtocolVersion version) {
        try (LoopCrypto crypto = new LoopCrypto(new MallocAllocator(), 20 * 1024, 4);
                TlsContext serverContext = serverWith(CERTIFICATES.server()).build();
                TlsContext clientContext =
                        trustingClient().versions(version, version).build();
                DirectEngine server = DirectEngine.server(serverContext, crypto);
                DirectEngine client = DirectEngine.client(clientContext, "localhost", crypto)) {
            while (client.handshake() != EngineStatus.DONE || server.handshake() != EngineStatus.DONE) {
                move(client, server);
                server.handshake();
                move(server, client);
            }
            move(client, server);
            move(server, client);
            require(client.read(buffer, BYTES) == EngineStatus.WANT_READ); // the ticket; then it detaches
            require(client.detached() == Detach.DIRECT && server.detached() == Detach.DIRECT);
            Runnable manyRecords = () -> {
                for (int i = 0; i < RECORDS; i++) {
                    oneRecord(client, server);
                    oneRecord(server, client);
                }
            };

            assertThat(AllocatedBytes.leastDuring(manyRecords)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void recordsThroughDescriptorEnginesAllocateNothing(ProtocolVersion version) {
        try (LibC libc = new LibC()) {
            int type = Constants.SOCK_STREAM | Constants.SOCK_NONBLOCK | Constants.SOCK_CLOEXEC;
            require(libc.socketpair(Constants.AF_UNIX, type, 0, buffer) == 0);
            int near = RawMemory.getInt(buffer);
            int far = RawMemory.getInt(buffer + Integer.BYTES);
            try (DescriptorEngine server = descriptorServer(near);
                    DescriptorEngine client = descriptorClient(far, version)) {
                while (server.handshake() != EngineStatus.DONE || client.handshake() != EngineStatus.DONE) {
                    require(client.handshake() != EngineStatus.FAILED && server.state() != EngineState.FAILED);
                }
                assertThat(AllocatedBytes.leastDuring(() -> manyRecords(client, server)))
                        .isZero();
            } finally {
                libc.close(near);
                libc.close(far);
            }
        }
    }

    private DescriptorEngine descriptorServer(int descriptor) {
        return DescriptorEngine.server(closing(serverWith(CERTIFICATES.server()).build()), descriptor);
    }

    private DescriptorEngine descriptorClient(int descriptor, ProtocolVersion version) {
        TlsContext context = closing(trustingClient().versions(version, version).build());
        return DescriptorEngine.client(context, "localhost", descriptor);
    }

    private void manyRecords(DescriptorEngine from, DescriptorEngine to) {
        for (int i = 0; i < RECORDS; i++) {
            require(from.write(buffer, BYTES) == BYTES);
            require(to.read(buffer, BYTES) == BYTES);
            require(to.read(buffer, BYTES) == EngineStatus.WANT_READ);
        }
    }

    private void oneRecord(BufferedEngine from, BufferedEngine to) {
        require(from.write(buffer, BYTES) == BYTES);
        move(from, to);
        require(to.read(buffer, BYTES) == BYTES);
        require(to.read(buffer, BYTES) == EngineStatus.WANT_READ);
    }

    private static void move(BufferedEngine from, BufferedEngine to) {
        while (from.sendLength() > 0) {
            int count = Math.min(from.sendLength(), to.receiveCapacity());
            RawMemory.copy(from.sendAddress(), to.receiveAddress(), count);
            from.sent(count);
            to.received(count);
        }
    }

    private static void require(boolean condition) {
        if (!condition) {
            throw new AssertionError("the engines do not carry records");
        }
    }
}
