package dev.sluice.gateway;

import dev.sluice.gateway.backend.BackendHealth;
import dev.sluice.gateway.config.BackendConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Where a backend's servers are: as the configuration says, or, where it has their names looked up again, as DNS said last. That
 * is done on a thread of its own, since it may take long; loops read. A server keeps its address for as long as its name still
 * stands for it, among others perhaps. Thread-safe.
 */
final class ServerAddresses implements AutoCloseable {
    private final BackendConfig config;
    private final AtomicReferenceArray<SocketAddress> current;
    private final Set<String> failing = new HashSet<>();
    private @Nullable Thread watcher;

    /** What a name stands for. */
    interface Lookup {
        /** All of its addresses, at least one. */
        InetAddress[] addresses(String name) throws UnknownHostException;
    }

    ServerAddresses(BackendConfig config) {
        this.config = config;
        this.current = new AtomicReferenceArray<>(config.servers().toArray(SocketAddress[]::new));
    }

    /** Where a server is. */
    SocketAddress get(int server) {
        return current.get(server);
    }

    /** Looks names up again from now on, if that is wanted and there are any. */
    void watch(BackendHealth.Log log) {
        boolean anyNames = config.servers().stream().anyMatch(server -> nameOf(server) != null);
        if (anyNames && !config.resolve().isZero()) {
            watcher = Thread.ofVirtual().name("resolve-" + config.name()).start(() -> watchOn(log));
        }
    }

    private void watchOn(BackendHealth.Log log) {
        try {
            while (true) {
                Thread.sleep(config.resolve());
                lookUp(InetAddress::getAllByName, log);
            }
        } catch (InterruptedException closed) {
            // The backend is not used any more.
        }
    }

    /** Looks all names up once; not from two threads. */
    void lookUp(Lookup lookup, BackendHealth.Log log) {
        for (int i = 0; i < current.length(); i++) {
            String name = nameOf(config.servers().get(i));
            if (name != null && current.get(i) instanceof InetSocketAddress before) {
                lookUp(i, name, before, lookup, log);
            }
        }
    }

    private void lookUp(int server, String name, InetSocketAddress before, Lookup lookup, BackendHealth.Log log) {
        List<InetAddress> found;
        try {
            found = Arrays.asList(lookup.addresses(name));
        } catch (UnknownHostException unknown) {
            if (failing.add(name)) {
                log.warn("backend " + config.name() + ": " + name + " does not resolve any more; "
                        + before.getAddress().getHostAddress() + " stays");
            }
            return;
        }
        failing.remove(name);
        if (!found.contains(before.getAddress())) {
            InetAddress now = found.getFirst();
            current.set(server, new InetSocketAddress(now, before.getPort()));
            log.info("backend " + config.name() + ": " + name + " is now " + now.getHostAddress() + ", and was "
                    + before.getAddress().getHostAddress());
        }
    }

    /** Null where the configuration has the address itself. */
    private static @Nullable String nameOf(SocketAddress server) {
        if (!(server instanceof InetSocketAddress inet)) {
            return null;
        }
        String name = inet.getHostString();
        return name.equals(inet.getAddress().getHostAddress()) ? null : name;
    }

    @Override
    public void close() {
        if (watcher != null) {
            watcher.interrupt();
        }
    }
}
