package dev.sluice.transfer.meet;

import dev.sluice.ffi.libc.Constants;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A host that waits for its guest at an address of its own, in the local network, and at a relay, all at once.
 *
 * <p>Anybody can connect. So the caller tries a handshake with each socket that {@link #next} returns, and calls it
 * again until the guest is among them. Confined to one thread, with a virtual thread that answers the local network.
 */
public final class Host implements AutoCloseable {
    private static final Duration RELAY_RETRY = Duration.ofSeconds(2);

    private final RendezvousId id;
    private final @Nullable InetSocketAddress relay;
    private final MeetSockets sockets;
    private final int listening;
    private final @Nullable LanResponder responder;
    private @Nullable Dial relayDial;
    private String relayProblem = "";
    private long relayRetryAt = System.nanoTime();

    private Host(
            RendezvousId id,
            @Nullable InetSocketAddress relay,
            MeetSockets sockets,
            int listening,
            @Nullable LanSettings lan) {
        this.id = id;
        this.relay = relay;
        this.sockets = sockets;
        this.listening = listening;
        this.responder = lan == null
                ? null
                : new LanResponder(lan, id, sockets.localAddress(listening).getPort());
        sockets.watch(listening, Constants.EPOLLIN);
    }

    /**
     * Starts to wait.
     *
     * @param listen the own address; port 0 picks one
     * @param lan null not to be found in the local network
     * @param relay resolved; null for none
     * @return the caller closes it
     * @throws MeetException when the address is in use or not ours
     */
    public static Host open(
            RendezvousId id, InetSocketAddress listen, @Nullable LanSettings lan, @Nullable InetSocketAddress relay)
            throws MeetException {
        MeetSockets sockets = new MeetSockets();
        try {
            return new Host(id, relay, sockets, sockets.listen(listen), lan);
        } catch (MeetException e) {
            sockets.close();
            throw e;
        }
    }

    /** Returns the address that it listens on. */
    public InetSocketAddress address() {
        return sockets.localAddress(listening);
    }

    /** Returns true when guests in the local network can find it. */
    public boolean isInLan() {
        return responder != null && responder.isAvailable();
    }

    /** Returns the last problem with the relay, "" for none: while there is one, only the other paths work. */
    public String relayProblem() {
        return relayProblem;
    }

    /**
     * Waits for the next peer, on any path.
     *
     * @return a connected socket, whose descriptor is the caller's; null when nobody comes in time
     * @throws MeetException when this machine has no socket left
     */
    public @Nullable Met next(Duration limit) throws MeetException {
        long start = System.nanoTime();
        while (true) {
            long left = limit.toNanos() - (System.nanoTime() - start);
            if (left <= 0) {
                return null;
            }
            dialRelay();
            Met met = await(Duration.ofNanos(left));
            if (met != null) {
                return met;
            }
        }
    }

    private void dialRelay() throws MeetException {
        if (relay != null && relayDial == null && System.nanoTime() - relayRetryAt >= 0) {
            relayDial = Dial.relay(sockets, relay, new RelayRequest(PeerRole.HOST, id));
            settleRelay();
        }
    }

    private @Nullable Met await(Duration left) throws MeetException {
        boolean retries = relay != null && relayDial == null;
        int ready = sockets.await(retries && RELAY_RETRY.compareTo(left) < 0 ? RELAY_RETRY : left);
        if (ready == listening && ready >= 0) {
            return accept();
        }
        Dial dial = relayDial;
        if (dial == null || dial.descriptor() != ready) {
            return null;
        }
        dial.advance();
        if (dial.state() == Dial.State.WAITING) {
            relayProblem = "";
        }
        return settleRelay();
    }

    private @Nullable Met accept() throws MeetException {
        int accepted = sockets.accept(listening);
        return accepted < 0 ? null : new Met(accepted, MeetPath.DIRECT, sockets.decoded());
    }

    /** Returns the socket of a relay that has joined us; notes the problem of one that has failed. */
    private @Nullable Met settleRelay() {
        Dial dial = relayDial;
        if (dial == null || !dial.isOver()) {
            return null;
        }
        relayDial = null;
        if (dial.state() == Dial.State.MET) {
            relayProblem = "";
            return dial.take();
        }
        relayProblem = dial.describe();
        relayRetryAt = System.nanoTime() + RELAY_RETRY.toNanos();
        return null;
    }

    @Override
    public void close() {
        if (responder != null) {
            responder.close();
        }
        if (relayDial != null) {
            relayDial.close();
        }
        sockets.closeDescriptor(listening);
        sockets.close();
    }
}
