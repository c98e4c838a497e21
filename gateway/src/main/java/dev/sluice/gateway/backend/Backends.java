package dev.sluice.gateway.backend;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.RouteConfig;
import dev.sluice.config.model.ServerConfig;
import dev.sluice.gateway.dns.Resolver;
import dev.sluice.gateway.log.GatewayLog;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The backends that routes lead to, as far as the loops share them. Thread-safe. */
public final class Backends implements AutoCloseable {
    /**
     * The longest time a start, or a reload with new names, waits for DNS; those names are looked up in the background
     * then.
     */
    private static final long ANSWERS_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final BackendHealth.Log log;
    private final Resolver.Maker resolvers;
    private final NameLookups lookups = new NameLookups();
    /** The counts of lookups by backend, as long as the process runs. */
    private final Map<String, NameCounts> nameCounts = new TreeMap<>();

    private final Map<BackendConfig, BackendTarget> targets = new HashMap<>();
    /** Those of older configurations, as long as sessions hold them. */
    private final List<BackendTarget> former = new ArrayList<>();

    public Backends(GatewayLog log) {
        this(log, Resolver.Maker.SYSTEM);
    }

    /**
     * Creates the backends of a gateway.
     *
     * @param resolvers makes what finds the servers of names
     */
    public Backends(GatewayLog log, Resolver.Maker resolvers) {
        this.log = new Lines(log);
        this.resolvers = resolvers;
    }

    /**
     * Makes what a configuration needs and is not there yet. Followed by {@link #keep} with that which is served then.
     * Waits for DNS a moment where a name is new; one that does not resolve takes its server out, and nothing else.
     *
     * @throws TlsConfigurationException when a certificate has become unusable since it was checked
     */
    public void prepare(GatewayConfig config) {
        List<BackendTarget> added = makeMissing(config);
        long deadline = System.nanoTime() + ANSWERS_WAIT_NANOS;
        added.forEach(target -> target.awaitAnswers(deadline)); // without the lock: metrics are read meanwhile
    }

    private synchronized List<BackendTarget> makeMissing(GatewayConfig config) {
        List<BackendTarget> added = new ArrayList<>();
        for (BackendConfig backend : used(config)) {
            BackendTarget known = targets.get(backend);
            if (known == null) {
                BackendTarget target = make(backend);
                targets.put(backend, target);
                added.add(target);
            } else {
                known.names().lookAgain();
            }
        }
        return added;
    }

    private BackendTarget make(BackendConfig config) {
        TlsContext tls = config.tls() == null ? null : BackendContexts.of(config);
        BackendNames names = new BackendNames(
                config,
                name -> serversOf(config, name),
                resolvers.of(config.resolve().nameservers()),
                lookups,
                nameCounts.computeIfAbsent(config.name(), _ -> new NameCounts()),
                log);
        BackendTarget target = new BackendTarget(config, names, healthOf(config.name()), log, tls);
        names.start(target);
        return target;
    }

    /** Returns the servers that a name has under another configuration, or in another backend, of the same DNS. */
    private @Nullable List<ServerConfig> serversOf(BackendConfig config, ServerConfig name) {
        return targets.values().stream()
                .filter(other -> other.config()
                        .resolve()
                        .nameservers()
                        .equals(config.resolve().nameservers()))
                .map(other -> other.names().find(name))
                .filter(Objects::nonNull)
                .findAny()
                .orElse(null);
    }

    /** Returns the health of the servers as found under another configuration; null when there is none. */
    private @Nullable BackendHealth healthOf(String name) {
        for (BackendTarget target : targets.values()) {
            if (target.config().name().equals(name)) {
                return target.health();
            }
        }
        return null;
    }

    /** A backend of a configuration that was prepared; the caller holds it as long as it uses it. */
    public synchronized BackendTarget target(BackendConfig config) {
        BackendTarget target = targets.get(config);
        if (target == null) {
            throw new IllegalStateException("backend " + config.name() + " was not prepared");
        }
        return target;
    }

    /** Gives up what this configuration does not need. */
    public synchronized void keep(GatewayConfig config) {
        Set<BackendConfig> used = used(config);
        List<BackendConfig> others = targets.keySet().stream()
                .filter(backend -> !used.contains(backend))
                .toList();
        others.forEach(this::giveUp);
    }

