package dev.sluice.cli.transfer;

import dev.sluice.cli.command.RefusedException;
import dev.sluice.config.yaml.Addresses;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelSocket;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;

/** A peer that listens on a known address. Immutable. */
final class DialedMeeting implements Meeting {
    private final InetSocketAddress address;

    private DialedMeeting(InetSocketAddress address) {
        this.address = address;
    }

    /**
     * Returns the meeting with a peer.
     *
     * @param text host:port
     * @throws RefusedException when it is no address, or does not resolve
     */
    static DialedMeeting with(String text) {
        try {
            SocketAddress parsed = Addresses.toConnect(text, Path.of(""));
            if (!(parsed instanceof InetSocketAddress inet)) {
                throw new RefusedException("\"" + text + "\" is not host:port; write for example 192.0.2.7:4774");
            }
            InetSocketAddress resolved =
                    inet.isUnresolved() ? new InetSocketAddress(inet.getHostString(), inet.getPort()) : inet;
            if (resolved.isUnresolved()) {
                throw new RefusedException(
                        "the host of \"" + text + "\" does not resolve; check its spelling, DNS and /etc/hosts");
            }
            return new DialedMeeting(resolved);
        } catch (IllegalArgumentException bad) {
            throw new RefusedException(String.valueOf(bad.getMessage()));
        }
    }

    @Override
    public ChannelSocket next(Duration limit) throws ChannelException {
        return ChannelSocket.connect(address, limit);
    }

    @Override
    public void close() {
        // It owns nothing.
    }
}
