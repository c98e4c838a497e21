package dev.sluice.config.read;

import dev.sluice.config.yaml.HostLookup;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The last known addresses of names, so that a gateway keeps its listeners while their names do not resolve.
 * Thread-safe.
 */
public final class RememberedHosts {
    private final HostLookup lookup;
    private final Map<String, InetAddress> known = new ConcurrentHashMap<>();

    /** Creates an empty memory in front of a resolver. */
    public RememberedHosts(HostLookup lookup) {
        this.lookup = lookup;
    }

    /** Resolves a name, and returns its last known address when it does not resolve. */
    public InetAddress refreshed(String name) throws UnknownHostException {
        try {
            InetAddress found = lookup.find(name);
            known.put(name, found);
            return found;
        } catch (UnknownHostException unknown) {
            InetAddress before = known.get(name);
            if (before == null) {
                throw unknown;
            }
            return before;
        }
    }

    /** Returns the last known address without a wait for DNS, and resolves only unknown names. */
    public InetAddress remembered(String name) throws UnknownHostException {
        InetAddress before = known.get(name);
        return before == null ? refreshed(name) : before;
    }
}
