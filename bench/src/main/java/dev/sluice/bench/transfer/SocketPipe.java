package dev.sluice.bench.transfer;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.record.path.JdkEngines;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** The JDK's SSLSocket, which knows TCP only: streams of bytes on the heap. The first bytes make the handshake. */
final class SocketPipe implements Pipe {
    private final byte[] block;
    private final SSLSocket sender;
    private final SSLSocket receiver;
    private final byte[] buffer = new byte[CALL_BYTES];
    private final MemorySegment memory = MemorySegment.ofArray(buffer);

    SocketPipe(MemorySegment block, JdkEngines engines) throws IOException {
        this.block = block.toArray(ValueLayout.JAVA_BYTE);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (SSLServerSocket listener =
                (SSLServerSocket) engines.context().getServerSocketFactory().createServerSocket(0, 1, loopback)) {
            this.sender =
                    (SSLSocket) engines.context().getSocketFactory().createSocket(loopback, listener.getLocalPort());
            this.receiver = (SSLSocket) listener.accept();
        }
        sender.setSSLParameters(engines.parameters(sender.getSSLParameters()));
        receiver.setSSLParameters(engines.parameters(receiver.getSSLParameters()));
    }

    @Override
    public void send() throws IOException {
        sender.getOutputStream().write(block);
    }

    @Override
    public void receive(BlockCheck check) throws IOException {
        int count = receiver.getInputStream().read(buffer);
        if (count < 0) {
            throw new BenchException("the sender has ended the connection");
        }
        check.accept(memory, 0, count);
    }

    @Override
    public void close() throws IOException {
        receiver.close();
        sender.close();
    }
}
