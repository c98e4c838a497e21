package dev.sluice.gateway.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The addresses of names that were found before, so that a gateway which listens already goes on where it does while
 * its names do not resolve. Thread-safe.
 */
public final class RememberedHosts {
    private final HostLookup lookup;
    private final Map<String, InetAddress> known = new ConcurrentHashMap<>();

    /** @param lookup asked for what is not known */
    public RememberedHosts(HostLookup lookup) {
        this.lookup = lookup;
    }

    /** Looks a name up, and returns what was found before where it does not resolve. */
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

    /** Returns what was found before, and looks up only what never was: without a wait for DNS. */
    public InetAddress remembered(String name) throws UnknownHostException {
        InetAddress before = known.get(name);
        return before == null ? refreshed(name) : before;
    }
}
