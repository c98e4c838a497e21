package dev.sluice.gateway;

import dev.sluice.gateway.backend.BackendHealth;
import dev.sluice.gateway.backend.ServerStatus;
import dev.sluice.gateway.config.BackendConfig;
import dev.sluice.gateway.config.GatewayConfig;
import dev.sluice.gateway.config.RouteConfig;
import dev.sluice.tls.TlsConfigurationException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The backends that routes lead to, as far as the loops share them. Thread-safe. */
final class Backends implements AutoCloseable {
    private final BackendHealth.Log log;
    private final Map<BackendConfig, BackendTarget> targets = new HashMap<>();

    Backends(GatewayLog log) {
        this.log = new Lines(log);
    }

    /**
     * Makes what a configuration needs and is not there yet. Followed by {@link #keep} with that which is served then.
     *
     * @throws TlsConfigurationException when a certificate has become unusable since it was checked
     */
    synchronized void prepare(GatewayConfig config) {
        for (BackendConfig backend : used(config)) {
            if (!targets.containsKey(backend)) {
                targets.put(backend, make(backend));
            }
        }
    }

    private BackendTarget make(BackendConfig config) {
        BackendHealth health = new BackendHealth(config, healthOf(config.name()), log);
        BackendTarget target =
                new BackendTarget(config, health, config.tls() == null ? null : BackendContexts.of(config));
        target.addresses().watch(log);
        return target;
    }

    /** What was found out of the servers under another configuration. */
    private @Nullable BackendHealth healthOf(String name) {
        for (BackendTarget target : targets.values()) {
            if (target.config().name().equals(name)) {
                return target.health();
            }
        }
        return null;
    }

    /** A backend of a configuration that was prepared; the caller holds it as long as it uses it. */
    synchronized BackendTarget target(BackendConfig config) {
        BackendTarget target = targets.get(config);
        if (target == null) {
            throw new IllegalStateException("backend " + config.name() + " was not prepared");
        }
        return target;
    }

    /** Gives up what this configuration does not need. */
    synchronized void keep(GatewayConfig config) {
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
        }
    }

    private static Set<BackendConfig> used(GatewayConfig config) {
        Set<BackendConfig> used = new HashSet<>();
        config.listeners()
                .forEach(listener ->
                        listener.routes().stream().map(RouteConfig::backend).forEach(used::add));
        return used;
    }

    /** How each server is. */
    synchronized List<ServerStatus> statuses() {
        List<ServerStatus> statuses = new ArrayList<>();
        targets.values().forEach(target -> statuses.addAll(target.health().statuses(System.nanoTime())));
        return statuses;
    }

    /** After the end of the loops. */
    @Override
    public synchronized void close() {
        List.copyOf(targets.keySet()).forEach(this::giveUp);
    }

    /** What is told of servers, among the gateway's lines. */
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
