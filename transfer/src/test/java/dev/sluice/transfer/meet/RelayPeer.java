package dev.sluice.transfer.meet;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/** A peer of a relay, on the JDK's sockets. */
final class RelayPeer implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    final Socket socket = new Socket();

    /** Connects without a request. */
    RelayPeer(InetSocketAddress relay) throws IOException {
        socket.setSoTimeout((int) LIMIT.toMillis());
        socket.connect(relay);
    }

    /** Connects from another loopback address without a request. */
    RelayPeer(InetSocketAddress relay, String ownAddress) throws IOException {
        socket.setSoTimeout((int) LIMIT.toMillis());
        socket.bind(new InetSocketAddress(InetAddress.getByName(ownAddress), 0));
        socket.connect(relay);
    }

    /** Connects and sends a request. */
    static RelayPeer asking(InetSocketAddress relay, PeerRole role, RendezvousId id) throws IOException {
        RelayPeer peer = new RelayPeer(relay);
        peer.send(new RelayRequest(role, id).encode());
        return peer;
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Returns the next answer of the relay. */
    RelayAnswer answer() throws IOException {
        int code = socket.getInputStream().read();
        RelayAnswer answer = code < 0 ? null : RelayAnswer.of((byte) code);
        if (answer == null) {
            throw new AssertionError("no answer, but " + code);
        }
        return answer;
    }

    byte[] receive(int count) throws IOException {
        return socket.getInputStream().readNBytes(count);
    }

    /** Reads to the end; returns false when the connection is reset instead. */
    boolean endsCleanly() {
        try {
            return socket.getInputStream().readAllBytes().length == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Closes the connection before the end of its block. */
    void leave() throws IOException {
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
