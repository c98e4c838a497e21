package dev.sluice.jsse.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Future;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLProtocolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Peers that do not speak TLS, or speak it wrongly. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.socket.SocketCase#all")
final class SocketBadInputTest extends SocketConformance {
    SocketBadInputTest(SocketCase testCase) {
        super(testCase);
    }

    @Test
    void rejectsPlainText() throws Exception {
        connectToPlainPeer();
        write(peerTransport(), testCase.isClient() ? "HTTP/1.1 400 Bad Request\r\n\r\n" : "GET / HTTP/1.1\r\n\r\n");
        assertFailsWith(SSLException.class);
    }

    @Test
    void rejectsGarbage() throws Exception {
        connectToPlainPeer();
        write(peerTransport(), bytes(10_000));
        assertFailsWith(SSLException.class);
    }

    @Test
    void rejectsAnAlert() throws Exception {
        connectToPlainPeer();
        inject(new byte[] {21, 3, 3, 0, 2, 2, 40});
        boolean unexpected = testCase.kind() == SocketKind.SLUICE && !testCase.isClient();
        assertFailsWith(unexpected ? SSLProtocolException.class : SSLHandshakeException.class);
    }

    @Test
    void rejectsGarbageInAHandshakeRecord() throws Exception {
        connectToPlainPeer();
        inject(new byte[] {22, 3, 3, 0, 5, 77, 0, 0, 1, 9});
        assertFailsWith(SSLException.class);
    }

    @Test
    void rejectsDataBeforeTheHandshake() throws Exception {
        connectToPlainPeer();
        inject(new byte[] {23, 3, 3, 0, 5, 1, 2, 3, 4, 5});
        assertFailsWith(SSLException.class);
    }

    @Test
    void rejectsTooLongARecord() throws Exception {
        connectToPlainPeer();
        inject(new byte[] {22, 3, 3, -1, -1, 1, 2, 3, 4, 5});
        peerTransport().shutdownOutput();
        assertFailsWith(SSLException.class);
    }

    @Test
    void reportsAPeerThatCloses() throws Exception {
        connectToPlainPeer();
        peerTransport().shutdownOutput();
        assertFailsWith(SSLHandshakeException.class);
    }

    @Test
    void reportsAPeerThatClosesWithinARecord() throws Exception {
        connectToPlainPeer();
        inject(new byte[] {22, 3, 3, 0, 100, 1, 0});
        peerTransport().shutdownOutput();
        assertFailsWith(SSLHandshakeException.class);
    }

    @Test
    void reportsAPeerThatResets() throws Exception {
        connectToPlainPeer();
        if (testCase.isClient()) {
            inject((byte) 22); // So that the ClientHello is not what meets the reset.
        }
        peerTransport().abort();
        assertThatThrownBy(subject()::startHandshake).isInstanceOf(SocketException.class);
        assertThat(subject().isClosed()).isTrue();
    }

    @Test
    void reportsTheFailureToReadersAndWriters() throws Exception {
        connectToPlainPeer();
        InputStream in = subject().getInputStream();
        OutputStream out = subject().getOutputStream();
        write(peerTransport(), "This is plain text.");
        assertThatThrownBy(in::read).isInstanceOf(SSLException.class);
        assertThatThrownBy(in::read).isInstanceOf(SSLException.class);
        assertThatThrownBy(() -> in.read(new byte[5])).isInstanceOf(SSLException.class);
        assertThatThrownBy(() -> out.write(1)).isInstanceOf(SocketException.class);
        assertThat(in.available()).isZero();
        assertThat(subject().isClosed()).isTrue();
    }

    // ---- after the handshake

    @Test
    void rejectsATamperedRecord() throws Exception {
        establish();
        byte[] record = sealedByPeer("hello");
        record[record.length - 1] ^= 1;
        inject(record);
        assertConnectionFails();
    }

    @Test
    void rejectsAReplayedRecord() throws Exception {
        establish();
        byte[] record = sealedByPeer("hello");
        inject(record);
        assertThat(read(subject(), 5)).isEqualTo("hello");
        inject(record);
        assertConnectionFails();
    }

    @Test
    void rejectsPlainTextAfterTheHandshake() throws Exception {
        establish();
        inject("This is plain text. ".repeat(2_000).getBytes(StandardCharsets.US_ASCII));
        assertConnectionFails();
    }

    @Test
    void rejectsTooLongARecordAfterTheHandshake() throws Exception {
        establish();
        inject(new byte[] {23, 3, 3, -1, -1, 0});
        peerTransport().shutdownOutput();
        assertConnectionFails();
    }

    /** Asserts that the next read fails, that the peer is told, and that the connection has ended. */
    private void assertConnectionFails() throws Exception {
        InputStream in = subject().getInputStream();
        OutputStream out = subject().getOutputStream();
        Future<Throwable> atPeer =
                async(() -> failure(() -> peer().getInputStream().read()));
        assertThatThrownBy(in::read).isInstanceOf(SSLException.class);
        assertThat(await(atPeer)).isInstanceOf(SSLException.class);
        assertThatThrownBy(in::read).isInstanceOf(SSLException.class);
        assertThatThrownBy(() -> out.write(1)).isInstanceOf(SocketException.class);
        assertThat(subject().isClosed()).isTrue();
        assertThat(subjectTransport().isClosed()).isTrue();
        assertThat(subject().getSession().isValid()).isFalse();
    }

    private void assertFailsWith(Class<? extends Exception> expected) {
        assertThatThrownBy(subject()::startHandshake).isInstanceOf(expected);
        assertThatThrownBy(subject()::startHandshake).isInstanceOf(SocketException.class);
        assertThat(subject().isClosed()).isTrue();
        assertThat(subjectTransport().isClosed()).isTrue();
        assertThat(subject().getSession().isValid()).isFalse();
    }
}
