package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers of every awkward kind, on an established connection unless a case says otherwise. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#all")
final class EngineBuffersTest {
    private static final int ROOM = 20_000;
    private static final byte FILL = (byte) 0xA5;

    private final ProviderPair pair;

    private EngineLink link;
    private SSLEngine client;
    private SSLEngine server;

    EngineBuffersTest(ProviderPair pair) {
        this.pair = pair;
    }

    @BeforeEach
    void connect() {
        link = pair.established();
        client = link.client().engine();
        server = link.server().engine();
    }

    @ParameterizedTest
    @EnumSource(BufferShape.class)
    void wrapsFromAndToEachShape(BufferShape from) throws SSLException {
        byte[] data = data(1000);
        for (BufferShape to : BufferShape.values()) {
            ByteBuffer source = from.holding(data);
            ByteBuffer target = to.room(ROOM);
            int start = target.position();
            SSLEngineResult result = client.wrap(source, target);
            assertThat(result.getStatus()).isEqualTo(Status.OK);
            assertThat(result.bytesConsumed()).isEqualTo(data.length);
            assertThat(source.hasRemaining()).isFalse();
            assertThat(target.position() - start).isEqualTo(result.bytesProduced());
            link.server().receive(bytes(target, start, target.position()));
            link.settle();
            assertThat(link.server().takePlain()).isEqualTo(data);
        }
    }

    @ParameterizedTest
    @EnumSource(BufferShape.class)
    void unwrapsFromAndToEachShape(BufferShape from) throws SSLException {
        byte[] data = data(1000);
        for (BufferShape to : BufferShape.values()) {
            link.client().send(data);
            byte[] wire = link.client().takeOutgoing();
            ByteBuffer source = from.holding(wire);
            ByteBuffer target = to.room(ROOM);
            int start = target.position();
            SSLEngineResult result = server.unwrap(source, target);
            assertThat(result.getStatus()).isEqualTo(Status.OK);
            assertThat(result.bytesConsumed()).isEqualTo(wire.length);
            assertThat(result.bytesProduced()).isEqualTo(data.length);
            assertThat(source.hasRemaining()).isFalse();
            assertThat(bytes(target, start, target.position())).isEqualTo(data);
        }
    }

    @Test
    void handshakesOnDirectBuffers() throws SSLException {
        EngineLink fresh = pair.link();
        SSLEngine ofClient = fresh.client().engine();
        ByteBuffer hello = ByteBuffer.allocateDirect(ROOM);
        ofClient.wrap(ByteBuffer.allocateDirect(0), hello);
        fresh.server().engine().unwrap(hello.flip(), ByteBuffer.allocateDirect(0));
        assertThat(hello.hasRemaining()).isFalse();
        fresh.handshake().assertCarriesData();
    }

    @Test
    void wrapReadsReadOnlySources() throws SSLException {
        byte[] data = data(100);
        for (ByteBuffer source : new ByteBuffer[] {BufferShape.HEAP.holding(data), BufferShape.DIRECT.holding(data)}) {
            link.client().wrap(source.asReadOnlyBuffer());
            link.settle();
            assertThat(link.server().takePlain()).isEqualTo(data);
        }
    }

    @Test
    void readOnlyTargetsAreRefusedAndHarmless() throws SSLException {
        ByteBuffer source = ByteBuffer.wrap(data(100));
        ByteBuffer target = ByteBuffer.allocate(ROOM).asReadOnlyBuffer();
        assertThatExceptionOfType(ReadOnlyBufferException.class).isThrownBy(() -> client.wrap(source, target));
        assertThat(source.remaining()).isEqualTo(100);
        link.client().send(data(100));
        ByteBuffer wire = ByteBuffer.wrap(link.client().takeOutgoing());
        assertThatExceptionOfType(ReadOnlyBufferException.class).isThrownBy(() -> server.unwrap(wire, target));
        assertThat(wire.position()).isZero();
        assertThat(server.unwrap(wire, ByteBuffer.allocate(ROOM)).bytesProduced())
                .isEqualTo(100);
        link.assertCarriesData();
    }

    @Test
    void oneReadOnlyTargetOfSeveralIsRefused() throws SSLException {
        link.client().send(data(10));
        ByteBuffer wire = ByteBuffer.wrap(link.client().takeOutgoing());
        ByteBuffer[] targets = {
            ByteBuffer.allocate(ROOM), ByteBuffer.allocate(1).asReadOnlyBuffer()
        };
        assertThatExceptionOfType(ReadOnlyBufferException.class).isThrownBy(() -> server.unwrap(wire, targets));
        assertThat(server.unwrap(wire, targets, 0, 1).bytesProduced()).isEqualTo(10);
    }

