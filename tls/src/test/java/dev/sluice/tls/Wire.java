package dev.sluice.tls;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** A wire between two peers, which carries bytes in pieces. */
public final class Wire {
    private static final int MAX_ROUNDS = 100_000;

    private final int pieceBytes;

    private Wire(int pieceBytes) {
        this.pieceBytes = pieceBytes;
    }

    /** Creates a wire that carries whole flights. */
    public static Wire whole() {
        return new Wire(Integer.MAX_VALUE);
    }

    /** Creates a wire of small pieces; the receiver is called after each. */
    public static Wire inPiecesOf(int bytes) {
        return new Wire(bytes);
    }

    /** Runs both handshakes until neither side sends anything. */
    public void handshake(Peer client, Peer server) {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            client.handshake();
            byte[] fromClient = client.takeOutput();
            deliver(fromClient, server, server::handshake);
            byte[] fromServer = server.takeOutput();
            deliver(fromServer, client, client::handshake);
            if (fromClient.length == 0 && fromServer.length == 0) {
                return;
            }
        }
        throw new AssertionError("the handshake does not end");
    }

    /** Carries bytes from one side to the other, which continues its handshake. */
    public void carryHandshake(Peer from, Peer to) {
        deliver(from.takeOutput(), to, to::handshake);
    }

    /** Carries bytes from one side to the other and returns the other's plaintext. */
    public byte[] carry(Peer from, Peer to) {
        ByteArrayOutputStream plaintext = new ByteArrayOutputStream();
        deliver(from.takeOutput(), to, () -> plaintext.writeBytes(to.read()));
        return plaintext.toByteArray();
    }

    private void deliver(byte[] bytes, Peer to, Runnable goOn) {
        int at = 0;
        while (at < bytes.length) {
            int end = (int) Math.min((long) at + pieceBytes, bytes.length);
            to.offer(Arrays.copyOfRange(bytes, at, end));
            goOn.run();
            at = end;
        }
    }
}
