package dev.sluice.gateway.backend;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.EjectConfig;
import dev.sluice.config.model.HealthConfig;
import dev.sluice.config.model.ServerConfig;
import dev.sluice.config.yaml.Quantities;
import dev.sluice.gateway.backend.ServerStatus.Health;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The state of a backend's servers, from what all loops together have found out. Thread-safe: loops choose by a
 * snapshot ({@link #standing()}, a volatile read), and take a lock only to tell of a failure, or of a success behind
 * one.
 *
 * <p>Each change is written to the log once, with its reason. Times are as of {@link System#nanoTime()}.
 */
final class BackendHealth {
    private final BackendConfig config;
    private final @Nullable EjectConfig eject;
    private final @Nullable HealthConfig health;
    private final Log log;
    private final List<ServerState> servers = new ArrayList<>();
    /** Servers that the names have no more, while connections to them are open. */
    private final List<Departed> departed = new ArrayList<>();

    private volatile Standing standing;

    /**
     * A server that has left.
     *
     * @param connections those that are open, of all loops
     */
    private record Departed(ServerConfig server, AtomicInteger connections) {}

    /** The share of the connections that a server gets which the backend did not have before. */
    enum Newcomers {
        /** Its whole share. */
        AT_ONCE,
        /** A share that grows in {@code slow-start}. */
        SLOWLY
    }

    /** A receiver of state changes. */
    public interface Log {
        /** A server is used again. */
        void info(String line);

        /** A server is not used. */
        void warn(String line);
    }

    /**
     * All servers are up, unless it is known better.
     *
     * @param before what was found out under an older configuration of this backend; null: nothing
     */
    BackendHealth(BackendConfig config, @Nullable BackendHealth before, Log log) {
        this(config, before, Newcomers.AT_ONCE, log);
    }

    /** The same of servers that DNS has changed. */
    BackendHealth(BackendConfig config, @Nullable BackendHealth before, Newcomers newcomers, Log log) {
        this.config = config;
        this.eject = config.eject();
        this.health = config.health();
        this.log = log;
        for (ServerConfig server : config.servers()) {
            servers.add(before == null ? new ServerState() : stateAfter(before, server, newcomers));
        }
        this.standing = standingNow();
    }

    private ServerState stateAfter(BackendHealth before, ServerConfig server, Newcomers newcomers) {
        ServerState known = before.state(server.address());
        if (known == null) {
            ServerState added = new ServerState(before.connectionsOfDeparted(server.address()));
            if (newcomers == Newcomers.SLOWLY) {
                added.resolved(System.nanoTime());
            }
            return added;
        }
        boolean sameWeight = server.weight() == before.configuredWeight(server.address());
        return new ServerState(known, health != null, eject != null, sameWeight);
    }

    private synchronized AtomicInteger connectionsOfDeparted(SocketAddress server) {
        return departed.stream()
                .filter(each -> each.server().address().equals(server))
                .map(Departed::connections)
                .findFirst()
                .orElseGet(AtomicInteger::new);
    }

    /** Notes the servers that an older object has, and this one has not: they are listed until they have drained. */
    synchronized void departedFrom(BackendHealth before) {
        for (Departed each : before.departures()) {
            if (each.connections().get() > 0 && state(each.server().address()) == null) {
                departed.add(each);
            }
        }
    }

    private synchronized List<Departed> departures() {
        List<Departed> all = new ArrayList<>(departed);
        for (int i = 0; i < servers.size(); i++) {
            all.add(new Departed(config.servers().get(i), servers.get(i).connections()));
        }
        return all;
    }

    /** Returns the weight of a server; 0 when it is none of this backend's. */
    private int configuredWeight(SocketAddress server) {
        int index = config.addresses().indexOf(server);
        return index < 0 ? 0 : config.servers().get(index).weight();
    }

    private synchronized @Nullable ServerState state(SocketAddress server) {
        int index = config.addresses().indexOf(server);
        return index < 0 ? null : servers.get(index);
    }

    /** Returns the state of the servers as loops use it. */
    Standing standing() {
        return standing;
    }

    /** Returns the status of each server, for people. */
    synchronized List<ServerStatus> statuses(long now) {
        List<ServerStatus> statuses = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            ServerState server = servers.get(i);
            Health state = server.isDown() || server.isUnresolved()
                    ? Health.DOWN
                    : server.isAway(now) ? Health.EJECTED : Health.UP;
            statuses.add(new ServerStatus(
                    config.name(),
                    server.inForce(config.servers().get(i)),
                    server.mode(),
                    state,
                    state == Health.UP ? "" : server.reason(),
                    server.connections().get()));
        }
        departed.removeIf(each -> each.connections().get() == 0);
        departed.forEach(each -> statuses.add(drained(each)));
        return statuses;
    }

    private ServerStatus drained(Departed gone) {
        return new ServerStatus(
                config.name(),
                gone.server(),
                ServerMode.DRAINING,
                Health.UP,
                "its name does not have this address any more",
                gone.connections().get());
    }

    // --- operators --------------------------------------------------------------------------------------------------

    /** Has a server used in a mode from now on. Idempotent. */
    synchronized void mode(int server, ServerMode mode, long now) {
        ServerState state = servers.get(server);
        if (state.mode() == mode) {
            return;
        }
        state.mode(mode, now);
        standing = standingNow();
        if (mode != ServerMode.ENABLED) {
            warnIfNoneIsLeft(now);
        }
    }

    /** Sets the weight of a server, until the configuration has another one. */
    synchronized void weight(int server, int weight) {
        servers.get(server).weight(weight);
        standing = standingNow();
    }

    /** Returns the numbers of connections to each server on all loops, which pools count. */
    synchronized List<AtomicInteger> connections() {
        return servers.stream().map(ServerState::connections).toList();
    }

    // --- names ------------------------------------------------------------------------------------------------------

    /**
     * Takes a server out whose name has no address; when it has some, those are other servers.
     *
     * @param why for people
     */
    synchronized void unresolved(int server, long now, String why) {
        if (servers.get(server).unresolved(now, why)) {
            standing = standingNow();
            log.warn(line(server, "is down: " + why + "; its servers are used as soon as it resolves"));
            warnIfNoneIsLeft(now);
        }
    }

    // --- connects ---------------------------------------------------------------------------------------------------

    /** A client's connection was made. */
    void connected(int server, long now) {
        if (standing.isTroubled(server)) {
            recovered(server, now);
        }
    }

    private synchronized void recovered(int server, long now) {
        ServerState state = servers.get(server);
        long outFor = state.outFor(now);
        boolean back = state.connected(now);
        standing = standingNow();
        if (back) {
            log.info(line(server, "takes connections again after " + seconds(outFor)));
        }
    }

    /**
     * A client's connection could not be made, and the server or what lies before it is to blame.
     *
     * @param why for people
     * @return whether the server is ejected from now on
     */
    synchronized boolean connectFailed(int server, long now, String why) {
        ServerState state = servers.get(server);
        long period = state.connectFailed(eject, now, why);
        standing = standingNow();
        if (period == 0) {
            return false;
        }
        log.warn(line(
                server,
                "is ejected for " + Quantities.text(Duration.ofNanos(period)) + ": " + state.failures()
                        + (state.failures() == 1 ? " connect" : " connects in a row") + " failed, the last: " + why));
        warnIfNoneIsLeft(now);
        return true;
    }

    // --- checks -----------------------------------------------------------------------------------------------------

    /** A check has passed. */
    synchronized void checkPassed(int server, long now) {
        ServerState state = servers.get(server);
        long outFor = state.outFor(now);
        int rise = rules().rise();
        if (state.checkPassed(rise, now)) {
            standing = standingNow();
            log.info(line(server, "is up again after " + seconds(outFor) + ": " + checks(rise) + " passed"));
        }
    }

    /**
     * A check has failed.
     *
     * @param why for people
     */
    synchronized void checkFailed(int server, long now, String why) {
        int fall = rules().fall();
        if (servers.get(server).checkFailed(fall, now, why)) {
            standing = standingNow();
            log.warn(line(server, "is down: " + checks(fall) + " failed, the last: " + why));
            warnIfNoneIsLeft(now);
        }
    }

    private HealthConfig rules() {
        return Objects.requireNonNull(health, "checks without rules for them");
    }

    private void warnIfNoneIsLeft(long now) {
        for (int i = 0; i < servers.size(); i++) {
            if (standing.isUsable(i, now)) {
                return;
            }
        }
        if (servers.stream().noneMatch(server -> server.mode() == ServerMode.ENABLED)) {
            log.warn("backend " + config.name() + ": no server is enabled, so that connections end as"
                    + " backend_servers_disabled; enable one by sluice backends enable");
        } else if (servers.size() > 1 && servers.stream().allMatch(ServerState::isUnresolved)) {
            log.warn("backend " + config.name() + ": no server has an address, so that connections end as"
                    + " backend_unresolved; see the names in servers, and DNS");
        } else if (servers.size() > 1) {
            log.warn("backend " + config.name() + ": no server is left, so that all are tried");
        }
    }

    private Standing standingNow() {
        return new Standing(
                servers.stream().map(ServerState::standing).toArray(Standing.Server[]::new),
                inForce(),
                config.slowStart().toNanos());
    }

    private List<ServerConfig> inForce() {
        List<ServerConfig> inForce = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            inForce.add(servers.get(i).inForce(config.servers().get(i)));
        }
        return inForce;
    }

    private String line(int server, String what) {
        return "backend " + config.name() + ": server " + text(server) + " " + what;
    }

    private String text(int server) {
        return config.servers().get(server).text();
    }

    private static String checks(int count) {
        return count == 1 ? "a check" : count + " checks in a row";
    }

    private static String seconds(long nanos) {
        return Quantities.text(Duration.ofSeconds(Duration.ofNanos(nanos).toSeconds()));
    }
}
