package dev.sluice.cost.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A server on a port of 127.0.0.1 that treats each client alike. Closing ends it and releases its clients. */
public final class PuppetServer implements AutoCloseable {
    private final ServerSocket listener;
    private final Thread thread;

    /** The treatment of a client; the socket is closed when it returns. */
    @FunctionalInterface
    public interface Script {
        void play(Socket client, InputStream in, OutputStream out) throws IOException, InterruptedException;
    }

    private PuppetServer(ServerSocket listener, Script script) {
        this.listener = listener;
        this.thread = Thread.ofVirtual().name("puppet server").start(() -> serve(script));
    }

    public static PuppetServer start(Script script) {
        try {
            return new PuppetServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), script);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return listener.getLocalPort();
    }

    private void serve(Script script) {
        while (!listener.isClosed()) {
            try (Socket client = listener.accept()) {
                script.play(client, client.getInputStream(), client.getOutputStream());
            } catch (IOException | InterruptedException e) {
                // The client has gone, or the test has ended.
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        thread.interrupt();
    }
}
