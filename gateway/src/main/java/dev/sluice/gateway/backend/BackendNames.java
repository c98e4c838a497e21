package dev.sluice.gateway.backend;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.ServerConfig;
import dev.sluice.config.yaml.Addresses;
import dev.sluice.config.yaml.Quantities;
import dev.sluice.gateway.dns.Resolver;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The servers that the names in a backend's configuration stand for. Loops know nothing of it, the threads of
 * {@link NameLookups} look up. Thread-safe.
 *
 * <pre>
 *   name ──looked up──▶ servers ──time to live──▶ looked up again ──▶ the same servers, or others
 *     │                   ▲
 *     └──no answer──▶ down ┘   looked up again after 1 s, 2 s, … 30 s
 * </pre>
 *
 * <p>A name that has servers keeps them while it does not resolve.
 */
final class BackendNames implements AutoCloseable {
    /** The shortest time from one lookup of a name to the next, whatever its time to live. */
    static final Duration SHORTEST = Duration.ofSeconds(1);

    /**
     * The pause before a name that does not resolve is looked up again; doubled each time, up to
     * {@link #PAUSE_MILLIS_MAX}.
     */
    private static final long PAUSE_MILLIS_MIN = 1_000;

    private static final long PAUSE_MILLIS_MAX = 30_000;

    /** The number of servers that a line of the log names. */
    private static final int LISTED_MAX = 8;

    private final BackendConfig config;
    private final NameLookups lookups;
    private final NameCounts counts;
    private final BackendHealth.Log log;
    private final Map<ServerConfig, Name> names = new LinkedHashMap<>();
    private final AtomicBoolean willLookAgain = new AtomicBoolean();
    private volatile @Nullable Listener listener;
    private volatile boolean closed;

    /** A receiver of what lookups find; called on their threads. */
    interface Listener {
        /** The backend has other servers from now on; a name without any stands for itself. */
        void onServers(List<ServerConfig> servers);

        /**
         * A name has no servers yet.
         *
         * @param name as the configuration has it
         * @param why for people
         */
        void onUnresolved(SocketAddress name, String why);
    }

    /** The servers that names have already. */
    @FunctionalInterface
    interface Known {
        /** Returns the servers of a name that the configuration has; null: none are known. */
        @Nullable
        List<ServerConfig> of(ServerConfig name);
    }

    /**
     * Begins without a look at DNS: see {@link #start}.
     *
     * @param known servers that names had under an older configuration
     * @param counts counts the lookups
     */
    BackendNames(
            BackendConfig config,
            Known known,
            Resolver resolver,
            NameLookups lookups,
            NameCounts counts,
            BackendHealth.Log log) {
        this.config = config;
        this.lookups = lookups;
        this.counts = counts;
        this.log = log;
        for (ServerConfig server : config.servers()) {
            if (Addresses.nameOf(server.address()) != null) {
                names.put(server, new Name(new NameResolution(server, resolver), known.of(server)));
            }
        }
    }

    /**
     * Returns the servers as they are known: each address once, as the first entry of the configuration that has it
     * describes it.
     */
    synchronized List<ServerConfig> servers() {
        Map<SocketAddress, ServerConfig> servers = new LinkedHashMap<>();
        for (ServerConfig configured : config.servers()) {
            Name name = names.get(configured);
            List<ServerConfig> found = name == null || name.found == null ? List.of(configured) : name.found;
            found.forEach(server -> servers.putIfAbsent(server.address(), server));
        }
        return List.copyOf(servers.values());
    }

    /** Returns the number of names. */
    int count() {
        return names.size();
    }

    /** Returns the number of names whose last lookup failed. */
    synchronized int failing() {
        return (int) names.values().stream().filter(name -> name.failing).count();
    }

    /** Returns the servers of a name for another configuration; null when none are known. */
    synchronized @Nullable List<ServerConfig> find(ServerConfig wanted) {
        for (Map.Entry<ServerConfig, Name> entry : names.entrySet()) {
            ServerConfig own = entry.getKey();
            List<ServerConfig> found = entry.getValue().found;
            if (found != null && own.equals(wanted)) {
                return found;
            }
            if (found != null && own.address().equals(wanted.address()) && own.address() instanceof InetSocketAddress) {
                return found.stream()
                        .map(server -> new ServerConfig(server.address(), wanted.weight(), wanted.role()))
                        .toList();
            }
        }
        return null;
    }

    /** Reports to somebody from now on, without a lookup. */
    void listen(Listener receiver) {
        listener = receiver;
    }

    /** Looks names up from now on, and reports what is found. */
    void start(Listener receiver) {
        listen(receiver);
        names.values().forEach(name -> lookups.later(0, name::lookUpAndRepeat));
    }

    /**
     * Waits until each name without servers was looked up once. One that has none then is down.
     *
     * @param deadlineNanos as of {@link System#nanoTime()}
     */
    void awaitAnswers(long deadlineNanos) {
        names.values().forEach(name -> name.await(deadlineNanos));
    }

    /** Looks names up once more, soon: they may have changed with the configuration. */
    void lookAgain() {
        if (!names.isEmpty() && willLookAgain.compareAndSet(false, true)) {
            lookups.later(0, () -> {
                willLookAgain.set(false);
                lookUp();
            });
        }
    }

    /** Looks all names up, on the calling thread. */
    void lookUp() {
        for (Name name : names.values()) {
            if (!closed) {
                var _ = name.lookUp();
            }
        }
    }

    @Override
    public void close() {
        closed = true;
    }

    /** Reports the servers in the order in which they were found: callers hold the lock. */
    private void report() {
        Listener receiver = listener;
        if (receiver != null && !closed) {
            receiver.onServers(servers());
        }
    }

