package dev.sluice.cli.transfer;

import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.meet.MeetPath;
import dev.sluice.transfer.move.StreamFactory;
import dev.sluice.transfer.protocol.ChannelWire;
import dev.sluice.transfer.protocol.ProtocolLimits;
import dev.sluice.transfer.protocol.Wire;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The streams of a session with a peer that this side connects to. Thread-safe. */
final class DialedStreams implements StreamFactory {
    private final GuestMeeting meeting;
    private final Proof proof;
    private final Set<ChannelSocket> handshakes = ConcurrentHashMap.newKeySet();
    private volatile State state = State.OPEN;
    private String peer = "";

    private enum State {
        OPEN,
        /** Opens no more streams. */
        ENDED
    }

    DialedStreams(GuestMeeting meeting, Proof proof) {
        this.meeting = meeting;
        this.proof = proof;
    }

    /** Opens the first stream; the others must come from a peer with the same key. */
    Wire first() throws IOException {
        SecureChannel channel = connect();
        peer = proof.nameOf(channel);
        proof.pin(channel);
        return new ChannelWire(channel);
    }

    private SecureChannel connect() throws IOException {
        ChannelSocket socket = meeting.connect();
        handshakes.add(socket);
        try {
            if (state == State.ENDED) {
                socket.interrupt();
            }
            return proof.open(socket);
        } finally {
            handshakes.remove(socket);
        }
    }

    /** Ends attempts to open a stream soon, and fails those to come; from any thread. Open streams stay. */
    void end() {
        state = State.ENDED;
        meeting.end();
        handshakes.forEach(ChannelSocket::interrupt);
    }

    /** Returns the name of the peer after {@link #first}. */
    String peer() {
        return peer;
    }

    /** Through a relay one, since each counts as a pair there. */
    @Override
    public int limit() {
        return meeting.path() == MeetPath.RELAY ? 1 : ProtocolLimits.STREAMS_MAX;
    }

    @Override
    public Duration furtherAfter() {
        return FURTHER_AFTER;
    }

    @Override
    public Wire open(int stream) throws IOException {
        return new ChannelWire(connect());
    }

    /** Returns a random identifier of a session. */
    static byte[] newSession() {
        byte[] id = new byte[ProtocolLimits.SESSION_BYTES];
        new SecureRandom().nextBytes(id);
        return id;
    }
}
