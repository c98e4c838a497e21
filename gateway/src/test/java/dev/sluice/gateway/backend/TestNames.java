package dev.sluice.gateway.backend;

import dev.sluice.gateway.dns.LookupException;
import dev.sluice.gateway.dns.Resolver;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Names, addresses and services that a test sets, in place of DNS. An answer holds for a second. */
public final class TestNames implements Resolver, Resolver.Maker {
    private final Map<String, List<InetAddress>> addresses = new ConcurrentHashMap<>();
    private final Map<String, List<Service>> services = new ConcurrentHashMap<>();
    private final Set<Object> silent = ConcurrentHashMap.newKeySet();
    private final AtomicInteger lookups = new AtomicInteger();

    /** Sets the addresses of a name from now on; with none, it does not resolve. */
    public void set(String name, String... literals) {
        addresses.put(name, Stream.of(literals).map(InetAddress::ofLiteral).toList());
    }

    /** Sets the servers of a service. */
    void set(String name, Service... found) {
        services.put(name, List.of(found));
    }

    /** Leaves questions for these names, or for these families, without an answer, and only those. */
    void silence(Object... unanswered) {
        silent.clear();
        silent.addAll(List.of(unanswered));
    }

    /** Returns the number of questions. */
    int lookups() {
        return lookups.get();
    }

    @Override
    public Resolver of(List<InetSocketAddress> nameservers) {
        return this;
    }

    @Override
    public Answer<InetAddress> addresses(String host, Family family) throws LookupException {
        requireAnswer(host, family);
        return addressesOf(host, family);
    }

    /** Returns what was set. */
    Answer<InetAddress> addressesOf(String host, Family family) {
        List<InetAddress> found = addresses.getOrDefault(host, List.of()).stream()
                .filter(address -> address instanceof Inet4Address == (family == Family.IPV4))
                .toList();
        return new Answer<>(found, Duration.ofSeconds(1));
    }

    @Override
    public Answer<Service> services(String name) throws LookupException {
        requireAnswer(name, name);
        return new Answer<>(services.getOrDefault(name, List.of()), Duration.ofSeconds(1));
    }

    private void requireAnswer(String name, Object question) throws LookupException {
        lookups.incrementAndGet();
        if (silent.contains(name) || silent.contains(question)) {
            throw new LookupException(name, "no answer");
        }
    }
}
