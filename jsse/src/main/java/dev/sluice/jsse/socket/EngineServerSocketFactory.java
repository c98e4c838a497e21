package dev.sluice.jsse.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import org.jspecify.annotations.Nullable;

/** A factory of listening TLS sockets over engines. Thread-safe. */
public final class EngineServerSocketFactory extends SSLServerSocketFactory {
    private static final int BACKLOG = 50;

    private final SocketEngines engines;

    /**
     * Creates a factory.
     *
     * @param engines makes the engine of each accepted socket
     */
    public EngineServerSocketFactory(SocketEngines engines) {
        this.engines = engines;
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return EngineSettings.defaultSuites(engines, false);
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return EngineSettings.supportedSuites(engines);
    }

    @Override
    public ServerSocket createServerSocket() throws IOException {
        return new EngineServerSocket(engines);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
        return createServerSocket(port, BACKLOG, null);
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog) throws IOException {
        return createServerSocket(port, backlog, null);
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog, @Nullable InetAddress address) throws IOException {
        EngineServerSocket socket = new EngineServerSocket(engines);
        try {
            socket.bind(new InetSocketAddress(address, port), backlog);
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }
}
