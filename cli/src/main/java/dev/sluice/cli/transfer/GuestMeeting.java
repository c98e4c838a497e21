package dev.sluice.cli.transfer;

import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.meet.Guest;
import dev.sluice.transfer.meet.MeetException;
import dev.sluice.transfer.meet.MeetPath;
import dev.sluice.transfer.meet.MeetPlaces;
import dev.sluice.transfer.meet.Met;
import dev.sluice.transfer.meet.RendezvousId;
import java.time.Duration;
import java.util.List;

/**
 * The connections to a peer that waits: the first one finds it, further ones are made in the same place. Nobody is
 * authenticated. Thread-safe.
 */
final class GuestMeeting {
    /** The most time to find the peer, and to connect. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** Peers at known addresses do not ask for an id. */
    private static final RendezvousId NO_ID = RendezvousId.ofSlot(0);

    private enum State {
        OPEN,
        /** Connects no more. */
        ENDED
    }

    private final RendezvousId id;
    private volatile State state = State.OPEN;
    private MeetPlaces places;
    private MeetPath path = MeetPath.DIRECT;

    /** Looks for a peer in several places. */
    GuestMeeting(RendezvousId id, MeetPlaces places) {
        this.id = id;
        this.places = places;
    }

    /**
     * Connects to a known address.
     *
     * @param address host:port
     * @throws MeetException when the host does not resolve
     */
    static GuestMeeting at(String address) throws MeetException {
        return new GuestMeeting(
                NO_ID, new MeetPlaces(PeerAddresses.toConnect(address), null, null, MeetPlaces.NEAR_LIMIT));
    }

    /**
     * Connects.
     *
     * @return the caller closes it
     * @throws MeetException when the peer is not found
     */
    synchronized ChannelSocket connect() throws MeetException {
        Met met = Guest.meet(id, places, LIMIT, () -> state == State.OPEN);
        path = met.path();
        places = path == MeetPath.RELAY
                ? new MeetPlaces(List.of(), null, met.address(), Duration.ZERO)
                : new MeetPlaces(List.of(met.address()), null, null, Duration.ZERO);
        return ChannelSocket.of(met.descriptor());
    }

    /** Ends an attempt to connect soon, and fails those to come; from any thread. */
    void end() {
        state = State.ENDED;
    }

    /** Returns the way of the last connection. */
    synchronized MeetPath path() {
        return path;
    }
}
