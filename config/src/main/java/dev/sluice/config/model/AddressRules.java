package dev.sluice.config.model;

import java.net.InetAddress;
import java.util.List;

/**
 * The addresses of clients that a listener serves. What {@code deny} has is refused, whatever {@code allow} has; with
 * an {@code allow}, only what it has is served.
 *
 * @param allow empty: all
 * @param deny empty: none
 */
public record AddressRules(List<AddressRange> allow, List<AddressRange> deny) {
    /** Serves every address. */
    public static final AddressRules NONE = new AddressRules(List.of(), List.of());

    /** Copies the lists. */
    public AddressRules {
        allow = List.copyOf(allow);
        deny = List.copyOf(deny);
    }

    /** Returns true when every address is served. */
    public boolean isEmpty() {
        return allow.isEmpty() && deny.isEmpty();
    }

    /** Returns true when a client is served. */
    public boolean admits(InetAddress client) {
        if (isEmpty()) {
            return true;
        }
        byte[] address = client.getAddress();
        return !contains(deny, address) && (allow.isEmpty() || contains(allow, address));
    }

    /** Returns true when a proxy may connect for its clients: it need not be allowed itself, only not be denied. */
    public boolean admitsProxy(InetAddress proxy) {
        return deny.isEmpty() || !contains(deny, proxy.getAddress());
    }

    private static boolean contains(List<AddressRange> ranges, byte[] address) {
        for (int i = 0; i < ranges.size(); i++) {
            if (ranges.get(i).contains(address)) {
                return true;
            }
        }
        return false;
    }
}
