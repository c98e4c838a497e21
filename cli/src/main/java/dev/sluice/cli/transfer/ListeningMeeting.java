package dev.sluice.cli.transfer;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelFailure;
import dev.sluice.transfer.channel.ChannelListener;
import dev.sluice.transfer.channel.ChannelSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Peers that connect to an address of this machine. */
final class ListeningMeeting implements Meeting {
    private final ChannelListener listener;

    /** Listens on an address; port 0 for any free one. */
    ListeningMeeting(InetSocketAddress address) throws ChannelException {
        this.listener = ChannelListener.open(address);
    }

    @Override
    public @Nullable ChannelSocket next(Duration limit) throws ChannelException {
        try {
            return listener.accept(limit);
        } catch (ChannelException e) {
            if (e.failure() == ChannelFailure.TIMED_OUT) {
                return null;
            }
            throw e;
        }
    }

    /** Returns the address for peers: where it listens on all addresses, the most likely one of this machine. */
    String addressForPeers() {
        InetSocketAddress address = (InetSocketAddress) listener.address();
        InetAddress host = address.getAddress();
        String text = host.isAnyLocalAddress() ? likelyHost() : host.getHostAddress();
        return (text.indexOf(':') >= 0 ? "[" + text + "]" : text) + ":" + address.getPort();
    }

    /** Prefers IPv4, which people can type. */
    private static String likelyHost() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(ListeningMeeting::isUsable)
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(each -> !each.isLoopbackAddress() && !each.isLinkLocalAddress())
                    .min(Comparator.comparingInt((InetAddress each) -> each.getAddress().length))
                    .map(InetAddress::getHostAddress)
                    .orElse("127.0.0.1");
        } catch (SocketException e) {
            return "127.0.0.1";
        }
    }

    private static boolean isUsable(NetworkInterface each) {
        try {
            return each.isUp() && !each.isVirtual();
        } catch (SocketException e) {
            return false;
        }
    }

    @Override
    public void close() {
        listener.close();
    }
}
