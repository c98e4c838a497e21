package dev.sluice.cli.transfer;

import dev.sluice.ffi.libc.InetText;
import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.meet.AddressText;
import dev.sluice.transfer.meet.Host;
import dev.sluice.transfer.meet.LanSettings;
import dev.sluice.transfer.meet.MeetException;
import dev.sluice.transfer.meet.Met;
import dev.sluice.transfer.meet.RendezvousId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The peers that come to this machine: to its address, or to a relay. Nobody of them is authenticated. One thread. */
final class HostMeeting implements AutoCloseable {
    private final Host host;
    private final Consumer<String> problems;
    private String reported = "";

    private HostMeeting(Host host, Consumer<String> problems) {
        this.host = host;
        this.problems = problems;
    }

    /** Waits for peers that know the address; port 0 for any free one. */
    static HostMeeting at(RendezvousId id, InetSocketAddress address) throws MeetException {
        return new HostMeeting(Host.open(id, address, null, null), _ -> {});
    }

    /**
     * Waits for peers that know the id.
     *
     * @param address the own one; port 0 for any free one
     * @param problems receives each new problem with the relay
     */
    static HostMeeting at(RendezvousId id, InetSocketAddress address, MeetOptions options, Consumer<String> problems)
            throws MeetException {
        // Peers in the local network could not connect to a loopback address.
        LanSettings lan = address.getAddress().isLoopbackAddress() ? null : options.lan();
        return new HostMeeting(Host.open(id, address, lan, options.relay()), problems);
    }

    /** Returns true when only peers on this machine can connect directly. */
    boolean isLocal() {
        return host.address().getAddress().isLoopbackAddress();
    }

    /** Returns true when peers in the local network can find this machine. */
    boolean isInLan() {
        return host.isInLan();
    }

    /** Returns the address for peers: where it listens on all addresses, the most likely one of this machine. */
    String addressForPeers() {
        InetSocketAddress address = host.address();
        InetAddress own = address.getAddress();
        return AddressText.of(
                own.isAnyLocalAddress() ? PeerAddresses.ofThisMachine() : InetText.of(own), address.getPort());
    }

    /**
     * Returns the next connection.
     *
     * @return the caller closes it; null when nobody came in time
     */
    @Nullable
    ChannelSocket next(Duration limit) throws MeetException {
        Met met = host.next(limit);
        String problem = host.relayProblem();
        if (!problem.equals(reported)) {
            reported = problem;
            if (!problem.isEmpty()) {
                problems.accept("nobody comes by the relay now, trying again (" + problem + ")");
            }
        }
        return met == null ? null : ChannelSocket.of(met.descriptor());
    }

    @Override
    public void close() {
        host.close();
    }
}
