package dev.sluice.interop.peer;

import dev.sluice.interop.fixture.TlsClient;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import javax.net.ssl.SSLSocket;

/** The JDK's own TLS, in this process. */
final class JdkConnection implements PeerConnection {
    private final Socket raw;
    private final SSLSocket tls;
    private final Received received;

    private JdkConnection(Socket raw, SSLSocket tls) throws IOException {
        this.raw = raw;
        this.tls = tls;
        this.received = new Received(tls.getInputStream());
    }

    static JdkConnection open(int port, String version) throws IOException {
        Socket raw = TlsClient.raw(port);
        try {
            return new JdkConnection(raw, TlsClient.over(raw, "TLSv" + version));
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    @Override
    public String suite() {
        return tls.getSession().getCipherSuite();
    }

    @Override
    public void write(byte[] bytes, int from, int to) throws IOException {
        tls.getOutputStream().write(bytes, from, to - from);
    }

    @Override
    public void updateKeys(boolean ask) {
        // It does so by itself.
    }

    @Override
    public void closeNotify() throws IOException {
        tls.shutdownOutput();
    }

    @Override
    public void endStream() throws IOException {
        raw.shutdownOutput();
    }

    @Override
    public void reset() throws IOException {
        TlsClient.reset(raw);
    }

    @Override
    public InputStream received() {
        return received;
    }

    @Override
    public PeerEnd awaitEnd() {
        return received.end;
    }

    @Override
    public int updatesReceived() {
        return 0;
    }

    @Override
    public String trouble() {
        return received.trouble;
    }

    @Override
    public void close() {
        try {
            raw.close();
        } catch (IOException e) {
            throw new AssertionError("a socket cannot be closed", e);
        }
    }

    /** A reader that ends where the JDK throws, and keeps what it threw. */
    private static final class Received extends FilterInputStream {
        private volatile PeerEnd end = PeerEnd.CLOSE_NOTIFY;
        private volatile String trouble = "";

        Received(InputStream stream) {
            super(stream);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            try {
                return super.read(bytes, offset, length);
            } catch (IOException e) {
                end = endOf(e);
                trouble = e.toString();
                return -1;
            }
        }

        private static PeerEnd endOf(IOException thrown) {
            Throwable origin = thrown.getCause() == null ? thrown : thrown.getCause();
            return switch (origin) {
                case SocketException reset -> PeerEnd.RESET;
                case EOFException cut -> PeerEnd.TRUNCATED;
                default -> PeerEnd.ERROR;
            };
        }
    }
}