    @Test
    void unwrapOfReadOnlySource() throws SSLException {
        link.client().send(data(100));
        ByteBuffer wire = ByteBuffer.wrap(link.client().takeOutgoing()).asReadOnlyBuffer();
        ByteBuffer target = ByteBuffer.allocate(ROOM);
        assertThat(server.unwrap(wire, target).bytesProduced()).isEqualTo(100);
        assertThat(bytes(target, 0, 100)).isEqualTo(data(100));
    }

    @Test
    @SuppressWarnings("NullAway") // What a wrong call gets.
    void rejectsNullBuffers() throws SSLException {
        ByteBuffer some = ByteBuffer.allocate(ROOM);
        ByteBuffer[] holed = {some, null};
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> client.wrap((ByteBuffer) null, some));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> client.wrap(some, null));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> client.wrap((ByteBuffer[]) null, some));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> client.wrap(holed, some));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> client.unwrap(null, some));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> client.unwrap(some, (ByteBuffer) null));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> client.unwrap(some, (ByteBuffer[]) null));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> client.unwrap(some, holed));
        link.assertCarriesData();
    }

    @Test
    void rejectsRangesOutOfBounds() throws SSLException {
        ByteBuffer some = ByteBuffer.allocate(ROOM);
        ByteBuffer[] two = {some, some.duplicate()};
        int[][] ranges = {{-1, 1}, {0, 3}, {2, 1}, {1, 2}, {0, -1}, {1, Integer.MAX_VALUE}};
        for (int[] range : ranges) {
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> client.wrap(two, range[0], range[1], ByteBuffer.allocate(ROOM)));
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> client.unwrap(ByteBuffer.allocate(5), two, range[0], range[1]));
        }
        link.assertCarriesData();
    }

    @Test
    @SuppressWarnings("NullAway") // Entries that the call does not select.
    void nullBuffersOutsideOfTheRangeAreHarmless() throws SSLException {
        ByteBuffer[] sources = {null, ByteBuffer.wrap(data(10)), null};
        ByteBuffer sealed = ByteBuffer.allocate(ROOM);
        assertThat(client.wrap(sources, 1, 1, sealed).bytesConsumed()).isEqualTo(10);
        assertThat(client.wrap(sources, 0, 0, ByteBuffer.allocate(ROOM)).bytesProduced())
                .isZero();
        assertThat(client.wrap(sources, 3, 0, ByteBuffer.allocate(ROOM)).bytesProduced())
                .isZero();
        ByteBuffer[] targets = {null, ByteBuffer.allocate(ROOM), null};
        assertThat(server.unwrap(sealed.flip(), targets, 1, 1).bytesProduced()).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource(BufferShape.class)
    void targetTooSmallForWrapOverflows(BufferShape shape) throws SSLException {
        byte[] data = data(1000);
        ByteBuffer source = shape.holding(data);
        for (int room : new int[] {0, 1, 5, 500, 1000, 1005}) {
            ByteBuffer target = shape.room(room);
            int start = target.position();
            SSLEngineResult result = client.wrap(source, target);
            assertThat(result.getStatus()).isEqualTo(Status.BUFFER_OVERFLOW);
            assertThat(result.getHandshakeStatus()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
            assertThat(result.bytesConsumed()).isZero();
            assertThat(result.bytesProduced()).isZero();
            assertThat(source.remaining()).isEqualTo(data.length);
            assertThat(target.position()).isEqualTo(start);
        }
        link.client().wrap(source);
        link.settle();
        assertThat(link.server().takePlain()).isEqualTo(data);
    }

    @Test
    void targetThatFitsTheRecordAlone() throws SSLException {
        SSLEngineResult result = client.wrap(ByteBuffer.wrap(data(1000)), ByteBuffer.allocate(1100));
        Difference.TARGET_SMALLER_THAN_A_PACKET.check(
                pair.client(), result.getStatus().name());
    }

    @ParameterizedTest
    @EnumSource(BufferShape.class)
    void targetTooSmallForUnwrapOverflows(BufferShape shape) throws SSLException {
        byte[] data = data(1000);
        link.client().send(data);
        byte[] wire = link.client().takeOutgoing();
        ByteBuffer source = shape.holding(wire);
        for (int room : new int[] {0, 1, 500, 999}) {
            ByteBuffer target = shape.room(room);
            int start = target.position();
            SSLEngineResult result = server.unwrap(source, target);
            assertThat(result.getStatus()).isEqualTo(Status.BUFFER_OVERFLOW);
            assertThat(result.bytesConsumed()).isZero();
            assertThat(result.bytesProduced()).isZero();
            assertThat(source.remaining()).isEqualTo(wire.length);
            assertThat(target.position()).isEqualTo(start);
        }
        ByteBuffer target = shape.room(ROOM);
        int start = target.position();
        assertThat(server.unwrap(source, target).getStatus()).isEqualTo(Status.OK);
        assertThat(bytes(target, start, target.position())).isEqualTo(data);
    }

    @Test
    void handshakeRecordTooLargeForTargetOverflows() throws SSLException {
        SSLEngine fresh = pair.link().client().engine();
        SSLEngineResult result = fresh.wrap(ByteBuffer.allocate(0), ByteBuffer.allocate(10));
        assertThat(result.getStatus()).isEqualTo(Status.BUFFER_OVERFLOW);
        assertThat(result.getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_WRAP);
        assertThat(result.bytesProduced()).isZero();
        assertThat(fresh.getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_WRAP);
    }

    @Test
    void bytesOutsideOfTheTargetAreLeftAlone() throws SSLException {
        byte[] data = data(1000);
        for (boolean isDirect : new boolean[] {false, true}) {
            ByteBuffer sealed = filled(isDirect);
            sealed.position(100).limit(100 + 18_000);
            client.wrap(ByteBuffer.wrap(data), sealed);
            assertFilledOutside(sealed, 100, 18_100);
            ByteBuffer opened = filled(isDirect);
            opened.position(200).limit(200 + 17_000);
            link.server().receive(bytes(sealed, 100, sealed.position()));
            server.unwrap(link.server().incoming(), opened);
            assertThat(bytes(opened, 200, opened.position())).isEqualTo(data);
            assertFilledOutside(opened, 200, 17_200);
        }
    }

    private static ByteBuffer filled(boolean isDirect) {
        ByteBuffer buffer = isDirect ? ByteBuffer.allocateDirect(ROOM) : ByteBuffer.allocate(ROOM);
        for (int i = 0; i < ROOM; i++) {
            buffer.put(i, FILL);
        }
        return buffer;
    }

    private static void assertFilledOutside(ByteBuffer buffer, int from, int to) {
        ByteBuffer whole = buffer.duplicate().clear();
        assertThat(IntStream.concat(IntStream.range(0, from), IntStream.range(to, ROOM))
                        .filter(i -> whole.get(i) != FILL))
                .isEmpty();
    }

    @Test
    void wrapLeavesItsSourcesAlone() throws SSLException {
        byte[] data = data(5000);
        byte[] array = data.clone();
        client.wrap(ByteBuffer.wrap(array), ByteBuffer.allocate(ROOM));
        assertThat(array).isEqualTo(data);
    }

    @Test
    void unwrapLeavesTheNextRecordAlone() throws SSLException {
        link.client().send(data(300));
        byte[] first = link.client().takeOutgoing();
        link.client().send(data(200));
        byte[] second = link.client().takeOutgoing();
        ByteBuffer both = ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .flip();
        assertThat(server.unwrap(both, ByteBuffer.allocate(ROOM)).bytesConsumed())
                .isEqualTo(first.length);
        assertThat(bytes(both, first.length, both.limit())).isEqualTo(second);
    }

    @Test
    void gathersSeveralSources() throws SSLException {
        byte[] data = data(700);
        ByteBuffer[] sources = {
            ByteBuffer.wrap(new byte[] {1}),
            ByteBuffer.wrap(data, 0, 100),
            ByteBuffer.allocate(0),
            BufferShape.DIRECT.holding(Arrays.copyOfRange(data, 100, 300)),
            BufferShape.HEAP_SLICE.holding(Arrays.copyOfRange(data, 300, 600)),
            ByteBuffer.wrap(data, 600, 100).asReadOnlyBuffer(),
            ByteBuffer.wrap(new byte[] {2})
        };
        ByteBuffer target = ByteBuffer.allocate(ROOM);
        SSLEngineResult result = client.wrap(sources, 1, 5, target);
        assertThat(result.bytesConsumed()).isEqualTo(700);
        assertThat(sources[0].remaining()).isEqualTo(1);
        assertThat(sources[6].remaining()).isEqualTo(1);
        assertThat(IntStream.range(1, 6).filter(i -> sources[i].hasRemaining())).isEmpty();
        link.server().receive(bytes(target, 0, target.position()));
        link.settle();
        assertThat(link.server().takePlain()).isEqualTo(data);
    }

    @Test
    void gathersAThousandBytesOneByOne() throws SSLException {
        byte[] data = data(1000);
        ByteBuffer[] sources = IntStream.range(0, data.length)
                .mapToObj(i -> ByteBuffer.wrap(data, i, 1))
                .toArray(ByteBuffer[]::new);
        ByteBuffer target = ByteBuffer.allocate(ROOM);
        assertThat(client.wrap(sources, target).bytesConsumed()).isEqualTo(1000);
        link.server().receive(bytes(target, 0, target.position()));
        link.settle();
        assertThat(link.server().takePlain()).isEqualTo(data);
    }

    /** The sources hold more than a record: what is left over stays in the source where the record ended. */
    @Test
    void gathersNoMoreThanARecord() throws SSLException {
        byte[] data = data(30_000);
        ByteBuffer[] sources = {
            ByteBuffer.wrap(data, 0, 10_000),
            ByteBuffer.wrap(data, 10_000, 10_000),
            ByteBuffer.wrap(data, 20_000, 10_000)
        };
        ByteBuffer target = ByteBuffer.allocate(100_000);
        int consumed = 0;
        while (consumed < data.length) {
            SSLEngineResult result = client.wrap(sources, target);
            assertThat(result.bytesConsumed()).isBetween(1, 16_384);
            consumed += result.bytesConsumed();
            assertThat(Arrays.stream(sources).mapToInt(ByteBuffer::remaining).sum())
                    .isEqualTo(data.length - consumed);
        }
        link.server().receive(bytes(target, 0, target.position()));
        link.settle();
        assertThat(link.server().takePlain()).isEqualTo(data);
    }

    @Test
    void scattersToSeveralTargets() throws SSLException {
        byte[] data = data(700);
        link.client().send(data);
        ByteBuffer[] targets = {
            ByteBuffer.allocate(10),
            ByteBuffer.allocate(100),
            ByteBuffer.allocate(0),
            BufferShape.DIRECT.room(200),
            BufferShape.HEAP_OFFSET.room(1),
            BufferShape.DIRECT_OFFSET.room(ROOM),
            ByteBuffer.allocate(ROOM)
        };
        ByteBuffer wire = ByteBuffer.wrap(link.client().takeOutgoing());
        SSLEngineResult result = server.unwrap(wire, targets, 1, 5);
        assertThat(result.getStatus()).isEqualTo(Status.OK);
        assertThat(result.bytesProduced()).isEqualTo(700);
        assertThat(targets[0].position()).isZero();
        assertThat(targets[6].position()).isZero();
        assertThat(bytes(targets[1], 0, 100)).isEqualTo(Arrays.copyOfRange(data, 0, 100));
        assertThat(bytes(targets[3], 0, 200)).isEqualTo(Arrays.copyOfRange(data, 100, 300));
        assertThat(bytes(targets[4], 11, 12)).isEqualTo(Arrays.copyOfRange(data, 300, 301));
        assertThat(bytes(targets[5], 11, 11 + 399)).isEqualTo(Arrays.copyOfRange(data, 301, 700));
        assertThat(targets[5].position()).isEqualTo(11 + 399);
    }

    @Test
    void targetsTooSmallTogetherOverflow() throws SSLException {
        link.client().send(data(700));
        ByteBuffer wire = ByteBuffer.wrap(link.client().takeOutgoing());
        ByteBuffer[] targets = {ByteBuffer.allocate(300), ByteBuffer.allocate(399)};
        assertThat(server.unwrap(wire, targets).getStatus()).isEqualTo(Status.BUFFER_OVERFLOW);
        assertThat(targets[0].position()).isZero();
        assertThat(wire.position()).isZero();
        assertThat(server.unwrap(wire, ByteBuffer.allocate(ROOM)).bytesProduced())
                .isEqualTo(700);
    }

    /** Netty, among others, decrypts in place. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void unwrapsInPlace(boolean isDirect) throws SSLException {
        byte[] data = data(3000);
        for (int offset : new int[] {0, 5, 13, 100}) {
            link.client().send(data);
            byte[] wire = link.client().takeOutgoing();
            ByteBuffer source = isDirect ? ByteBuffer.allocateDirect(ROOM) : ByteBuffer.allocate(ROOM);
            source.put(wire).flip();
            ByteBuffer target = source.duplicate().clear().position(offset);
            SSLEngineResult result = server.unwrap(source, target);
            assertThat(result.bytesProduced()).as("offset %s", offset).isEqualTo(data.length);
            assertThat(bytes(target, offset, offset + data.length)).isEqualTo(data);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void wrapsInPlace(boolean isDirect) throws SSLException {
        byte[] data = data(3000);
        for (int offset : new int[] {0, 5, 13, 100}) {
            ByteBuffer target = isDirect ? ByteBuffer.allocateDirect(ROOM) : ByteBuffer.allocate(ROOM);
            target.put(offset, data);
            ByteBuffer source = target.duplicate().position(offset).limit(offset + data.length);
            assertThat(client.wrap(source, target).bytesConsumed()).isEqualTo(data.length);
            link.server().receive(bytes(target, 0, target.position()));
            link.settle();
            assertThat(link.server().takePlain()).as("offset %s", offset).isEqualTo(data);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 15, 16, 17, 1023, 16_383, 16_384, 16_385, 32_768, 40_000})
    void carriesEachSize(int size) throws SSLException {
        link.assertCarries(link.client(), data(size));
        link.assertCarries(link.server(), data(size));
    }

    @Test
    void emptyDataMakesNoRecord() throws SSLException {
        SSLEngineResult result = link.client().wrap(new byte[0]);
        assertThat(result.getStatus()).isEqualTo(Status.OK);
        assertThat(result.bytesProduced()).isZero();
        assertThat(link.client().takeOutgoing()).isEmpty();
        ByteBuffer[] none = {};
        assertThat(client.wrap(none, ByteBuffer.allocate(ROOM)).bytesProduced()).isZero();
        link.assertCarriesData();
    }

    @Test
    void bufferSizesHoldTheLargestRecord() throws SSLException {
        for (SSLEngine engine : new SSLEngine[] {client, server}) {
            int packet = engine.getSession().getPacketBufferSize();
            int application = engine.getSession().getApplicationBufferSize();
            assertThat(application).isBetween(16_384, 16_384 + 2048);
            assertThat(packet).isBetween(16_384 + 5 + 17, 16_384 + 5 + 2048);
        }
        ByteBuffer sealed = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
        int consumed = client.wrap(ByteBuffer.wrap(data(16_384)), sealed).bytesConsumed();
        assertThat(consumed).isBetween(16_000, 16_384);
        ByteBuffer opened = ByteBuffer.allocate(server.getSession().getApplicationBufferSize());
        assertThat(server.unwrap(sealed.flip(), opened).bytesProduced()).isEqualTo(consumed);
    }

    @Test
    void bufferSizesAreTheSameBeforeTheHandshake() {
        SSLEngine fresh = pair.link().client().engine();
        assertThat(fresh.getSession().getPacketBufferSize())
                .isGreaterThanOrEqualTo(client.getSession().getPacketBufferSize());
        assertThat(fresh.getSession().getApplicationBufferSize())
                .isGreaterThanOrEqualTo(client.getSession().getApplicationBufferSize());
    }

    @Test
    void positionsAreWhereResultsSay() throws SSLException {
        ByteBuffer source = ByteBuffer.allocate(50).position(7).limit(29);
        ByteBuffer target = ByteBuffer.allocate(ROOM).position(3);
        SSLEngineResult result = client.wrap(source, target);
        assertThat(source.position()).isEqualTo(29);
        assertThat(source.limit()).isEqualTo(29);
        assertThat(target.position()).isEqualTo(3 + result.bytesProduced());
        assertThat(target.limit()).isEqualTo(ROOM);
        assertThat(result.bytesConsumed()).isEqualTo(22);
        target.flip().position(3);
        ByteBuffer opened = ByteBuffer.allocate(ROOM).position(9);
        server.unwrap(target, opened);
        assertThat(target.hasRemaining()).isFalse();
        assertThat(opened.position()).isEqualTo(9 + 22);
        assertThat(opened.limit()).isEqualTo(ROOM);
    }

    private static byte[] bytes(ByteBuffer buffer, int from, int to) {
        byte[] bytes = new byte[to - from];
        buffer.duplicate().clear().get(from, bytes);
        return bytes;
    }

    private static byte[] data(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }
}
