package dev.sluice.gateway.backend;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.ServerConfig;
import dev.sluice.gateway.admission.AddressKey;
import dev.sluice.net.ConnectionFailure;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The servers of a {@link ServerGroup} as one loop sees them, and whose turn it is. A connect uses one object to its
 * end, so that indexes stay valid. Confined to the loop's thread.
 */
public final class PoolServers {
    /** No server. */
    static final int NONE = -1;

    private final ServerGroup group;
    private final List<PoolServer> servers;
    private final ServerChoice choice;

    /**
     * Makes the servers of a group.
     *
     * @param before those of the group that it replaces, of which the ones that stay are taken over
     * @param firstTurn which server comes first, so that loops do not all begin with the same one
     */
    PoolServers(ServerGroup group, List<PoolServer> before, int firstTurn) {
        this.group = group;
        this.servers = of(group, before);
        this.choice = new ServerChoice(group.config(), servers, firstTurn);
    }

    private static List<PoolServer> of(ServerGroup group, List<PoolServer> before) {
        BackendConfig config = group.config();
        List<AtomicInteger> connections = group.health().connections();
        List<PoolServer> servers = new ArrayList<>();
        for (int i = 0; i < connections.size(); i++) {
            ServerConfig server = config.servers().get(i);
            AtomicInteger all = connections.get(i);
            servers.add(before.stream()
                    .filter(known -> known.isSame(server.address(), all))
                    .findFirst()
                    .orElseGet(() -> new PoolServer(config.name(), server, all)));
        }
        return List.copyOf(servers);
    }

    ServerGroup group() {
        return group;
    }

    BackendHealth health() {
        return group.health();
    }

    /** Returns the number of servers. */
    public int size() {
        return servers.size();
    }

    PoolServer get(int index) {
        return servers.get(index);
    }

    /** Returns the index of a server; negative when it is none of these. */
    int indexOf(PoolServer server) {
        return servers.indexOf(server);
    }

    /** Returns the servers in the order of their indexes. */
    public List<PoolServer> all() {
        return servers;
    }

    /** Returns the failure of a client for which there is no server to be tried. */
    ConnectionFailure noServer() {
        Standing standing = health().standing();
        boolean isAnyEnabled =
                IntStream.range(0, size()).anyMatch(server -> standing.mode(server) == ServerMode.ENABLED);
        return isAnyEnabled ? ServerConnect.unresolved("") : ServerConnect.disabled();
    }

    /**
     * Returns the server that the next connection goes to; see {@link ServerChoice}.
     *
     * @param now as of {@link System#nanoTime()}
     * @param key what the client is told apart by, see {@link AddressKey}; of no matter unless
     *     {@link BackendPool#needsKey()}
     * @param tried the servers that have not taken it; null: none. Not all.
     * @return {@link #NONE} when no server that is left has an address
     */
    int choose(long now, long key, @Nullable BitSet tried) {
        return choice.choose(new ServerChoice.Request(health().standing(), now, key, tried));
    }
}
