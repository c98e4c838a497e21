package dev.sluice.gateway.backend;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.yaml.Addresses;
import dev.sluice.ffi.libc.InetText;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of a backend's servers: as the configuration has them, or as DNS last answered for names. Loops read,
 * the threads of {@link NameLookups} look up. Thread-safe.
 *
 * <pre>
 *   name ──looked up──▶ address ──at each reload and resolve interval──▶ the same if the name stands for it, or another
 *     │                    ▲
 *     └──no answer──▶ down ─┘  looked up again after 1 s, 2 s, … 30 s
 * </pre>
 *
 * <p>A server that has an address keeps it while its name does not resolve.
 */
final class ServerAddresses implements AutoCloseable {
    /**
     * The pause before a name that does not resolve is looked up again; doubled each time, up to
     * {@link #PAUSE_MILLIS_MAX}.
     */
    private static final long PAUSE_MILLIS_MIN = 1_000;

    private static final long PAUSE_MILLIS_MAX = 30_000;

    private final BackendConfig config;
    private final NameLookups lookups;
    private final BackendHealth health;
    private final BackendHealth.Log log;
    private final AtomicReferenceArray<@Nullable SocketAddress> current;
    private final List<Name> names = new ArrayList<>();
    private final AtomicBoolean willLookAgain = new AtomicBoolean();
    private volatile boolean closed;

    /** The addresses that servers have already. */
    @FunctionalInterface
    interface Known {
        /** Returns the address of a server that the configuration names; null: none is known. */
        @Nullable
        SocketAddress of(SocketAddress server);
    }

    /**
     * Begins without a look at DNS: see {@link #start}.
     *
     * @param known addresses that servers had under an older configuration
     * @param health told which servers have no address
     */
    ServerAddresses(
            BackendConfig config, Known known, NameLookups lookups, BackendHealth health, BackendHealth.Log log) {
        this.config = config;
        this.lookups = lookups;
        this.health = health;
        this.log = log;
        List<SocketAddress> servers = config.addresses();
        this.current = new AtomicReferenceArray<>(servers.size());
        for (int i = 0; i < servers.size(); i++) {
            SocketAddress server = servers.get(i);
            String name = Addresses.nameOf(server);
            current.set(i, isResolved(server) ? server : known.of(server));
            if (name != null) {
                names.add(new Name(i, name));
            }
        }
    }

    /** One that is configured with its address is looked up only where {@code resolve} says so. */
    private static boolean isResolved(SocketAddress server) {
        return !(server instanceof InetSocketAddress inet) || !inet.isUnresolved();
    }

    /** Returns the address of a server; null while its name has none. */
    @Nullable
    SocketAddress get(int server) {
        return current.get(server);
    }

    /**
     * Returns the address of a server as the configuration writes it; null where it has none, or is none of this
     * backend's.
     */
    @Nullable
    SocketAddress find(SocketAddress server) {
        int index = config.addresses().indexOf(server);
        return index < 0 ? null : current.get(index);
    }

    /** Looks names up from now on. */
    void start() {
        for (Name name : names) {
            if (!name.isConfigured()) {
                lookups.later(0, name::lookUpAndRepeat);
            } else if (!config.resolve().isZero()) {
                lookups.later(config.resolve().toMillis(), name::lookUpAndRepeat);
            }
        }
    }

    /**
     * Waits until each name without an address was looked up once. A server that has none then is down.
     *
     * @param deadlineNanos as of {@link System#nanoTime()}
     */
    void awaitAnswers(long deadlineNanos) {
        for (Name name : names) {
            name.await(deadlineNanos);
        }
    }

    /** Looks names up once more, soon: they may have changed with the configuration. */
    void lookAgain() {
        boolean any = names.stream().anyMatch(name -> !name.isConfigured());
        if (any && willLookAgain.compareAndSet(false, true)) {
            lookups.later(0, () -> {
                willLookAgain.set(false);
                lookUp();
            });
        }
    }

    /** Looks all names up, on the calling thread. */
    void lookUp() {
        for (Name name : names) {
            if (!closed) {
                name.lookUp();
            }
        }
    }

    @Override
    public void close() {
        closed = true;
    }

    /** A server that the configuration names. */
    private final class Name {
        private final int server;
        private final String text;
        private final CountDownLatch answered = new CountDownLatch(1);
        private long pauseMillis = PAUSE_MILLIS_MIN;
        /** The last lookup failed, which was told. */
        private boolean failing;

        Name(int server, String text) {
            this.server = server;
            this.text = text;
        }

        boolean isConfigured() {
            return isResolved(config.address(server));
        }

        void await(long deadlineNanos) {
            if (current.get(server) != null) {
                return;
            }
            try {
                if (!answered.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    failed("no answer yet for " + text);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failed("no answer yet for " + text);
            }
        }

        /** One task of a name follows the other, so that its pause has one owner at a time. */
        void lookUpAndRepeat() {
            if (closed) {
                return;
            }
            lookUp();
            answered.countDown();
            if (current.get(server) == null) {
                long jittered = pauseMillis / 2 + ThreadLocalRandom.current().nextLong(pauseMillis / 2 + 1);
                pauseMillis = Math.min(2 * pauseMillis, PAUSE_MILLIS_MAX);
                lookups.later(jittered, this::lookUpAndRepeat);
            } else if (!config.resolve().isZero()) {
                lookups.later(config.resolve().toMillis(), this::lookUpAndRepeat);
            }
        }

        void lookUp() {
            try {
                found(Arrays.asList(lookups.addresses(text)));
            } catch (UnknownHostException unknown) {
                failed(text + " does not resolve");
            } catch (RuntimeException broken) {
                failed(text + " cannot be looked up (" + broken + ")");
            }
        }

        private void found(List<InetAddress> found) {
            synchronized (ServerAddresses.this) {
                failing = false;
                InetAddress first = found.getFirst();
                if (!(current.get(server) instanceof InetSocketAddress before)) {
                    set(first);
                    health.resolved(server, System.nanoTime(), InetText.of(first));
                } else if (!found.contains(before.getAddress())) {
                    set(first);
                    log.info("backend " + config.name() + ": " + text + " is now " + InetText.of(first) + ", and was "
                            + InetText.of(before.getAddress()));
                }
            }
        }

        private void set(InetAddress address) {
            int port = ((InetSocketAddress) config.address(server)).getPort();
            current.set(server, new InetSocketAddress(address, port));
        }

        private void failed(String why) {
            synchronized (ServerAddresses.this) {
                if (!(current.get(server) instanceof InetSocketAddress before)) {
                    health.unresolved(server, System.nanoTime(), why);
                } else if (!failing) {
                    failing = true;
                    log.warn("backend " + config.name() + ": " + why + "; its address "
                            + InetText.of(before.getAddress()) + " stays in use");
                }
            }
        }
    }
}
