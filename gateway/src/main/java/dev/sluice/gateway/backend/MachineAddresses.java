package dev.sluice.gateway.backend;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The addresses of a name that this machine can connect to. */
final class MachineAddresses {
    private MachineAddresses() {}

    /**
     * Returns the addresses that stand for servers. Those of a family that the machine has no address of are left out
     * beside others, as getaddrinfo(3) does by AI_ADDRCONFIG; so is {@code ::1} beside 127.0.0.1, which is the same
     * machine once more. Addresses that are no host's, such as 0.0.0.0 of a blocklist, never stand for one.
     */
    static List<InetAddress> usable(List<InetAddress> found) {
        List<InetAddress> hosts = found.stream()
                .filter(address -> !address.isAnyLocalAddress() && !address.isMulticastAddress())
                .toList();
        boolean hasLoopback = hosts.stream().anyMatch(address -> isFour(address) && address.isLoopbackAddress());
        List<InetAddress> reachable = hosts.stream()
                .filter(address -> address.isLoopbackAddress()
                        ? isFour(address) || !hasLoopback
                        : hasFamily(isFour(address) ? MachineAddresses::isFour : MachineAddresses::isSix))
                .toList();
        return reachable.isEmpty() ? hosts : reachable;
    }

    private static boolean isFour(InetAddress address) {
        return address instanceof Inet4Address;
    }

    private static boolean isSix(InetAddress address) {
        return !isFour(address);
    }

    private static boolean hasFamily(Predicate<InetAddress> family) {
        try (Stream<NetworkInterface> interfaces = NetworkInterface.networkInterfaces()) {
            return interfaces
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(own -> !own.isLoopbackAddress() && !own.isLinkLocalAddress())
                    .anyMatch(family);
        } catch (SocketException unknown) {
            return true;
        }
    }
}
