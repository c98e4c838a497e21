package dev.sluice.gateway.backend;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.Balance;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A backend as one loop sees it: its servers, which DNS may change, and the checks of some of them. Confined to the
 * loop's thread, but for {@link #free()}.
 *
 * <p>Held by those listeners of the loop that lead to it; with the last of them it is over. Connections made through it
 * may last longer: they need their {@link PoolServer} only.
 */
public final class BackendPool {
    private final BackendTarget target;
    private final int firstTurn;
    private PoolServers servers;
    private @Nullable PoolChecks checks;
    private int holders;
    private boolean freed;

    /**
     * Creates a backend pool.
     *
     * @param target held from now on
     * @param firstTurn which server comes first, so that loops do not all begin with the same one
     */
    public BackendPool(BackendTarget target, int firstTurn) {
        this.target = target;
        this.firstTurn = firstTurn;
        this.servers = new PoolServers(target.group(), List.of(), firstTurn);
        target.hold();
    }

    /** Returns the configuration of the backend, with names as it writes them. */
    public BackendConfig config() {
        return target.config();
    }

    public BackendTarget target() {
        return target;
    }

    /** Returns the servers as they are now. */
    public PoolServers servers() {
        if (!servers.group().equals(target.group())) {
            List<PoolServer> before = servers.all();
            servers = new PoolServers(target.group(), before, firstTurn);
            before.stream()
                    .filter(server -> !servers.all().contains(server))
                    .forEach(server -> server.session().close());
        }
        return servers;
    }

    /** Returns true when the choice of a server depends on where a connection comes from. */
    boolean needsKey() {
        return config().balance() == Balance.HASH;
    }

    /** Checks servers for as long as the pool is held. */
    public void check(PoolChecks with) {
        checks = with;
        with.start();
    }

    /** A listener leads here. */
    public void hold() {
        holders++;
    }

    /** One does no longer. */
    public boolean release() {
        holders--;
        return holders == 0;
    }

    /** Returns true once the pool is freed. */
    boolean isFreed() {
        return freed;
    }

    /** Nobody leads here any more: frees what it holds. From any thread when the loop has ended. */
    public void free() {
        freed = true;
        if (checks != null) {
            checks.stop();
        }
        servers.all().forEach(server -> server.session().close());
        target.release();
    }
}
