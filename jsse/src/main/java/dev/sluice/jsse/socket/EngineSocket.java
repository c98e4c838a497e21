package dev.sluice.jsse.socket;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.List;
import java.util.function.BiFunction;
import javax.net.ssl.HandshakeCompletedListener;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A TLS socket over an engine. The engine holds the settings from the start; a socket that is not connected gets
 * another engine when it is, with the same settings and the peer's name.
 */
final class EngineSocket extends TransportSocket {
    private static final int PORT_UNKNOWN = -1;

    private final SocketEngines engines;
    private final Ownership ownership;
    private final HandshakeListeners listeners = new HandshakeListeners();
    private volatile SSLEngine engine;
    private volatile @Nullable SocketConnection connection;
    private volatile @Nullable BiFunction<SSLSocket, List<String>, String> selector;

    private EngineSocket(SocketEngines engines, Socket transport, Ownership ownership, SSLEngine engine) {
        super(transport);
        this.engines = engines;
        this.ownership = ownership;
        this.engine = engine;
    }

    /** Creates a client's socket that is not connected. */
    static EngineSocket unconnected(SocketEngines engines) {
        SSLEngine engine = engines.create(null, PORT_UNKNOWN);
        engine.setUseClientMode(true);
        return new EngineSocket(engines, new Socket(), Ownership.OWNED, engine);
    }

    /**
     * Creates a client's socket over a connected transport.
     *
     * @param host the peer's name; null for the one by which the transport was connected
     */
    static EngineSocket client(SocketEngines engines, Socket transport, @Nullable String host, Ownership ownership)
            throws IOException {
        requireConnected(transport);
        String name = host == null || host.isEmpty() ? hostOf(transport) : host;
        SSLEngine engine = engines.create(name, transport.getPort());
        engine.setUseClientMode(true);
        return new EngineSocket(engines, transport, ownership, engine).attached(null);
    }

    /**
     * Creates a server's socket over a connected transport.
     *
     * @param consumed what was read from the transport before; null for nothing
     */
    static EngineSocket server(
            SocketEngines engines, Socket transport, @Nullable InputStream consumed, Ownership ownership)
            throws IOException {
        requireConnected(transport);
        SSLEngine engine = engines.create(hostOf(transport), transport.getPort());
        engine.setUseClientMode(false);
        return new EngineSocket(engines, transport, ownership, engine).attached(consumed);
    }

    /** Creates a socket over an accepted transport. */
    static EngineSocket accepted(SocketEngines engines, Socket transport, EngineSettings settings) throws IOException {
        SSLEngine engine = engines.create(hostOf(transport), transport.getPort());
        settings.applyTo(engine);
        return new EngineSocket(engines, transport, Ownership.OWNED, engine).attached(null);
    }

    private static void requireConnected(Socket transport) throws SocketException {
        if (!transport.isConnected()) {
            throw new SocketException("Underlying socket is not connected");
        }
    }

    /** Returns the name by which the transport was connected, or else its address: no name service is asked. */
    private static String hostOf(Socket transport) {
        return new InetSocketAddress(transport.getInetAddress(), transport.getPort()).getHostString();
    }

    @Override
    public void bind(@Nullable SocketAddress local) throws IOException {
        if (connection != null) {
            throw new IOException("Underlying socket should already be connected");
        }
        transport.bind(local);
    }

    @Override
    public void connect(@Nullable SocketAddress peer) throws IOException {
        connect(peer, 0);
    }

    @Override
    public void connect(@Nullable SocketAddress peer, int timeoutMilliseconds) throws IOException {
        connect(peer, timeoutMilliseconds, null);
    }

    /**
     * Connects.
     *
     * @param host the peer's name; null for the one in the address
     */
    void connect(@Nullable SocketAddress peer, int timeoutMilliseconds, @Nullable String host) throws IOException {
        if (connection != null) {
            throw new SocketException("Already connected");
        }
        if (!(peer instanceof InetSocketAddress address)) {
            throw new SocketException("Cannot handle non-Inet socket addresses, address=" + peer);
        }
        transport.connect(address, timeoutMilliseconds);
        SSLEngine before = engine;
        SSLEngine after = engines.create(host == null ? address.getHostString() : host, address.getPort());
        EngineSettings.of(before).applyTo(after);
        engine = after;
        EngineSettings.discard(before);
        attached(null);
    }

    private EngineSocket attached(@Nullable InputStream consumed) throws IOException {
        RecordSource source = new RecordSource(transport.getInputStream(), consumed, ownership);
        connection = new SocketConnection(
                engine, transport, source, ownership, () -> listeners.completed(this, engine.getSession()));
        return this;
    }

