package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.HandshakeHandler;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.TlsConnection;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.Faults;
import dev.sluice.simulator.RingRules;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.HandshakeInfo;
import dev.sluice.tls.engine.MemoryEngine;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** TLS that starts while a receive into a buffer is under way, whose bytes are the first of its stream. */
class LateBytesTest {
    /** The header of a ClientHello's record, and no more. */
    private static final byte[] BEGIN = {22, 3, 1, 1, 0};

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @Test
    void receivesBehindLateBytesAndNotOverThem() {
        TestCertificates authority = TestCertificates.shared();
        SimulatedWorld.Setting setting =
                new SimulatedWorld.Setting(Faults.none(), RingRules.LINUX_6_6, 8, 8, SimulatedWorld.MOST_SOCKET_BYTES);
        Accepting accepting = new Accepting();
        try (TlsContext context = TlsContext.server()
                        .certificate(
                                authority.server().chainFile(),
                                authority.server().keyFile())
                        .build();
                SimulatedWorld world = new SimulatedWorld(new Chance(1), Backend.EPOLL, setting)) {
            world.listen(accepting);
            world.dial();
            world.runUntil(() -> accepting.accepted != null);
            StreamConnection tcp = Objects.requireNonNull(accepting.accepted);
            MemoryEngine engine = MemoryEngine.server(context);

            tcp.startReceiving();
            tcp.stopReceiving();
            TlsStream.start(tcp, engine, 1_000, new Silent());
            tcp.receiveInto(engine.receiveAddress(), engine.receiveCapacity(), count -> {}); // as its pump does
            tcp.onReceived(BEGIN.length, late(world));
            world.runUntil(tcp::receivesLent);

            assertThat(tcp.receiveAddress).isEqualTo(engine.receiveAddress());
            assertThat(tcp.receiveCapacity).isEqualTo(engine.receiveCapacity());
        }
    }

    private static Slab late(SimulatedWorld world) {
        Slab buffer = Objects.requireNonNull(world.loop.buffers().lease());
        buffer.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + BEGIN.length);
        for (int i = 0; i < BEGIN.length; i++) {
            RawMemory.putByte(buffer.payloadAddress() + i, BEGIN[i]);
        }
        return buffer;
    }

    private static final class Accepting extends PlainEcho {
        private @Nullable StreamConnection accepted;

        @Override
        public void onAccepted(TcpConnection connection, SocketAddress peer) {
            connection.handler(this);
            accepted = (StreamConnection) connection;
        }
    }

    private static final class Silent implements HandshakeHandler {
        @Override
        public void onHandshake(TlsConnection connection, HandshakeInfo info) {
            throw new AssertionError("nobody has completed a handshake");
        }

        @Override
        public void onHandshakeFailed(TlsConnection connection, ConnectionFailure failure) {
            // The world ends.
        }
    }
}
