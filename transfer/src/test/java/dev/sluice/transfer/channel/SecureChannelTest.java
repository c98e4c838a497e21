package dev.sluice.transfer.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class SecureChannelTest {
    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @Test
    void makesTls13WithTheStrongestGroupThatOpenSslHas() throws Exception {
        try (Ends ends = Ends.open()) {
            assertThat(ends.client().handshake().version()).isEqualTo("TLSv1.3");
            assertThat(ends.client().handshake().cipher()).isEqualTo("TLS_AES_256_GCM_SHA384");
            boolean hybrid = OpenSsl.require().supportsGroup("X25519MLKEM768");
            assertThat(ends.server().handshake().group()).isEqualTo(hybrid ? "X25519MLKEM768" : "X25519");
            assertThat(ends.client().handshake().group())
                    .isEqualTo(ends.server().handshake().group());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16_383, 16_384, 16_385, 65_536, 65_537, 1_000_000, 5_000_000})
    void carriesBytesInBothDirectionsAtOnce(int length) throws Exception {
        byte[] up = random(length, 1);
        byte[] down = random(length, 2);
        try (Ends ends = Ends.open()) {
            CompletableFuture<?> clientSends = Ends.async(() -> send(ends.client(), up));
            CompletableFuture<?> serverSends = Ends.async(() -> send(ends.server(), down));
            CompletableFuture<byte[]> serverReceives = Ends.async(() -> Ends.receive(ends.server(), length));
            assertThat(Ends.receive(ends.client(), length)).isEqualTo(down);
            assertThat(serverReceives.join()).isEqualTo(up);
            clientSends.join();
            serverSends.join();
            assertThat(ends.client().incoming().await()).isFalse();
            assertThat(ends.server().incoming().await()).isFalse();
        }
    }

    private static boolean send(SecureChannel channel, byte[] bytes) throws ChannelException {
        Ends.send(channel, bytes);
        channel.finish();
        return true;
    }

    @Test
    void carriesBytesThroughIovecs() throws Exception {
        byte[] bytes = random(200_000, 3);
        try (Ends ends = Ends.open()) {
            CompletableFuture<byte[]> received = Ends.async(() -> scatter(ends.server(), bytes.length));
            int done = 0;
            while (done < bytes.length) {
                done += gather(ends.client().outgoing(), bytes, done);
                ends.client().send();
            }
            assertThat(received.join()).isEqualTo(bytes);
        }
    }

    /** Plays the part of preadv(2), which may read less than it was asked for. */
    private static int gather(OutgoingBatch batch, byte[] from, int index) {
        batch.putInt(index);
        int wanted = batch.gather(Math.min(from.length - index, 40_000));
        int done = 0;
        for (int i = 0; i < batch.iovecCount(); i++) {
            long base = RawMemory.getLong(batch.iovecAddress() + 16L * i);
            int length = (int) RawMemory.getLong(batch.iovecAddress() + 16L * i + 8);
            RawMemory.copy(from, index + done, base, length);
            done += length;
        }
        assertThat(done).isEqualTo(wanted);
        int less = wanted - wanted / 3;
        batch.filled(less);
        batch.endRecord();
        return less;
    }

    /** Plays the part of pwritev(2). */
    private static byte[] scatter(SecureChannel channel, int length) throws ChannelException {
        byte[] to = new byte[length];
        IncomingBatch batch = channel.incoming();
        int done = 0;
        while (done < length) {
            assertThat(batch.getInt()).isEqualTo(done);
            int chunk = Math.min(length - done, 40_000);
            chunk -= chunk / 3;
            while (chunk > 0) {
                assertThat(batch.await()).isTrue();
                int taken = copyOut(batch, batch.scatter(chunk), to, done);
                batch.taken(taken);
                chunk -= taken;
                done += taken;
            }
        }
        return to;
    }

    private static int copyOut(IncomingBatch batch, int described, byte[] to, int index) {
        int done = 0;
        for (int i = 0; i < batch.iovecCount(); i++) {
            long base = RawMemory.getLong(batch.iovecAddress() + 16L * i);
            int length = (int) RawMemory.getLong(batch.iovecAddress() + 16L * i + 8);
            RawMemory.copy(base, to, index + done, length);
            done += length;
        }
        assertThat(done).isEqualTo(described);
        return done;
    }

    /** More records than one receive opens, and records that span the end of the slab at every offset. */
    @Test
    void carriesManySmallRecords() throws Exception {
        int count = 30_000;
        try (Ends ends = Ends.open(Ends.SETTINGS.withRecords(64))) {
            CompletableFuture<Boolean> sent = Ends.async(() -> {
                OutgoingBatch batch = ends.client().outgoing();
                for (int i = 0; i < count; i++) {
                    if (batch.room() < 2 * OutgoingBatch.RECORD_BYTES) {
                        ends.client().send();
                    }
                    batch.putLong(i);
                    batch.put(new byte[i % 700], 0, i % 700);
                    batch.endRecord();
                }
                ends.client().send();
                return true;
            });
            IncomingBatch batch = ends.server().incoming();
            for (int i = 0; i < count; i++) {
                assertThat(batch.getLong()).isEqualTo(i);
                batch.skip(i % 700);
            }
            assertThat(sent.join()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void carriesBytesOfBuffers(boolean direct) throws Exception {
        byte[] bytes = random(300_000, 5);
        try (Ends ends = Ends.open()) {
            CompletableFuture<ByteBuffer> received = Ends.async(() -> {
                ByteBuffer all = direct ? ByteBuffer.allocateDirect(400_000) : ByteBuffer.allocate(400_000);
                ByteChannel in = ends.server().bytes();
                int count = in.read(all);
                while (count >= 0) {
                    count = in.read(all);
                }
                return all.flip();
            });
            ByteChannel out = ends.client().bytes();
            assertThat(out.write(ByteBuffer.wrap(bytes))).isEqualTo(bytes.length);
            ends.client().finish();
            assertThat(received.join()).isEqualTo(ByteBuffer.wrap(bytes));
            out.close();
            assertThat(out.isOpen()).isFalse();
            assertThatThrownBy(() -> out.write(ByteBuffer.allocate(1))).isInstanceOf(ClosedChannelException.class);
        }
    }

    @Test
    void updatesItsKeyByBytesAndByTime() throws Exception {
        byte[] bytes = random(3_000_000, 4);
        for (ChannelSettings settings : new ChannelSettings[] {
            Ends.SETTINGS.withKeyLimits(1, Duration.ofHours(1)),
            Ends.SETTINGS.withKeyLimits(1L << 40, Duration.ofNanos(1))
        }) {
            try (Ends ends = Ends.open(settings)) {
                CompletableFuture<byte[]> received = Ends.async(() -> Ends.receive(ends.server(), bytes.length));
                Ends.send(ends.client(), bytes);
                assertThat(received.join()).isEqualTo(bytes);
                assertThat(ends.client().keyUpdates()).isGreaterThan(20);
            }
        }
    }

    @Test
    void ignoresASilentPeerForALimitedTimeOnly() throws Exception {
        try (Ends ends = Ends.open(Ends.SETTINGS.withSilenceLimit(Duration.ofMillis(50)))) {
            assertFailure(() -> ends.client().incoming().await(), ChannelFailure.TIMED_OUT);
        }
    }

    @Test
    void failsWhenThePeerAcceptsNothing() throws Exception {
        try (Ends ends = Ends.open(Ends.SETTINGS.withSilenceLimit(Duration.ofMillis(50)))) {
            assertFailure(() -> Ends.send(ends.client(), new byte[50_000_000]), ChannelFailure.TIMED_OUT);
        }
    }

    @Test
    void endsAHandshakeWithASilentPeer() throws Exception {
        ChannelSocket[] pair = Ends.pair();
        ChannelSettings settings = Ends.SETTINGS.withHandshakeLimit(Duration.ofMillis(50));
        try (ChannelSocket _ = pair[1];
                OwnKey own = OwnKey.generate(OwnKeyType.ED25519)) {
            assertFailure(
                    () -> SecureChannel.connect(pair[0], own, AllowedKeys.of(own.fingerprint()), settings),
                    ChannelFailure.TIMED_OUT);
        }
    }

    @Test
    void abortEndsABlockedReceive() throws Exception {
        try (Ends ends = Ends.open()) {
            CompletableFuture<Boolean> receiving =
                    Ends.async(() -> ends.client().incoming().await());
            ends.client().abort();
            assertThat(Ends.failureOf(receiving)).isInstanceOf(ChannelException.class);
        }
    }

    @Test
    void closeEndsABlockedReceive() throws Exception {
        try (Ends ends = Ends.open()) {
            CompletableFuture<Boolean> receiving =
                    Ends.async(() -> ends.client().incoming().await());
            ends.client().close();
            assertThat(Ends.failureOf(receiving)).isInstanceOf(ChannelException.class);
            assertFailure(() -> ends.client().send(), ChannelFailure.ABORTED);
            ends.client().close();
        }
    }

    @Test
    void endInsideAMessageIsAnErrorOfItsOwn() throws Exception {
        try (Ends ends = Ends.open()) {
            ends.client().outgoing().putShort(1);
            ends.client().send();
            ends.client().finish();
            assertFailure(() -> ends.server().incoming().getInt(), ChannelFailure.UNEXPECTED_END);
        }
    }

    @Test
    void connectsOverTcp() throws Exception {
        try (ChannelListener listener = ChannelListener.open(Ends.loopback(0))) {
            CompletableFuture<ChannelSocket> accepted = Ends.async(() -> listener.accept(Duration.ofSeconds(20)));
            ChannelSocket connected = ChannelSocket.connect(listener.address(), Duration.ofSeconds(20));
            try (Ends ends = Ends.open(connected, accepted.join(), Ends.SETTINGS)) {
                ends.client().outgoing().putLong(42);
                ends.client().send();
                assertThat(ends.server().incoming().getLong()).isEqualTo(42);
            }
            assertFailure(() -> listener.accept(Duration.ofMillis(20)), ChannelFailure.TIMED_OUT);
        }
    }

    @Test
    void reportsARefusedConnection() throws Exception {
        SocketAddress address;
        try (ChannelListener listener = ChannelListener.open(Ends.loopback(0))) {
            address = listener.address();
        }
        assertFailure(() -> ChannelSocket.connect(address, Duration.ofSeconds(20)), ChannelFailure.CONNECTION);
    }

    private static void assertFailure(ThrowingCallable call, ChannelFailure expected) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ChannelException.class, e -> assertThat(e.failure()).isEqualTo(expected));
    }

    private static byte[] random(int length, int seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
