package dev.sluice.cli.transfer;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelFailure;
import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.move.StreamFactory;
import dev.sluice.transfer.protocol.ChannelWire;
import dev.sluice.transfer.protocol.ProtocolLimits;
import dev.sluice.transfer.protocol.Wire;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;

/** The streams of a session with a peer that this side connects to. Thread-safe. */
final class DialedStreams implements StreamFactory {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(20);

    private final Meeting meeting;
    private final Proof proof;
    private String peer = "";

    /** Uses a meeting and a proof, which stay the caller's. */
    DialedStreams(Meeting meeting, Proof proof) {
        this.meeting = meeting;
        this.proof = proof;
    }

    /** Opens the first stream; the others must come from a peer with the same key. */
    Wire first() throws IOException {
        SecureChannel channel = channel();
        peer = proof.nameOf(channel);
        proof.pin(channel);
        return new ChannelWire(channel);
    }

    /** Returns the name of the peer after {@link #first}. */
    String peer() {
        return peer;
    }

    @Override
    public Wire open(int stream) throws IOException {
        return new ChannelWire(channel());
    }

    private SecureChannel channel() throws IOException {
        return proof.open(socket());
    }

    private synchronized ChannelSocket socket() throws IOException {
        ChannelSocket socket = meeting.next(CONNECT_LIMIT);
        if (socket == null) {
            throw new ChannelException(
                    ChannelFailure.TIMED_OUT,
                    "no peer within " + CONNECT_LIMIT.toSeconds() + " s; check that it waits");
        }
        return socket;
    }

    /** Returns a random identifier of a session. */
    static byte[] newSession() {
        byte[] id = new byte[ProtocolLimits.SESSION_BYTES];
        new SecureRandom().nextBytes(id);
        return id;
    }
}
