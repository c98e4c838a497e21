package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.OwnState;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.TlsContext;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A measurement of all memory of an idle established server connection, on and off the heap. */
class IdleStateTest {
    private static final int MAX_BYTES = 512;

    private static final Credential SERVER = TestCertificates.shared().server();

    private final Ledger ledger = Ledger.process();
    private final long nativeBefore = ledger.liveBytes();
    private final LoopCrypto crypto = new LoopCrypto(new MallocAllocator(), 20 * 1024, 8);
    private final TlsContext serverContext = TlsContext.server()
            .certificate(SERVER.chainFile(), SERVER.keyFile())
            .build();

    @AfterEach
    void close() {
        crypto.close();
        serverContext.close();
        assertThat(ledger.liveBytes()).isEqualTo(nativeBefore);
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void anIdleEngineUsesLittleMemory(ProtocolVersion version) {
        try (DirectEngine other = established(version);
                DirectEngine engine = established(version)) {
            OwnState state = OwnState.of(engine, other);

            assertThat(crypto.leasedBuffers()).isZero();
            assertThat(state.bytes() + nativeBytesOfOne(version))
                    .as("on the heap: %s", state.byClass())
                    .isLessThanOrEqualTo(MAX_BYTES);
        }
    }

    @Test
    void detachedRecordsUseLessMemory() {
        ProtocolVersion version = ProtocolVersion.TLS_1_3;
        try (DirectEngine first = established(version);
                DirectEngine second = established(version);
                DirectRecords other = handedOff(first);
                DirectRecords records = handedOff(second)) {
            OwnState state = OwnState.of(records, other);

            assertThat(state.bytes() + nativeBytesOfOne(version))
                    .as("on the heap: %s", state.byClass())
                    .isLessThanOrEqualTo(MAX_BYTES * 3 / 4);
        }
    }

    /** Returns the native bytes of one connection, as the increase by one more. */
    private int nativeBytesOfOne(ProtocolVersion version) {
        Ledger.Account keys = ledger.account("connection keys");
        long before = keys.liveBytes();
        try (DirectEngine engine = established(version)) {
            assertThat(engine.detached()).isEqualTo(Detach.DIRECT);
            return Math.toIntExact(keys.liveBytes() - before);
        }
    }

    private static DirectRecords handedOff(DirectEngine engine) {
        return Objects.requireNonNull(engine.handOff(unsent -> unsent.release(), unread -> unread.release()));
    }

    private DirectEngine established(ProtocolVersion version) {
        DirectEngine server = DirectEngine.server(serverContext, crypto);
        try (TlsContext context = TlsContext.client()
                        .trust(TestCertificates.shared().rootFile())
                        .versions(version, version)
                        .build();
                MemoryEngine client = MemoryEngine.client(context, "localhost")) {
            while (client.handshake() != EngineStatus.DONE || server.handshake() != EngineStatus.DONE) {
                move(client, server);
                server.handshake();
                move(server, client);
            }
            move(client, server);
            move(server, client);
        }
        return server;
    }

    private static void move(BufferedEngine from, BufferedEngine to) {
        while (from.sendLength() > 0) {
            int count = Math.min(from.sendLength(), to.receiveCapacity());
            RawMemory.copy(from.sendAddress(), to.receiveAddress(), count);
            from.sent(count);
            to.received(count);
        }
    }
}
