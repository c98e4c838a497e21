package dev.sluice.gateway.reload;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.net.ListenException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * A probe for another process that listens on an address already. The loops' own sockets do not detect one: with
 * SO_REUSEPORT two gateways of one user share a port, and each gets a part of the connections.
 */
final class PortProbe {
    private PortProbe() {}

    /**
     * Requires that nothing listens on an address.
     *
     * @throws ListenException when the address cannot be listened on
     */
    static void requireFree(InetSocketAddress address) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(address);
        } catch (IOException refused) {
            String cause = String.valueOf(refused.getMessage());
            throw new ListenException(message(address, cause), reason(cause));
        }
    }

    private static ListenException.Reason reason(String cause) {
        if (cause.contains("in use")) {
            return ListenException.Reason.IN_USE;
        }
        if (cause.contains("Too many open files")) {
            return ListenException.Reason.RESOURCES;
        }
        return cause.contains("Cannot assign requested address")
                ? ListenException.Reason.NO_SUCH_ADDRESS
                : ListenException.Reason.OTHER;
    }

    private static String message(InetSocketAddress address, String cause) {
        String text = BackendConfig.text(address);
        if (cause.contains("in use")) {
            return "address " + text + " is in use; stop what listens there (ss -ltnp 'sport = :" + address.getPort()
                    + "' shows it), or listen on another port";
        }
        if (cause.contains("ermission denied")) {
            return "address " + text + " is not permitted to this user; use a port from 1024 on, or grant"
                    + " CAP_NET_BIND_SERVICE";
        }
        return "address " + text + " cannot be listened on: " + cause + "; name an address of this machine";
    }
}
