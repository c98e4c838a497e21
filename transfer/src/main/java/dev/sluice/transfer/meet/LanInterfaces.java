package dev.sluice.transfer.meet;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.ProtocolFamily;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.List;

/**
 * The network interfaces of this machine, loopback included, as discovery uses them. What an interface does not permit
 * is left out: the others may do.
 */
final class LanInterfaces {
    private static final InetAddress GROUP_V4 = address(239, 255, 178, 251);

    /** Link-local scope, transient: RFC 4291 section 2.7. */
    private static final InetAddress GROUP_V6 = address(0xFF, 0x12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xB2, 0xFB);

    private LanInterfaces() {}

    private static InetAddress address(int... octets) {
        byte[] bytes = new byte[octets.length];
        for (int i = 0; i < octets.length; i++) {
            bytes[i] = (byte) octets[i];
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError("InetAddress rejected an address of 4 or 16 bytes", e);
        }
    }

    private static InetAddress group(ProtocolFamily family) {
        return family == StandardProtocolFamily.INET ? GROUP_V4 : GROUP_V6;
    }

    /** Makes a socket hear what is sent to the group on any interface. */
    static void join(DatagramChannel socket, ProtocolFamily family) {
        for (NetworkInterface each : up()) {
            try {
                socket.join(group(family), each);
            } catch (IOException e) {
                // This interface has no multicast or no address of the family.
            }
        }
    }

    /** Sends bytes to the group, and to the broadcast address, on every interface. */
    static void send(DatagramChannel socket, ProtocolFamily family, int port, byte[] bytes) {
        for (NetworkInterface each : up()) {
            try {
                socket.setOption(StandardSocketOptions.IP_MULTICAST_IF, each);
                socket.send(ByteBuffer.wrap(bytes), new InetSocketAddress(group(family), port));
            } catch (IOException e) {
                // This interface has no multicast or no address of the family.
            }
            if (family == StandardProtocolFamily.INET) {
                broadcast(socket, each, port, bytes);
            }
        }
    }

    private static void broadcast(DatagramChannel socket, NetworkInterface each, int port, byte[] bytes) {
        for (InterfaceAddress own : each.getInterfaceAddresses()) {
            InetAddress to = own.getBroadcast();
            if (to != null) {
                try {
                    socket.send(ByteBuffer.wrap(bytes), new InetSocketAddress(to, port));
                } catch (IOException e) {
                    // A firewall forbids it.
                }
            }
        }
    }

    private static List<NetworkInterface> up() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(LanInterfaces::isUp)
                    .toList();
        } catch (SocketException e) {
            return List.of();
        }
    }

    private static boolean isUp(NetworkInterface each) {
        try {
            return each.isUp();
        } catch (SocketException e) {
            return false;
        }
    }
}
