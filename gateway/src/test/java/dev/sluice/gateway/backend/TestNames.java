package dev.sluice.gateway.backend;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Names and addresses that a test sets, in place of DNS. */
public final class TestNames implements NameLookups.Lookup {
    private final Map<String, InetAddress[]> addresses = new ConcurrentHashMap<>();
    private final AtomicInteger lookups = new AtomicInteger();

    /** Sets the addresses of a name from now on; with none, it does not resolve. */
    public void set(String name, String... literals) {
        if (literals.length == 0) {
            addresses.remove(name);
        } else {
            addresses.put(name, Stream.of(literals).map(InetAddress::ofLiteral).toArray(InetAddress[]::new));
        }
    }

    /** Returns the number of lookups. */
    int lookups() {
        return lookups.get();
    }

    @Override
    public InetAddress[] addresses(String name) throws UnknownHostException {
        lookups.incrementAndGet();
        InetAddress[] found = addresses.get(name);
        if (found == null) {
            throw new UnknownHostException(name);
        }
        return found;
    }
}
