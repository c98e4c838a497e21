package dev.sluice.transfer.meet;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The accounts of all addresses, and the one of all together. Confined to the relay's loop. */
final class RelayAccounts {
    private static final int NETWORK_BYTES = 8;
    private static final int IPV6_BYTES = 16;

    private final RelayLimits limits;
    private final RelayAccount total;
    private final Map<InetAddress, RelayAccount> byAddress = new HashMap<>();

    RelayAccounts(RelayLimits limits, long now) {
        this.limits = limits;
        this.total = new RelayAccount(limits.inAll(), limits.requestsPerMinute(), now);
    }

    RelayAccount total() {
        return total;
    }

    /** Returns the account of a peer's address, null when there are too many addresses. */
    @Nullable
    RelayAccount of(SocketAddress peer, long now) {
        InetAddress key = network(((InetSocketAddress) peer).getAddress());
        RelayAccount account = byAddress.get(key);
        if (account == null && byAddress.size() < limits.addresses()) {
            account = new RelayAccount(limits.perAddress(), limits.requestsPerMinute(), now);
            byAddress.put(key, account);
        }
        return account;
    }

    /** Forgets the addresses that no limit concerns any more. */
    void sweep(long now) {
        byAddress.values().removeIf(account -> account.isAtRest(now));
    }

    int size() {
        return byAddress.size();
    }

    /** Returns an IPv4 address as it is, and the /64 network of an IPv6 address: one household has all of it. */
    private static InetAddress network(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        byte[] prefix = new byte[IPV6_BYTES];
        System.arraycopy(address.getAddress(), 0, prefix, 0, NETWORK_BYTES);
        try {
            return InetAddress.getByAddress(prefix);
        } catch (UnknownHostException e) {
            throw new AssertionError("InetAddress rejected an address of 16 bytes", e);
        }
    }
}
