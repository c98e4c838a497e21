package dev.sluice.cli.transfer;

import dev.sluice.cli.command.RefusedException;
import dev.sluice.config.yaml.Addresses;
import dev.sluice.ffi.libc.InetText;
import dev.sluice.transfer.meet.MeetException;
import dev.sluice.transfer.meet.MeetFailure;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The addresses of peers and of this machine, as people type them. */
final class PeerAddresses {
    private PeerAddresses() {}

    /**
     * Returns all addresses of a peer.
     *
     * @param text host:port
     * @throws RefusedException when it is no address
     * @throws MeetException when the host does not resolve
     */
    static List<InetSocketAddress> toConnect(String text) throws MeetException {
        SocketAddress parsed; // null for a path, which would be told how to name a Unix socket
        try {
            parsed = text.startsWith("/") ? null : Addresses.toConnect(text, Path.of(""));
        } catch (IllegalArgumentException bad) {
            throw new RefusedException(String.valueOf(bad.getMessage()));
        }
        if (!(parsed instanceof InetSocketAddress inet)) {
            throw new RefusedException("\"" + text + "\" is not host:port; write for example 192.0.2.7:4774");
        }
        try {
            return Stream.of(InetAddress.getAllByName(inet.getHostString()))
                    .map(each -> new InetSocketAddress(each, inet.getPort()))
                    .toList();
        } catch (UnknownHostException e) {
            throw new MeetException(
                    MeetFailure.NO_PEER,
                    "the host of \"" + text + "\" does not resolve; check its spelling, DNS and /etc/hosts");
        }
    }

    /**
     * Returns an address to listen on.
     *
     * @param text host:port
     * @throws RefusedException when it is none
     */
    static InetSocketAddress toListen(String text) {
        try {
            return Addresses.toListen(text);
        } catch (IllegalArgumentException bad) {
            throw new RefusedException(String.valueOf(bad.getMessage()));
        }
    }

    /** Returns the host that peers most likely reach this machine by. Prefers IPv4, which people can type. */
    static String ofThisMachine() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(PeerAddresses::isUsable)
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(each -> !each.isLoopbackAddress() && !each.isLinkLocalAddress())
                    .min(Comparator.comparingInt(each -> each.getAddress().length))
                    .map(InetText::of)
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
}
