package dev.sluice.bench.calls;

import dev.sluice.bench.record.path.JdkEngines;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** One end of a TLS connection of the JDK. The first bytes make the handshake. */
final class TlsEnd implements StreamEnd {
    private static final int CALL_BYTES = 256 * 1024;

    private final SSLSocket socket;
    private final Payload payload;
    private final byte[] outgoing;
    private final byte[] incoming = new byte[CALL_BYTES];
    private final MemorySegment memory = MemorySegment.ofArray(incoming);

    private TlsEnd(SSLSocket socket, JdkEngines engines, Payload payload) throws IOException {
        this.socket = socket;
        this.payload = payload;
        this.outgoing = payload.bytes().toArray(ValueLayout.JAVA_BYTE);
        socket.setSSLParameters(engines.parameters(socket.getSSLParameters()));
        socket.setTcpNoDelay(true);
    }

    /** Connects to a port of this machine. */
    static StreamEnd connect(int port, JdkEngines engines, Payload payload) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        SSLSocket socket = (SSLSocket) engines.context().getSocketFactory().createSocket(loopback, port);
        return new TlsEnd(socket, engines, payload);
    }

    /** Listens for one connection. */
    static CallServer listen(CallShape shape, JdkEngines engines) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        SSLServerSocket listener =
                (SSLServerSocket) engines.context().getServerSocketFactory().createServerSocket(0, 1, loopback);
        return new StreamServer(shape, listener.getLocalPort(), () -> {
            try (listener) {
                return new TlsEnd((SSLSocket) listener.accept(), engines, Payload.of(shape));
            }
        });
    }

    @Override
    public void send(int length) throws IOException {
        socket.getOutputStream().write(outgoing, 0, length);
    }

    @Override
    public boolean receive(int length) throws IOException {
        int done = 0;
        while (done < length) {
            int count = socket.getInputStream().read(incoming, 0, Math.min(CALL_BYTES, length - done));
            if (count < 0) {
                return false;
            }
            payload.check(memory, 0, count, done);
            done += count;
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
