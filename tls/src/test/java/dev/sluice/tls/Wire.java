package dev.sluice.tls;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Carries bytes between two peers, in pieces. */
final class Wire {
    private static final int MAX_ROUNDS = 100_000;

    private final int pieceBytes;

    private Wire(int pieceBytes) {
        this.pieceBytes = pieceBytes;
    }

    /** Whole flights at a time. */
    static Wire whole() {
        return new Wire(Integer.MAX_VALUE);
    }

    /** Never more than so many bytes at a time, the receiver asked to go on after each. */
    static Wire inPiecesOf(int bytes) {
        return new Wire(bytes);
    }

    /** Lets both go on until neither has anything to say. */
    void handshake(Peer client, Peer server) {
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

    /** Carries what one side has said to the other, which goes on with its handshake. */
    void carryHandshake(Peer from, Peer to) {
        deliver(from.takeOutput(), to, to::handshake);
    }

    /** Carries what one side has said to the other and returns what the other reads. */
    byte[] carry(Peer from, Peer to) {
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
