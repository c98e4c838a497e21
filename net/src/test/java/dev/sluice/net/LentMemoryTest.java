package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.MallocAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Receives into and sends from memory that is not the loop's. */
@ParameterizedClass
@MethodSource("dev.sluice.net.Setups#all")
final class LentMemoryTest extends ConformanceTest {
    private static final int BYTES = 1000;

    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment memory = allocator.allocate(BYTES, 8);

    @AfterEach
    void free() {
        // After the loop has closed: until then the kernel may write to it.
        fixture.close();
        allocator.free(memory);
    }

    @Test
    void receivesAndSendsWhereTheCallerSays() throws IOException {
        Recorder recorder = recorder(false);
        InetSocketAddress address = fixture.listen(recorder);
        try (Socket socket = connect(address)) {
            TcpConnection connection = LoopFixture.await(recorder.made);
            socket.getOutputStream().write(utf8("direct"));
            assertThat(receive(connection)).isEqualTo(6);
            assertThat(memory.asSlice(0, 6).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(utf8("direct"));
            CompletableFuture<Integer> sent = new CompletableFuture<>();
            fixture.run(() -> {
                connection.send(slab(fixture.loop, utf8("first ")));
                connection.sendFrom(memory.address(), 6, sent::complete);
                assertThat(connection.queuedBytes()).isEqualTo(12);
                assertThatThrownBy(() -> connection.sendFrom(memory.address(), 6, sent::complete))
                        .hasMessageContaining("another send from lent memory");
                assertThatThrownBy(() -> connection.send(slab(fixture.loop, new byte[1])))
                        .hasMessageContaining("during a send from lent memory");
            });
            assertThat(LoopFixture.await(sent)).isEqualTo(6);
            assertThat(socket.getInputStream().readNBytes(12)).isEqualTo(utf8("first direct"));
            socket.shutdownOutput();
            assertThat(receive(connection)).isZero();
            fixture.run(connection::close);
            LoopFixture.await(recorder.closed);
        }
    }

    @Test
    void aBufferThatWasUnderWayComesFirst() throws IOException {
        ByteArrayOutputStream direct = new ByteArrayOutputStream();
        Recorder recorder = recorder();
        InetSocketAddress address = fixture.listen(recorder);
        byte[] bytes = randomBytes(50_000);
        try (Socket socket = connect(address)) {
            TcpConnection connection = LoopFixture.await(recorder.made);
            CompletableFuture<Void> end = new CompletableFuture<>();
            fixture.run(() -> {
                connection.stopReceiving();
                receiveAll(connection, direct, end);
            });
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            LoopFixture.await(end);
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(recorder.received());
            all.writeBytes(direct.toByteArray());
            assertThat(all.toByteArray()).isEqualTo(bytes);
            fixture.run(connection::close);
            LoopFixture.await(recorder.closed);
        }
    }

    @Test
    void aReceiveThatIsUnderWayEndsWithTheConnection() throws IOException {
        Recorder recorder = recorder(false);
        InetSocketAddress address = fixture.listen(recorder);
        try (Socket socket = connect(address)) {
            TcpConnection connection = LoopFixture.await(recorder.made);
            CompletableFuture<Integer> received = new CompletableFuture<>();
            fixture.run(() -> {
                connection.receiveInto(memory.address(), BYTES, received::complete);
                assertThatThrownBy(connection::startReceiving).hasMessageContaining("receive into lent memory");
                assertThatThrownBy(() -> connection.receiveInto(memory.address(), BYTES, received::complete))
                        .hasMessageContaining("another receive into lent memory");
            });
            fixture.run(connection::abort);
            LoopFixture.await(recorder.closed);
            assertThat(received).isNotDone();
            assertThat(socket.isClosed()).isFalse();
        }
    }

    private int receive(TcpConnection connection) {
        CompletableFuture<Integer> received = new CompletableFuture<>();
        fixture.run(() -> connection.receiveInto(memory.address(), BYTES, received::complete));
        return LoopFixture.await(received);
    }

    private void receiveAll(TcpConnection connection, ByteArrayOutputStream to, CompletableFuture<Void> end) {
        connection.receiveInto(memory.address(), BYTES, count -> {
            if (count == 0) {
                end.complete(null);
            } else {
                to.writeBytes(memory.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE));
                receiveAll(connection, to, end);
            }
        });
    }
}
