package dev.sluice.gateway;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A connection that sends every byte in a segment of its own. */
final class DripSocket extends Socket {
    static DripSocket to(InetSocketAddress address) throws IOException {
        DripSocket socket = new DripSocket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(20_000);
        socket.connect(address);
        return socket;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        // A FilterOutputStream writes arrays byte by byte.
        return new FilterOutputStream(super.getOutputStream());
    }
}
