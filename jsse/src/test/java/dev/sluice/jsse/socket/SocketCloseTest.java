package dev.sluice.jsse.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The ends of both and of one direction, truncation, and transports that outlive the socket. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.socket.SocketCase#all")
final class SocketCloseTest extends SocketConformance {
    SocketCloseTest(SocketCase testCase) {
        super(testCase);
    }

    @Test
    void readsTheEndAfterThePeerHasClosed() throws Exception {
        establish();
        InputStream in = subject().getInputStream();
        write(peer(), "last");
        peer().close();
        assertThat(in.readAllBytes()).hasSize(4);
        assertThat(in.read()).isEqualTo(-1);
        assertThat(in.read(new byte[10])).isEqualTo(-1);
        assertThat(in.available()).isZero();
        assertThat(subject().isClosed()).isFalse();
        assertThatThrownBy(subject()::getInputStream).isInstanceOf(SocketException.class);
    }

    @Test
    void letsThePeerReadTheEnd() throws Exception {
        establish();
        write(subject(), "last");
        subject().close();
        assertThat(peer().getInputStream().readAllBytes()).hasSize(4);
    }

    @Test
    void deliversDataAtACloseWithUnreadData() throws Exception {
        establish();
        write(peer(), "not read");
        InputStream arrived = subjectTransport().getInputStream();
        Waiting.until(Waiting.LIMIT, () -> available(arrived) > 0, () -> "nothing arrived");
        write(subject(), "last");
        subject().close();
        assertThat(read(peer(), 4)).isEqualTo("last");
        assertThat(peer().getInputStream().read()).isEqualTo(-1);
    }

