package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.memory.Ledger;
import dev.sluice.memory.Slab;
import dev.sluice.testkit.NativeBalance;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;

/**
 * The common part of the tests of all backends: a running loop, and the check that descriptors and native memory are
 * back at the start after each test. Peers are the JDK's own sockets.
 */
abstract class ConformanceTest {
    static final Duration LIMIT = Duration.ofSeconds(LoopFixture.LIMIT_SECONDS);

    private static final long LOOK_MILLIS = 400;

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @Parameter
    @SuppressWarnings("NullAway.Init")
    EventLoopConfig config;

    @SuppressWarnings("NullAway.Init")
    LoopFixture fixture;

    private final List<Recorder> recorders = new ArrayList<>();

    @BeforeEach
    void startLoop() {
        fixture = new LoopFixture(config);
    }

    @AfterEach
    void stopLoop() {
        fixture.close();
        assertThat(fixture.uncaught).isEmpty();
        recorders.forEach(recorder -> assertThat(recorder.complaints).isEmpty());
    }

    Recorder recorder() {
        return recorder(true);
    }

    Recorder recorder(boolean receiveAtOnce) {
        Recorder recorder = new Recorder(receiveAtOnce);
        recorders.add(recorder);
        return recorder;
    }

    static Socket connect(InetSocketAddress address) throws IOException {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout(Math.toIntExact(LIMIT.toMillis()));
        socket.setTcpNoDelay(true);
        return socket;
    }

    /** Closes so that the other side sees RST. */
    static void reset(Socket socket) throws IOException {
        socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        socket.close();
    }

    /** A leased slab with bytes in it; on the loop's thread. */
    static Slab slab(EventLoop loop, byte[] bytes) {
        Slab slab = Objects.requireNonNull(loop.buffers().lease());
        slab.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + bytes.length);
        MemorySegment.copy(bytes, 0, slab.segment(), ValueLayout.JAVA_BYTE, slab.start(), bytes.length);
        return slab;
    }

    /** Lets some time pass in which the transport looks after connections from which nothing is received. */
    void letTheTransportLook() {
        CompletableFuture<Void> passed = new CompletableFuture<>();
        fixture.run(() -> fixture.loop.schedule(LOOK_MILLIS, () -> passed.complete(null)));
        LoopFixture.await(passed);
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] randomBytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }
}
