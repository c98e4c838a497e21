package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.memory.Slab;
import dev.sluice.net.LoopStatistics.Counter;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.DirectEngine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing on its way is copied but by the cipher, over TCP, TLS 1.2 and TLS 1.3; and where it is, it is little. */
@ParameterizedClass
@MethodSource("dev.sluice.net.Setups#all")
final class CopiesTest extends ConformanceTest {
    private static final int MESSAGES = 200;
    private static final int BULK_BYTES = 20_000_000;

    private final TestCertificates authority = TestCertificates.shared();
    private final TlsContext context = TlsContext.server()
            .certificate(authority.server().chainFile(), authority.server().keyFile())
            .build();

    @AfterEach
    void freeContext() {
        fixture.close();
        context.close();
    }

    @Test
    void smallMessagesAreNotCopied() throws IOException {
        for (Socket peer : peers(new Echo())) {
            try (peer) {
                for (int size : new int[] {1, 128, 1024, 4096, 16_000}) {
                    exchange(peer, randomBytes(size));
                }
            }
        }
        assertThat(copied()).isZero();
    }

    private static void exchange(Socket peer, byte[] message) throws IOException {
        for (int i = 0; i < MESSAGES; i++) {
            peer.getOutputStream().write(message);
            byte[] back = peer.getInputStream().readNBytes(message.length);
            assertThat(Arrays.equals(back, message)).isTrue();
        }
    }

    @Test
    void bulkThatIsSentIsNotCopied() throws IOException {
        for (Socket peer : peers(new Source())) {
            try (peer) {
                peer.getOutputStream().write(1);
                assertThat(peer.getInputStream().readNBytes(BULK_BYTES)).hasSize(BULK_BYTES);
            }
        }
        assertThat(copied()).isZero();
    }

    /** The begin of a record may have to move to the front of its buffer, until receives end where records do. */
    @Test
    void ofBulkThatIsReceivedHardlyAnyByteIsCopied() throws IOException {
        for (Socket peer : peers(new Sink())) {
            long before = copied();
            try (peer) {
                peer.getOutputStream().write(new byte[BULK_BYTES]);
                assertThat(peer.getInputStream().read()).isEqualTo(Sink.DONE);
            }
            assertThat(copied() - before).isLessThanOrEqualTo(BULK_BYTES / 1000);
        }
    }

    private long copied() {
        return fixture.loop.statistics().get(Counter.BYTES_COPIED);
    }

    /** A plain connection, one with TLS 1.2 and one with TLS 1.3. */
    private List<Socket> peers(ConnectionHandler handler) throws IOException {
        List<Socket> peers = new ArrayList<>();
        peers.add(connect(fixture.listen(new Plain(handler))));
        InetSocketAddress tls = fixture.listen(new TlsAcceptor(
                () -> DirectEngine.server(context, fixture.loop.loopCrypto()), LIMIT.toMillis(), handler));
        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            peers.add(new JdkTls(authority).connect(tls, version));
        }
        return peers;
    }

    private record Plain(ConnectionHandler handler) implements AcceptHandler {
        @Override
        public void onAccepted(TcpConnection connection, SocketAddress peer) {
            connection.handler(handler);
            connection.startReceiving();
        }

        @Override
        public void onAcceptFailed(ConnectionFailure failure) {
            throw new AssertionError(failure.message());
        }
    }

    /** The common part of the two: one connection at a time. */
    private abstract static class Bulk implements ConnectionHandler {
        @Override
        public void onEndOfStream(Connection connection) {
            connection.close();
        }

        @Override
        public void onFailed(Connection connection, ConnectionFailure failure) {
            // The peer has what it wanted and is gone.
        }

        @Override
        public void onClosed(Connection connection) {
            // Nothing is kept.
        }
    }

    /** A source that sends on request. */
    private static final class Source extends Bulk {
        private static final long MOST_QUEUED_BYTES = 200_000;

        private int left;

        @Override
        public void onReceived(Connection connection, Slab buffer) {
            buffer.release();
            left = BULK_BYTES;
            fill(connection);
        }

        @Override
        public void onSent(Connection connection) {
            fill(connection);
        }

        private void fill(Connection connection) {
            while (left > 0 && connection.queuedBytes() < MOST_QUEUED_BYTES) {
                Slab slab = connection.loop().buffers().lease();
                if (slab == null) {
                    return;
                }
                int length = Math.min(left, BufferGeometry.PAYLOAD);
                slab.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + length);
                left -= length;
                connection.send(slab);
            }
        }
    }

    /** A sink of bulk data that answers with one byte. */
    private static final class Sink extends Bulk {
        static final int DONE = 7;

        private int received;

        @Override
        public void onReceived(Connection connection, Slab buffer) {
            received += buffer.length();
            buffer.release();
            if (received == BULK_BYTES) {
                received = 0;
                connection.send(slab(connection.loop(), new byte[] {DONE}));
            }
        }

        @Override
        public void onSent(Connection connection) {
            // Only the answer is sent.
        }
    }
}