    private void giveUp(BackendConfig config) {
        BackendTarget target = targets.remove(config);
        if (target != null) {
            target.release();
            forgetFormer();
            former.add(target);
        }
    }

    private static Set<BackendConfig> used(GatewayConfig config) {
        Set<BackendConfig> used = new HashSet<>();
        config.listeners()
                .forEach(listener ->
                        listener.routes().stream().map(RouteConfig::backend).forEach(used::add));
        return used;
    }

    /** A change of the state of a server. */
    @FunctionalInterface
    interface Change {
        /** Makes the change. */
        void of(BackendHealth health, int server);
    }

    /**
     * Changes a server, or all of a name, also for sessions that an older configuration has accepted, and under one
     * that a reload is about to serve.
     *
     * @param server its address, or its name and port as the configuration writes them
     * @param what the change in words, for the log
     */
    synchronized void change(String backend, String server, String what, Change change) throws UnknownServerException {
        var _ = statuses(backend, server);
        forgetFormer();
        long changed = Stream.concat(former.stream(), targets.values().stream())
                .filter(target -> target.config().name().equals(backend) && target.change(server, change))
                .count();
        if (changed == 0) {
            throw new UnknownServerException("backend " + backend + " has no server \"" + server
                    + "\" any more: its name does not have this address, and the open connections drain");
        }
        log.info("backend " + backend + ": server " + server + " " + what + " by an operator");
    }

    private void forgetFormer() {
        former.removeIf(target -> !target.isHeld());
    }

    /** Returns the status of a server, or of all that a name has, at least one. */
    List<ServerStatus> statuses(String backend, String server) throws UnknownServerException {
        List<ServerStatus> all = statuses();
        List<ServerStatus> ofBackend =
                all.stream().filter(each -> each.backend().equals(backend)).toList();
        if (ofBackend.isEmpty()) {
            throw new UnknownServerException("there is no backend \"" + backend + "\" that a route leads to; there are "
                    + list(all.stream().map(ServerStatus::backend)));
        }
        List<ServerStatus> called = ofBackend.stream()
                .filter(each -> each.config().isCalled(server))
                .toList();
        if (called.isEmpty()) {
            throw new UnknownServerException("backend " + backend + " has no server \"" + server + "\"; it has "
                    + list(ofBackend.stream().map(ServerStatus::server)));
        }
        return called;
    }

    private static String list(Stream<String> names) {
        return names.distinct().collect(Collectors.joining(", "));
    }

    /** Returns the status of each server, by backend and in the order of the configuration. */
    public synchronized List<ServerStatus> statuses() {
        List<ServerStatus> statuses = new ArrayList<>();
        targets.values().stream()
                .sorted(Comparator.comparing(target -> target.config().name()))
                .forEach(target -> statuses.addAll(target.health().statuses(System.nanoTime())));
        return statuses;
    }

    /** Returns the counts of lookups of each backend with names, by its name. */
    public synchronized Map<String, NameCounts> nameCounts() {
        Map<String, NameCounts> counts = new TreeMap<>();
        nameCounts.forEach((backend, count) -> {
            if (count.lookups() > 0) {
                counts.put(backend, count);
            }
        });
        return counts;
    }

    /** Returns the number of names whose last lookup failed, of each backend with names, by the backend's name. */
    public synchronized Map<String, Integer> namesFailing() {
        Map<String, Integer> failing = new TreeMap<>();
        targets.forEach((config, target) -> {
            if (target.names().count() > 0) {
                failing.merge(config.name(), target.names().failing(), Integer::sum);
            }
        });
        return failing;
    }

    /** Closes everything; to be called after the end of the loops. */
    @Override
    public synchronized void close() {
        List.copyOf(targets.keySet()).forEach(this::giveUp);
        lookups.close();
    }

    /** A log adapter that writes lines about servers to the gateway's log. */
    private record Lines(GatewayLog log) implements BackendHealth.Log {
        @Override
        public void info(String line) {
            log.info(line);
        }

        @Override
        public void warn(String line) {
            log.warn(line);
        }
    }
}
