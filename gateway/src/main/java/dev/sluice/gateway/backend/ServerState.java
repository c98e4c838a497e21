package dev.sluice.gateway.backend;

import dev.sluice.config.model.EjectConfig;
import dev.sluice.config.model.ServerConfig;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The known state of one server. Guarded by its {@link BackendHealth}, but for {@link #connections()}.
 *
 * <pre>
 *   connects:  well ──failures in a row──▶ away ──time──▶ returning ──a connect succeeds──▶ well
 *                                            ▲─────a connect fails─────┘
 *   checks:    up ◀──rise──▶ down   (on their own; both must let it)
 *   name:      unresolved   (until it has addresses, each of which is a server of its own)
 *   operator:  enabled ◀──▶ draining, disabled   (of its own, too)
 * </pre>
 */
final class ServerState {
    private int failures;
    private int checksPassed;
    private int checksFailed;
    private boolean down;
    private long downSince;
    private boolean away;
    private long awaySince;
    private long awayUntil;
    private long period;
    private boolean returning;
    private long backSince;
    private String reason = "";
    private boolean unresolved;
    private long unresolvedSince;
    private String whyUnresolved = "";
    private ServerMode mode = ServerMode.ENABLED;
    /** The weight that an operator has set; 0: the configured one. */
    private int weight;

    private final AtomicInteger connections;

    ServerState() {
        this(new AtomicInteger());
    }

    /** The state of a server to which connections may be open. */
    ServerState(AtomicInteger connections) {
        this.connections = connections;
    }

    /**
     * The same, as far as rules that may be others have a meaning for it.
     *
     * @param sameWeight whether the configuration has not changed the weight
     */
    ServerState(ServerState from, boolean checked, boolean ejected, boolean sameWeight) {
        connections = from.connections;
        mode = from.mode;
        weight = sameWeight ? from.weight : 0;
        failures = from.failures;
        down = checked && from.down;
        downSince = from.downSince;
        away = ejected && from.away;
        awaySince = from.awaySince;
        awayUntil = from.awayUntil;
        period = from.period;
        returning = from.returning;
        backSince = from.backSince;
        reason = from.reason;
        unresolved = from.unresolved;
        unresolvedSince = from.unresolvedSince;
        whyUnresolved = from.whyUnresolved;
    }

    Standing.Server standing() {
        boolean troubled = failures > 0 || away;
        return !down && !troubled && !returning && !unresolved && mode == ServerMode.ENABLED
                ? Standing.Server.WELL
                : new Standing.Server(down, away, awayUntil, backSince, returning, troubled, unresolved, mode);
    }

    boolean isDown() {
        return down;
    }

    /** Returns true while the server is skipped because of failed connects. */
    boolean isAway(long now) {
        return away && now - awayUntil < 0;
    }

    String reason() {
        return unresolved ? whyUnresolved : reason;
    }

    /** Returns the time for which the server has not been used, in nanoseconds. */
    long outFor(long now) {
        return now - (unresolved ? unresolvedSince : down ? downSince : awaySince);
    }

    // --- operators --------------------------------------------------------------------------------------------------

    ServerMode mode() {
        return mode;
    }

    /** An operator has it used in another mode; one that is enabled is a server that comes back. */
    void mode(ServerMode next, long now) {
        if (next == ServerMode.ENABLED && mode != next) {
            returning = true;
            backSince = now;
        }
        mode = next;
    }

    void weight(int next) {
        weight = next;
    }

    /** Returns the configuration with the weight that is in force. */
    ServerConfig inForce(ServerConfig config) {
        return weight == 0 ? config : new ServerConfig(config.address(), weight, config.role());
    }

    /** Returns the number of connections that are open or being made, on all loops and under all configurations. */
    AtomicInteger connections() {
        return connections;
    }

    // --- its name ---------------------------------------------------------------------------------------------------

    boolean isUnresolved() {
        return unresolved;
    }

    /** Its name does not resolve: true when that is new. */
    boolean unresolved(long now, String why) {
        boolean isNew = !unresolved;
        unresolvedSince = isNew ? now : unresolvedSince;
        unresolved = true;
        whyUnresolved = why;
        return isNew;
    }

    /** It is new under its name: like a server that comes back. */
    void resolved(long now) {
        returning = true;
        backSince = now;
    }

    // --- connects ---------------------------------------------------------------------------------------------------

    /**
     * A connect has failed: for how many nanoseconds it is passed over now; 0 when that does not begin with this one.
     */
    long connectFailed(@Nullable EjectConfig rules, long now, String why) {
        failures = failures == Integer.MAX_VALUE ? failures : failures + 1;
        if (rules == null || failures < rules.after() || isAway(now)) {
            return 0;
        }
        period = nextPeriod(rules, now);
        awaySince = away ? awaySince : now;
        away = true;
        awayUntil = now + period;
        returning = false;
        checksPassed = 0;
        reason = why;
        return period;
    }

    /** Twice as long as the last time, unless it has worked for as long as it was away then. */
    private long nextPeriod(EjectConfig rules, long now) {
        boolean hadRecovered = period == 0 || (!away && now - backSince >= period);
        return hadRecovered
                ? rules.time().toNanos()
                : Math.min(2 * period, rules.longest().toNanos());
    }

    /** A connect has succeeded: whether that brings it back. */
    boolean connected(long now) {
        failures = 0;
        if (!away) {
            return false;
        }
        comeBack(isAway(now) ? now : awayUntil);
        return true;
    }

    private void comeBack(long since) {
        away = false;
        failures = 0;
        returning = true;
        backSince = since;
    }

    // --- checks -----------------------------------------------------------------------------------------------------

    /** A check has passed: whether that brings it back. */
    boolean checkPassed(int rise, long now) {
        checksFailed = 0;
        checksPassed = Math.min(checksPassed + 1, rise);
        if (checksPassed < rise || !(down || away)) {
            return false;
        }
        down = false;
        comeBack(now);
        return true;
    }

    /** A check has failed: whether that takes it out. */
    boolean checkFailed(int fall, long now, String why) {
        checksPassed = 0;
        checksFailed = Math.min(checksFailed + 1, fall);
        if (checksFailed < fall || down) {
            return false;
        }
        down = true;
        downSince = now;
        reason = why;
        return true;
    }

    int failures() {
        return failures;
    }
}