    /** A name in the configuration. */
    private final class Name {
        private final NameResolution resolution;
        private final CountDownLatch answered = new CountDownLatch(1);
        private final long since = System.nanoTime();
        private long pauseMillis = PAUSE_MILLIS_MIN;
        private @Nullable List<ServerConfig> found;
        /** The last lookup failed, which was logged. */
        private boolean failing;
        /** The name has more addresses than are used, which was logged. */
        private boolean exceeding;

        Name(NameResolution resolution, @Nullable List<ServerConfig> known) {
            this.resolution = resolution;
            this.found = known;
        }

        void await(long deadlineNanos) {
            if (hasServers()) {
                return;
            }
            try {
                if (!answered.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    failed("no answer yet for " + resolution.name());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failed("no answer yet for " + resolution.name());
            }
        }

        private boolean hasServers() {
            synchronized (BackendNames.this) {
                return found != null;
            }
        }

        /** One task of a name follows the other, so that its pause has one owner at a time. */
        void lookUpAndRepeat() {
            if (closed) {
                return;
            }
            Duration next = lookUp();
            answered.countDown();
            if (next == null) {
                long jittered = pauseMillis / 2 + ThreadLocalRandom.current().nextLong(pauseMillis / 2 + 1);
                pauseMillis = Math.min(2 * pauseMillis, PAUSE_MILLIS_MAX);
                lookups.later(jittered, this::lookUpAndRepeat);
            } else {
                pauseMillis = PAUSE_MILLIS_MIN;
                lookups.later(next.toMillis(), this::lookUpAndRepeat);
            }
        }

        /** Looks the name up; returns the time until it is to be looked up again; null when that did not succeed. */
        @Nullable
        Duration lookUp() {
            counts.lookup();
            NameResolution.Result result = resolution.resolve();
            boolean complete = result.problem().isEmpty();
            if (!complete) {
                counts.failure();
            }
            if (closed) {
                return null;
            }
            if (!result.servers().isEmpty()) {
                found(result);
            }
            if (!complete) {
                failed(result.problem());
                return null;
            }
            recovered();
            return clamped(result.timeToLive());
        }

        private Duration clamped(Duration timeToLive) {
            Duration longest = config.resolve().longest();
            return timeToLive.compareTo(longest) > 0
                    ? longest
                    : timeToLive.compareTo(SHORTEST) < 0 ? SHORTEST : timeToLive;
        }

        private void found(NameResolution.Result result) {
            synchronized (BackendNames.this) {
                List<ServerConfig> before = found;
                noteExcess(result);
                if (before != null && areSame(before, result.servers())) {
                    return;
                }
                found = result.servers();
                if (before != null) {
                    log.info(line(change(before, result.servers())));
                } else if (failing) {
                    failing = false;
                    log.info(line("has the servers " + texts(result.servers()) + ", after " + unresolvedTime()
                            + " without one"));
                }
                report();
            }
        }

        private String unresolvedTime() {
            return Quantities.text(Duration.ofSeconds(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - since)));
        }

        private void noteExcess(NameResolution.Result result) {
            if (result.excess() > 0 && !exceeding) {
                log.warn(line("has " + result.excess() + " servers more than the limit of " + NameResolution.SERVERS_MAX
                        + "; the first of them in the order of their addresses are used"));
            }
            exceeding = result.excess() > 0;
        }

        private void recovered() {
            synchronized (BackendNames.this) {
                if (failing) {
                    failing = false;
                    log.info(line("resolves again"));
                }
            }
        }

        private void failed(String why) {
            synchronized (BackendNames.this) {
                Listener receiver = listener;
                if (found != null && !failing) {
                    log.warn("backend " + config.name() + ": lookup of " + BackendConfig.text(resolution.address())
                            + " failed (" + why + "); keeping its servers " + texts(found));
                } else if (found == null && receiver != null) {
                    receiver.onUnresolved(resolution.address(), why);
                }
                failing = true;
            }
        }

        private String line(String what) {
            return "backend " + config.name() + ": " + BackendConfig.text(resolution.address()) + " " + what;
        }
    }

    /** Compares names, too, which the equality of addresses leaves out, and TLS verifies. */
    private static boolean areSame(List<ServerConfig> some, List<ServerConfig> others) {
        return some.equals(others)
                && some.stream()
                        .map(ServerConfig::foundBy)
                        .toList()
                        .equals(others.stream().map(ServerConfig::foundBy).toList());
    }

    private static String change(List<ServerConfig> before, List<ServerConfig> after) {
        List<SocketAddress> old = before.stream().map(ServerConfig::address).toList();
        List<SocketAddress> now = after.stream().map(ServerConfig::address).toList();
        List<ServerConfig> added =
                after.stream().filter(each -> !old.contains(each.address())).toList();
        List<ServerConfig> gone =
                before.stream().filter(each -> !now.contains(each.address())).toList();
        List<String> parts = new ArrayList<>();
        if (!added.isEmpty()) {
            parts.add("has new servers: " + texts(added));
        }
        if (!gone.isEmpty()) {
            parts.add("has no more, so that they get no new connections: " + texts(gone));
        }
        return parts.isEmpty() ? "has other weights, priorities or hosts" : String.join("; ", parts);
    }

    private static String texts(List<ServerConfig> servers) {
        String first =
                servers.stream().limit(LISTED_MAX).map(ServerConfig::text).collect(Collectors.joining(", "));
        int rest = servers.size() - LISTED_MAX;
        return rest > 0 ? first + " and " + rest + " more" : first;
    }
}
