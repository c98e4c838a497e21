package dev.sluice.jsse.socket;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/** A connected socket whose output can be held back, so that a test sends the records of a peer as it likes. */
final class TappedSocket extends Socket {
    private final Socket connected;
    private volatile @Nullable ByteArrayOutputStream held;

    TappedSocket(Socket connected) {
        this.connected = connected;
    }

    /** Holds back what an action writes, and returns it. */
    byte[] heldBack(SocketConformance.Action action) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        held = bytes;
        try {
            action.run();
        } finally {
            held = null;
        }
        return bytes.toByteArray();
    }

    /** Closes the connection by a reset. */
    void abort() throws IOException {
        connected.setSoLinger(true, 0);
        connected.close();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        return new FilterOutputStream(connected.getOutputStream()) {
            @Override
            public void write(byte[] source, int offset, int length) throws IOException {
                ByteArrayOutputStream holder = held;
                if (holder == null) {
                    out.write(source, offset, length);
                } else {
                    holder.write(source, offset, length);
                }
            }
        };
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return connected.getInputStream();
    }

    @Override
    public boolean isConnected() {
        return connected.isConnected();
    }

    @Override
    public boolean isClosed() {
        return connected.isClosed();
    }

    @Override
    public InetAddress getInetAddress() {
        return connected.getInetAddress();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return connected.getRemoteSocketAddress();
    }

    @Override
    public int getPort() {
        return connected.getPort();
    }

    @Override
    public int getSoLinger() throws SocketException {
        return connected.getSoLinger();
    }

    @Override
    public void setSoTimeout(int milliseconds) throws SocketException {
        connected.setSoTimeout(milliseconds);
    }

    @Override
    public int getSoTimeout() throws SocketException {
        return connected.getSoTimeout();
    }

    @Override
    public boolean isInputShutdown() {
        return connected.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        return connected.isOutputShutdown();
    }

    @Override
    public void shutdownInput() throws IOException {
        connected.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        connected.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        connected.close();
    }
}
