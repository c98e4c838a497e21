package dev.sluice.jsse.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.util.Set;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** The part of a TLS socket that is its transport's: addresses and options. */
abstract class TransportSocket extends SSLSocket {
    private static final String NO_URGENT_DATA = "TLS carries no urgent data";

    final Socket transport;

    TransportSocket(Socket transport) {
        this.transport = transport;
    }

    @Override
    public final @Nullable InetAddress getInetAddress() {
        return transport.getInetAddress();
    }

    @Override
    public final InetAddress getLocalAddress() {
        return transport.getLocalAddress();
    }

    @Override
    public final int getPort() {
        return transport.getPort();
    }

    @Override
    public final int getLocalPort() {
        return transport.getLocalPort();
    }

    @Override
    public final @Nullable SocketAddress getRemoteSocketAddress() {
        return transport.getRemoteSocketAddress();
    }

    @Override
    public final @Nullable SocketAddress getLocalSocketAddress() {
        return transport.getLocalSocketAddress();
    }

    @Override
    public final @Nullable SocketChannel getChannel() {
        return transport.getChannel();
    }

    @Override
    public final boolean isConnected() {
        return transport.isConnected();
    }

    @Override
    public final boolean isBound() {
        return transport.isBound();
    }

    @Override
    public final void setTcpNoDelay(boolean on) throws SocketException {
        transport.setTcpNoDelay(on);
    }

    @Override
    public final boolean getTcpNoDelay() throws SocketException {
        return transport.getTcpNoDelay();
    }

    @Override
    public final void setSoLinger(boolean on, int seconds) throws SocketException {
        transport.setSoLinger(on, seconds);
    }

    @Override
    public final int getSoLinger() throws SocketException {
        return transport.getSoLinger();
    }

    @Override
    public final void setSoTimeout(int milliseconds) throws SocketException {
        transport.setSoTimeout(milliseconds);
    }

    @Override
    public final int getSoTimeout() throws SocketException {
        return transport.getSoTimeout();
    }

    @Override
    public final void setSendBufferSize(int bytes) throws SocketException {
        transport.setSendBufferSize(bytes);
    }

    @Override
    public final int getSendBufferSize() throws SocketException {
        return transport.getSendBufferSize();
    }

    @Override
    public final void setReceiveBufferSize(int bytes) throws SocketException {
        transport.setReceiveBufferSize(bytes);
    }

    @Override
    public final int getReceiveBufferSize() throws SocketException {
        return transport.getReceiveBufferSize();
    }

    @Override
    public final void setKeepAlive(boolean on) throws SocketException {
        transport.setKeepAlive(on);
    }

    @Override
    public final boolean getKeepAlive() throws SocketException {
        return transport.getKeepAlive();
    }

    @Override
    public final void setTrafficClass(int trafficClass) throws SocketException {
        transport.setTrafficClass(trafficClass);
    }

    @Override
    public final int getTrafficClass() throws SocketException {
        return transport.getTrafficClass();
    }

    @Override
    public final void setReuseAddress(boolean on) throws SocketException {
        transport.setReuseAddress(on);
    }

    @Override
    public final boolean getReuseAddress() throws SocketException {
        return transport.getReuseAddress();
    }

    @Override
    public final void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        transport.setPerformancePreferences(connectionTime, latency, bandwidth);
    }

    @Override
    public final <T> Socket setOption(SocketOption<T> name, T value) throws IOException {
        transport.setOption(name, value);
        return this;
    }

    @Override
    public final <T> T getOption(SocketOption<T> name) throws IOException {
        return transport.getOption(name);
    }

    @Override
    public final Set<SocketOption<?>> supportedOptions() {
        return transport.supportedOptions();
    }

    @Override
    public final void sendUrgentData(int data) throws SocketException {
        throw new SocketException(NO_URGENT_DATA);
    }

    @Override
    public final void setOOBInline(boolean on) throws SocketException {
        throw new SocketException(NO_URGENT_DATA);
    }

    @Override
    public final boolean getOOBInline() throws SocketException {
        throw new SocketException(NO_URGENT_DATA);
    }
}