    private static int available(InputStream in) {
        try {
            return in.available();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void doesNothingOnceClosed() throws Exception {
        establish();
        InputStream in = subject().getInputStream();
        OutputStream out = subject().getOutputStream();
        subject().close();
        subject().close();
        assertThat(subject().isClosed()).isTrue();
        assertThat(subjectTransport().isClosed()).isTrue();
        assertThat(subject().isConnected()).isTrue();
        assertThat(in.read()).isEqualTo(-1);
        assertThat(in.read(new byte[5])).isEqualTo(-1);
        assertThat(in.available()).isZero();
        assertThatThrownBy(() -> out.write(1)).isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> out.write(new byte[5])).isInstanceOf(SocketException.class);
        assertThatThrownBy(subject()::getInputStream).isInstanceOf(SocketException.class);
        assertThatThrownBy(subject()::getOutputStream).isInstanceOf(SocketException.class);
        assertThatThrownBy(subject()::startHandshake).isInstanceOf(SocketException.class);
        assertThat(subject().isOutputShutdown()).isTrue();
        in.close();
        out.close();
    }

    @Test
    void closesWithEitherStream() throws Exception {
        establish();
        subject().getInputStream().close();
        assertThat(subject().isClosed()).isTrue();
        assertThat(peer().getInputStream().read()).isEqualTo(-1);
        connect();
        handshake();
        subject().getOutputStream().close();
        assertThat(subject().isClosed()).isTrue();
        assertThat(peer().getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void closesBeforeTheHandshake() throws Exception {
        connect();
        subject().close();
        assertThat(subject().isClosed()).isTrue();
        assertThatThrownBy(peer()::startHandshake).isInstanceOf(IOException.class);
        assertThat(subject().getSession().isValid()).isFalse();
    }

    @Test
    void closesDuringTheHandshake() throws Exception {
        connectToPlainPeer();
        CountDownLatch begun = new CountDownLatch(1);
        Future<SSLSession> atSubject = async(() -> {
            begun.countDown();
            return subject().getSession();
        });
        begun.await();
        if (testCase.isClient()) {
            assertThat(peerTransport().getInputStream().read()).isEqualTo(22);
        }
        subject().close();
        assertThat(await(atSubject).isValid()).isFalse();
        assertThat(subject().isClosed()).isTrue();
        assertThat(subjectTransport().isClosed()).isTrue();
    }

    @Test
    void wakesABlockedReader() throws Exception {
        establish();
        InputStream in = subject().getInputStream();
        CountDownLatch reading = new CountDownLatch(1);
        Future<Integer> read = async(() -> {
            reading.countDown();
            return readOrEnd(in);
        });
        reading.await();
        subject().close();
        assertThat(await(read)).isEqualTo(-1);
        assertThat(peer().getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void wakesABlockedWriterWithinTheLingerTime() throws Exception {
        establish();
        subject().setSoLinger(true, 0);
        OutputStream out = subject().getOutputStream();
        Future<Throwable> written = async(() -> failure(() -> {
            while (true) {
                out.write(new byte[16_384]);
            }
        }));
        awaitFullTransport();
        subject().close();
        assertThat(await(written)).isInstanceOf(IOException.class);
        assertThat(subjectTransport().isClosed()).isTrue();
    }

    /** Waits until nothing more arrives at the peer's transport, since its buffer is full. */
    private void awaitFullTransport() throws Exception {
        InputStream in = peerTransport().getInputStream();
        int before = -1;
        while (available(in) != before || before == 0) {
            before = available(in);
            Thread.sleep(TIMEOUT_MILLIS);
        }
    }

    // ---- one direction

    @Test
    void closesTheOutputAlone() throws Exception {
        establish();
        write(subject(), "last");
        subject().shutdownOutput();
        subject().shutdownOutput();
        assertThat(subject().isOutputShutdown()).isTrue();
        assertThat(subject().isInputShutdown()).isFalse();
        assertThat(subject().isClosed()).isFalse();
        assertThatThrownBy(subject()::getOutputStream).isInstanceOf(SocketException.class);
        assertThatThrownBy(subject()::startHandshake).isInstanceOf(SocketException.class);
        assertThat(peer().getInputStream().readAllBytes()).hasSize(4);
        if (testCase.isTls13()) {
            write(peer(), "answer");
            assertThat(read(subject(), 6)).isEqualTo("answer");
            peer().close();
        }
        assertThat(subject().getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void writesAfterThePeerHasClosedItsOutput() throws Exception {
        establish();
        OutputStream out = subject().getOutputStream();
        peer().shutdownOutput();
        assertThat(subject().getInputStream().read()).isEqualTo(-1);
        if (testCase.isTls13()) {
            out.write("answer".getBytes(StandardCharsets.US_ASCII));
            assertThat(read(peer(), 6)).isEqualTo("answer");
        } else {
            assertThatThrownBy(() -> out.write(1)).isInstanceOf(SocketException.class);
        }
        subject().close();
        assertThat(peer().getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void failsWhenTheInputIsClosedBeforeItsEnd() throws Exception {
        establish();
        InputStream in = subject().getInputStream();
        assertThatThrownBy(subject()::shutdownInput).isInstanceOf(SSLException.class);
        assertThat(subject().isInputShutdown()).isTrue();
        assertThat(subject().isClosed()).isFalse();
        assertThat(in.read()).isEqualTo(-1);
        subject().shutdownInput();
        write(subject(), "hello");
        assertThat(read(peer(), 5)).isEqualTo("hello");
    }

    @Test
    void closesTheInputAfterItsEnd() throws Exception {
        establish();
        peer().close();
        assertThat(subject().getInputStream().read()).isEqualTo(-1);
        subject().shutdownInput();
        assertThat(subject().isInputShutdown()).isTrue();
    }

    @Test
    void closesTheInputBeforeTheHandshake() throws Exception {
        connect();
        subject().shutdownInput();
        assertThat(subject().isInputShutdown()).isTrue();
        assertThatThrownBy(subject()::startHandshake).isInstanceOf(SocketException.class);
    }

    @Test
    void closesTheOutputBeforeTheHandshake() throws Exception {
        connect();
        subject().shutdownOutput();
        assertThat(subject().isOutputShutdown()).isTrue();
        assertThatThrownBy(peer()::startHandshake).isInstanceOf(SSLHandshakeException.class);
    }

    // ---- ends without close_notify

    @Test
    void readsTheEndAfterATruncation() throws Exception {
        establish();
        write(peer(), "last");
        peerTransport().shutdownOutput();
        InputStream in = subject().getInputStream();
        assertThat(in.readAllBytes()).hasSize(4);
        assertThat(in.read()).isEqualTo(-1);
        assertThat(subject().isClosed()).isFalse();
    }

    @Test
    void readsTheEndAfterATruncationWithinARecord() throws Exception {
        establish();
        byte[] record = sealedByPeer("last");
        inject(Arrays.copyOf(record, record.length - 1));
        peerTransport().shutdownOutput();
        assertThat(subject().getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void readsTheEndAfterATruncationWithinAHeader() throws Exception {
        establish();
        inject(Arrays.copyOf(sealedByPeer("last"), 3));
        peerTransport().shutdownOutput();
        assertThat(subject().getInputStream().read(new byte[100])).isEqualTo(-1);
    }

    @Test
    void closesTheOutputAfterATruncationInTls12() throws Exception {
        establish();
        OutputStream out = subject().getOutputStream();
        peerTransport().shutdownOutput();
        assertThat(subject().getInputStream().read()).isEqualTo(-1);
        if (testCase.isTls13()) {
            out.write(1);
            assertThat(peer().getInputStream().read()).isEqualTo(1);
        } else {
            assertThatThrownBy(() -> out.write(1)).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void failsAfterAReset() throws Exception {
        establish();
        InputStream in = subject().getInputStream();
        OutputStream out = subject().getOutputStream();
        peerTransport().abort();
        assertThatThrownBy(in::read).isInstanceOf(SocketException.class);
        assertThatThrownBy(in::read).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> out.write(1)).isInstanceOf(SocketException.class);
        assertThat(subject().isClosed()).isTrue();
    }

    @Test
    void failsWhenTheTransportIsClosedByHand() throws Exception {
        establish();
        InputStream in = subject().getInputStream();
        OutputStream out = subject().getOutputStream();
        subjectTransport().close();
        assertThatThrownBy(() -> out.write(1)).isInstanceOf(SocketException.class);
        assertThatThrownBy(in::read).isInstanceOf(SocketException.class);
        subject().close();
        assertThat(subject().isClosed()).isTrue();
    }

    // ---- transports that outlive the socket

    @Test
    void leavesABorrowedTransportOpen() throws Exception {
        connect(false);
        handshake();
        assertUsable();
        Future<?> closed = async(() -> {
            assertThat(peer().getInputStream().read()).isEqualTo(-1);
            peer().close();
        });
        subject().close();
        await(closed);
        assertThat(subject().isClosed()).isTrue();
        assertThat(subjectTransport().isClosed()).isFalse();
        write(subjectTransport(), "plain");
        assertThat(read(peerTransport(), 5)).isEqualTo("plain");
    }

    @Test
    void readsNothingBeyondTheEndFromABorrowedTransport() throws Exception {
        connect(false);
        handshake();
        assertUsable();
        Future<?> closed = async(() -> {
            peer().close();
            write(peerTransport(), "plain");
        });
        assertThat(subject().getInputStream().read()).isEqualTo(-1);
        subject().close();
        await(closed);
        assertThat(read(subjectTransport(), 5)).isEqualTo("plain");
    }
}
