package dev.sluice.jsse.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Data on an established connection. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.socket.SocketCase#all")
final class SocketDataTest extends SocketConformance {
    private static final int[] SIZES = {1, 100, 1024, 16_383, 16_384, 16_385, 100_000, 1_000_000};

    SocketDataTest(SocketCase testCase) {
        super(testCase);
    }

    @Test
    void sendsAndReceivesEverySize() throws Exception {
        establish();
        for (int size : SIZES) {
            byte[] data = bytes(size);
            Future<byte[]> atPeer = async(() -> peer().getInputStream().readNBytes(size));
            write(subject(), data);
            assertThat(await(atPeer)).isEqualTo(data);
            Future<?> written = async(() -> write(peer(), data));
            assertThat(subject().getInputStream().readNBytes(size)).isEqualTo(data);
            await(written);
        }
    }

    @Test
    void sendsAndReceivesSingleBytes() throws Exception {
        establish();
        OutputStream out = subject().getOutputStream();
        for (int value : new int[] {0, 1, 127, 128, 255}) {
            out.write(value);
            assertThat(peer().getInputStream().read()).isEqualTo(value);
            peer().getOutputStream().write(value);
            assertThat(subject().getInputStream().read()).isEqualTo(value);
        }
    }

    @Test
    void readsIntoPartsOfArrays() throws Exception {
        establish();
        byte[] data = bytes(1000);
        write(peer(), data);
        InputStream in = subject().getInputStream();
        byte[] target = new byte[2000];
        int received = 0;
        while (received < data.length) {
            int length = Math.min(7, data.length - received);
            received += in.read(target, 100 + received, length);
        }
        assertThat(Arrays.copyOfRange(target, 100, 1100)).isEqualTo(data);
        assertThat(Arrays.copyOf(target, 100)).containsOnly(0);
        assertThat(Arrays.copyOfRange(target, 1100, 2000)).containsOnly(0);
    }

    @Test
    void writesPartsOfArrays() throws Exception {
        establish();
        byte[] data = bytes(1000);
        subject().getOutputStream().write(data, 10, 20);
        subject().getOutputStream().write(data, 500, 500);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        expected.write(data, 10, 20);
        expected.write(data, 500, 500);
        assertThat(peer().getInputStream().readNBytes(520)).isEqualTo(expected.toByteArray());
    }

    @Test
    void reportsWhatIsAvailable() throws Exception {
        establish();
        InputStream in = subject().getInputStream();
        assertThat(in.available()).isZero();
        write(peer(), "0123456789");
        assertThat(in.read()).isEqualTo('0');
        assertThat(in.available()).isEqualTo(9);
        assertThat(in.readNBytes(9)).isEqualTo("123456789".getBytes(StandardCharsets.US_ASCII));
        assertThat(in.available()).isZero();
    }

    @Test
    void doesNothingForEmptyReadsAndWrites() throws Exception {
        connectToPlainPeer();
        assertThat(subject().getInputStream().read(new byte[0])).isZero();
        assertThat(subject().getInputStream().read(new byte[5], 2, 0)).isZero();
        subject().getOutputStream().write(new byte[0]);
        subject().getOutputStream().flush();
        assertThat(peerTransport().getInputStream().available()).isZero();
    }

    @Test
    void rejectsWrongArguments() throws Exception {
        establish();
        InputStream in = subject().getInputStream();
        OutputStream out = subject().getOutputStream();
        byte[] array = new byte[4];
        assertThatThrownBy(() -> in.read(null, 0, 1)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> out.write(null, 0, 1)).isInstanceOf(NullPointerException.class);
        for (int[] wrong : new int[][] {{-1, 1}, {0, -1}, {0, 5}, {5, 0}, {3, 2}, {1, Integer.MAX_VALUE}}) {
            assertThatThrownBy(() -> in.read(array, wrong[0], wrong[1])).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> out.write(array, wrong[0], wrong[1]))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertUsable();
    }

    @Test
    void skipsAndTransfers() throws Exception {
        establish();
        byte[] data = bytes(50_000);
        Future<?> written = async(() -> {
            write(peer(), data);
            peer().close();
        });
        InputStream in = subject().getInputStream();
        in.skipNBytes(20_000);
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        in.transferTo(rest);
        assertThat(rest.toByteArray()).isEqualTo(Arrays.copyOfRange(data, 20_000, 50_000));
        await(written);
    }

    @Test
    void readsAndWritesAtTheSameTime() throws Exception {
        connect();
        byte[] data = bytes(1_000_000);
        Future<?> subjectWrites = async(() -> write(subject(), data));
        Future<?> peerWrites = async(() -> write(peer(), data));
        Future<byte[]> atPeer = async(() -> peer().getInputStream().readNBytes(data.length));
        Future<byte[]> atSubject = async(() -> subject().getInputStream().readNBytes(data.length));
        assertThat(await(atSubject)).isEqualTo(data);
        assertThat(await(atPeer)).isEqualTo(data);
        await(subjectWrites);
        await(peerWrites);
    }

    @Test
    void keepsTheWritesOfSeveralThreadsApart() throws Exception {
        establish();
        int writers = 4;
        int blocks = 50;
        int blockBytes = 1000;
        List<Future<?>> written = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            byte[] block = new byte[blockBytes];
            Arrays.fill(block, (byte) ('a' + i));
            written.add(async(() -> {
                for (int n = 0; n < blocks; n++) {
                    subject().getOutputStream().write(block);
                }
            }));
        }
        int[] counts = new int[writers];
        for (int n = 0; n < writers * blocks; n++) {
            byte[] block = peer().getInputStream().readNBytes(blockBytes);
            byte[] expected = new byte[blockBytes];
            Arrays.fill(expected, block[0]);
            assertThat(block).isEqualTo(expected);
            counts[block[0] - 'a']++;
        }
        assertThat(counts).containsOnly(blocks);
        for (Future<?> each : written) {
            await(each);
        }
    }

    @Test
    void staysUsableAfterATimeout() throws Exception {
        establish();
        subject().setSoTimeout(TIMEOUT_MILLIS);
        InputStream in = subject().getInputStream();
        assertThatThrownBy(in::read).isInstanceOf(SocketTimeoutException.class);
        assertThatThrownBy(() -> in.read(new byte[100])).isInstanceOf(SocketTimeoutException.class);
        subject().setSoTimeout(0);
        assertUsable();
    }

    @Test
    void staysUsableAfterATimeoutWithinARecord() throws Exception {
        establish();
        byte[] record = sealedByPeer("hello");
        subject().setSoTimeout(TIMEOUT_MILLIS);
        InputStream in = subject().getInputStream();
        for (int i = 0; i < record.length - 1; i += 10) {
            inject(Arrays.copyOfRange(record, i, Math.min(i + 10, record.length - 1)));
            assertThatThrownBy(in::read).isInstanceOf(SocketTimeoutException.class);
        }
        subject().setSoTimeout(0);
        inject(record[record.length - 1]);
        assertThat(read(subject(), 5)).isEqualTo("hello");
    }
}
