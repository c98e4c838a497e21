package dev.sluice.gateway;

import dev.sluice.gateway.config.BackendConfig;
import dev.sluice.gateway.config.Balance;
import java.net.SocketAddress;

/** The servers of one backend as one loop sees them: whose turn it is, and how many connections each has of this loop. */
final class BackendPool {
    private final BackendConfig config;
    private final int[] connections;
    private int next;

    /** @param firstTurn which server comes first, so that loops do not all begin with the same one */
    BackendPool(BackendConfig config, int firstTurn) {
        this.config = config;
        this.connections = new int[config.servers().size()];
        this.next = firstTurn % connections.length;
    }

    BackendConfig config() {
        return config;
    }

    int size() {
        return connections.length;
    }

    SocketAddress server(int index) {
        return config.servers().get(index);
    }

    /** The server that the next connection goes to. */
    int choose() {
        int chosen = config.balance() == Balance.LEAST_CONNECTIONS ? leastLoaded() : next;
        next = after(chosen);
        return chosen;
    }

    /** The server to try when this one does not take the connection. */
    int after(int index) {
        return index + 1 == connections.length ? 0 : index + 1;
    }

    /** A connection to a server was begun. */
    void opened(int index) {
        connections[index]++;
    }

    /** A connection to a server is over, or could not be had. */
    void closed(int index) {
        connections[index]--;
    }

    /** Connections to a server now, of this loop. */
    int connections(int index) {
        return connections[index];
    }

    private int leastLoaded() {
        int best = next;
        for (int i = after(next); i != next; i = after(i)) {
            if (connections[i] < connections[best]) {
                best = i;
            }
        }
        return best;
    }
}
