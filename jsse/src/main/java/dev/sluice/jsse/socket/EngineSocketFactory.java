package dev.sluice.jsse.socket;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Objects;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** A factory of TLS sockets over engines. Thread-safe. */
public final class EngineSocketFactory extends SSLSocketFactory {

    private final SocketEngines engines;

    /**
     * Creates a factory.
     *
     * @param engines makes the engine of each socket
     */
    public EngineSocketFactory(SocketEngines engines) {
        this.engines = engines;
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return EngineSettings.defaultSuites(engines, true);
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return EngineSettings.supportedSuites(engines);
    }

    @Override
    public Socket createSocket() {
        return EngineSocket.unconnected(engines);
    }

    @Override
    public Socket createSocket(@Nullable String host, int port) throws IOException {
        return connected(address(host, port), host, null);
    }

    @Override
    public Socket createSocket(@Nullable String host, int port, @Nullable InetAddress localAddress, int localPort)
            throws IOException {
        return connected(address(host, port), host, new InetSocketAddress(localAddress, localPort));
    }

    @Override
    public Socket createSocket(@Nullable InetAddress address, int port) throws IOException {
        return connected(new InetSocketAddress(address, port), null, null);
    }

    @Override
    public Socket createSocket(
            @Nullable InetAddress address, int port, @Nullable InetAddress localAddress, int localPort)
            throws IOException {
        return connected(new InetSocketAddress(address, port), null, new InetSocketAddress(localAddress, localPort));
    }

    @Override
    public Socket createSocket(Socket transport, @Nullable String host, int port, boolean autoClose)
            throws IOException {
        return EngineSocket.client(engines, transport, host, ownership(autoClose));
    }

    @Override
    public Socket createSocket(Socket transport, @Nullable InputStream consumed, boolean autoClose) throws IOException {
        Objects.requireNonNull(transport, "the existing socket is null");
        return EngineSocket.server(engines, transport, consumed, ownership(autoClose));
    }

    private static Ownership ownership(boolean autoClose) {
        return autoClose ? Ownership.OWNED : Ownership.BORROWED;
    }

    private static InetSocketAddress address(@Nullable String host, int port) throws IOException {
        return host == null
                ? new InetSocketAddress(InetAddress.getByName(null), port)
                : new InetSocketAddress(host, port);
    }

    private Socket connected(InetSocketAddress peer, @Nullable String host, @Nullable InetSocketAddress local)
            throws IOException {
        EngineSocket socket = EngineSocket.unconnected(engines);
        try {
            if (local != null) {
                socket.bind(local);
            }
            socket.connect(peer, 0, host);
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }
}