    // ---- streams and ends

    @Override
    public InputStream getInputStream() throws IOException {
        SocketConnection current = open();
        if (current.inboundState() != InboundState.OPEN) {
            throw new SocketException("Socket input is already shutdown");
        }
        return new SocketInput(this, current);
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        SocketConnection current = open();
        if (current.outboundState() == OutboundState.CLOSED) {
            throw new SocketException("Socket output is already shutdown");
        }
        return new SocketOutput(this, current);
    }

    private SocketConnection open() throws SocketException {
        if (isClosed()) {
            throw new SocketException("Socket is closed");
        }
        return connected();
    }

    private SocketConnection connected() throws SocketException {
        SocketConnection current = connection;
        if (current == null) {
            throw new SocketException("Socket is not connected");
        }
        return current;
    }

    @Override
    public void shutdownInput() throws IOException {
        open().shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        open().shutdownOutput();
    }

    @Override
    public boolean isInputShutdown() {
        SocketConnection current = connection;
        return current != null && current.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        SocketConnection current = connection;
        return current != null && current.isOutputShutdown();
    }

    @Override
    public boolean isClosed() {
        SocketConnection current = connection;
        return current == null ? transport.isClosed() : current.isClosed();
    }

    @Override
    public void close() throws IOException {
        SocketConnection current = connection;
        if (current != null) {
            current.close();
        } else {
            transport.close();
            EngineSettings.discard(engine);
        }
    }

    // ---- handshake

    @Override
    public void startHandshake() throws IOException {
        connected().startHandshake();
    }

    @Override
    public SSLSession getSession() {
        SocketConnection current = connection;
        return current == null ? engine.getSession() : current.session();
    }

    @Override
    public @Nullable SSLSession getHandshakeSession() {
        return engine.getHandshakeSession();
    }

    @Override
    public void addHandshakeCompletedListener(@Nullable HandshakeCompletedListener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeHandshakeCompletedListener(@Nullable HandshakeCompletedListener listener) {
        listeners.remove(listener);
    }

    @Override
    public @Nullable String getApplicationProtocol() {
        return engine.getApplicationProtocol();
    }

    @Override
    public @Nullable String getHandshakeApplicationProtocol() {
        return engine.getHandshakeApplicationProtocol();
    }

    @Override
    public void setHandshakeApplicationProtocolSelector(
            @Nullable BiFunction<SSLSocket, List<String>, String> newSelector) {
        selector = newSelector;
        engine.setHandshakeApplicationProtocolSelector(
                newSelector == null ? null : (ignored, protocols) -> newSelector.apply(this, protocols));
    }

    @Override
    public @Nullable BiFunction<SSLSocket, List<String>, String> getHandshakeApplicationProtocolSelector() {
        return selector;
    }

    // ---- settings

    @Override
    public String[] getSupportedCipherSuites() {
        return engine.getSupportedCipherSuites();
    }

    @Override
    public String[] getEnabledCipherSuites() {
        return engine.getEnabledCipherSuites();
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {
        engine.setEnabledCipherSuites(suites);
    }

    @Override
    public String[] getSupportedProtocols() {
        return engine.getSupportedProtocols();
    }

    @Override
    public String[] getEnabledProtocols() {
        return engine.getEnabledProtocols();
    }

    @Override
    public void setEnabledProtocols(String[] protocols) {
        engine.setEnabledProtocols(protocols);
    }

    @Override
    public void setUseClientMode(boolean mode) {
        engine.setUseClientMode(mode);
    }

    @Override
    public boolean getUseClientMode() {
        return engine.getUseClientMode();
    }

    @Override
    public void setNeedClientAuth(boolean need) {
        engine.setNeedClientAuth(need);
    }

    @Override
    public boolean getNeedClientAuth() {
        return engine.getNeedClientAuth();
    }

    @Override
    public void setWantClientAuth(boolean want) {
        engine.setWantClientAuth(want);
    }

    @Override
    public boolean getWantClientAuth() {
        return engine.getWantClientAuth();
    }

    @Override
    public void setEnableSessionCreation(boolean flag) {
        engine.setEnableSessionCreation(flag);
    }

    @Override
    public boolean getEnableSessionCreation() {
        return engine.getEnableSessionCreation();
    }

    @Override
    public SSLParameters getSSLParameters() {
        return engine.getSSLParameters();
    }

    @Override
    public void setSSLParameters(SSLParameters parameters) {
        engine.setSSLParameters(parameters);
    }

    @Override
    public String toString() {
        return "SSLSocket[hostname=" + engine.getPeerHost() + ", port=" + getPort() + ", " + engine.getSession() + "]";
    }
}
