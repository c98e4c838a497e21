package dev.sluice.bench.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A server that echoes one connection after its header, and pauses once. */
final class PausingEcho implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final int messagesBefore;
    private final int pauseMillis;

    /**
     * Creates an instance.
     *
     * @param messagesBefore messages of 128 bytes echoed before the pause
     */
    PausingEcho(int messagesBefore, int pauseMillis) throws IOException {
        this.messagesBefore = messagesBefore;
        this.pauseMillis = pauseMillis;
        Thread.ofPlatform().daemon().start(this::serve);
    }

    int port() {
        return listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void serve() {
        try (Socket socket = listener.accept()) {
            socket.setTcpNoDelay(true);
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            in.skipNBytes(BackendProtocol.HEADER_BYTES);
            byte[] message = new byte[128];
            for (int echoed = 0; in.readNBytes(message, 0, message.length) == message.length; echoed++) {
                if (echoed == messagesBefore) {
                    Thread.sleep(pauseMillis);
                }
                out.write(message);
            }
        } catch (IOException | InterruptedException e) {
            Thread.currentThread().interrupt(); // The test is over, or reports the loss itself.
        }
    }
}
