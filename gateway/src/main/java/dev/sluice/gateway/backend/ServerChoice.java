package dev.sluice.gateway.backend;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.Balance;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The choice of a backend's server for a connection, by load balancing and weights, from what one loop knows. Confined
 * to its loop.
 *
 * <p>A connection goes to the first tier that has a server left for it: usable primaries, usable backups, primaries
 * that are out, backups that are out. Those that are out are better tried than no server at all; those that are not
 * enabled or have no address are never tried.
 */
final class ServerChoice {
    private final Balance balance;
    private final List<PoolServer> servers;
    private final Rendezvous rendezvous;
    /**
     * The credit of each server for the next turn: each turn adds a server's portion to it, and the server with the
     * most credit pays for all of them. That spreads the turns of a heavy server evenly among those of the others, as
     * nginx does.
     */
    private final double[] credits;

    /** The server at which the search begins, so that equal ones take turns. */
    private int next;

    /** The servers that a search looks at. */
    private enum Tier {
        USABLE_PRIMARIES,
        USABLE_BACKUPS,
        PRIMARIES_THAT_ARE_OUT,
        BACKUPS_THAT_ARE_OUT;

        private static final Tier[] ALL = values();

        boolean isOfBackups() {
            return this == USABLE_BACKUPS || this == BACKUPS_THAT_ARE_OUT;
        }

        boolean isUsable() {
            return this == USABLE_PRIMARIES || this == USABLE_BACKUPS;
        }
    }

    /**
     * A request for a server.
     *
     * @param standing the servers' health and weights
     * @param now as of {@link System#nanoTime()}
     * @param key the client's, see {@link dev.sluice.gateway.admission.AddressKey}; used by {@link Balance#HASH} only
     * @param tried the servers that have not taken the connection; null: none
     */
    record Request(
            Standing standing, long now, long key, @Nullable BitSet tried) {
        boolean isFirst() {
            return tried == null;
        }

        /** Returns the share that a server has of its weight: 0 when it is not for this tier. */
        private double share(Tier tier, int server) {
            if ((tried != null && tried.get(server)) || standing.isBackup(server) != tier.isOfBackups()) {
                return 0;
            }
            return tier.isUsable() ? standing.share(server, now) : standing.isOpen(server) ? 1 : 0;
        }

        private double portion(Tier tier, int server) {
            return share(tier, server) * standing.weight(server);
        }
    }

    /**
     * Creates the choice.
     *
     * @param servers the servers, with the number of their connections
     * @param firstTurn the server that comes first
     */
    ServerChoice(BackendConfig config, List<PoolServer> servers, int firstTurn) {
        this.balance = config.balance();
        this.servers = servers;
        this.credits = new double[servers.size()];
        this.rendezvous = new Rendezvous(config.addresses());
        this.next = firstTurn % servers.size();
    }

    /** Returns a server; {@link PoolServers#NONE} when none is left that is enabled and has an address. */
    int choose(Request request) {
        int chosen = PoolServers.NONE;
        for (int tier = 0; tier < Tier.ALL.length && chosen == PoolServers.NONE; tier++) {
            chosen = best(request, Tier.ALL[tier]);
        }
        if (request.isFirst() && chosen != PoolServers.NONE) {
            next = after(chosen);
        }
        return chosen;
    }

    private int best(Request request, Tier tier) {
        return switch (balance) {
            case ROUND_ROBIN -> inTurn(request, tier);
            case LEAST_CONNECTIONS -> leastLoaded(request, tier);
            case HASH -> highestScore(request, tier);
        };
    }

    private int inTurn(Request request, Tier tier) {
        int best = PoolServers.NONE;
        double most = 0;
        double paid = 0;
        int server = next;
        for (int left = credits.length; left > 0; left--, server = after(server)) {
            double portion = request.portion(tier, server);
            double credit = credits[server] + portion;
            if (portion > 0 && request.isFirst()) {
                credits[server] = credit; // a retry is nobody's turn
                paid += portion;
            }
            if (portion > 0 && (best == PoolServers.NONE || credit > most)) {
                best = server;
                most = credit;
            }
        }
        if (best != PoolServers.NONE) {
            credits[best] -= paid;
        }
        return best;
    }

    private int leastLoaded(Request request, Tier tier) {
        int best = PoolServers.NONE;
        double least = Double.POSITIVE_INFINITY;
        int server = next;
        for (int left = credits.length; left > 0; left--, server = after(server)) {
            double portion = request.portion(tier, server);
            double load = (servers.get(server).connections() + 1) / portion;
            if (portion > 0 && load < least) {
                best = server;
                least = load;
            }
        }
        return best;
    }

    /** A server with a share of a quarter takes in a quarter of its keys. */
    private int highestScore(Request request, Tier tier) {
        int best = PoolServers.NONE;
        int passedOver = PoolServers.NONE;
        for (int server = 0; server < credits.length; server++) {
            double share = request.share(tier, server);
            if (share >= 1 || (share > 0 && rendezvous.position(server, request.key()) < share)) {
                best = higher(request, best, server);
            } else if (share > 0) {
                passedOver = higher(request, passedOver, server);
            }
        }
        return best == PoolServers.NONE ? passedOver : best;
    }

    private int higher(Request request, int best, int server) {
        if (best == PoolServers.NONE) {
            return server;
        }
        Standing standing = request.standing();
        long key = request.key();
        boolean isHigher = standing.weight(server) == standing.weight(best)
                ? rendezvous.score(server, key) > rendezvous.score(best, key)
                : rendezvous.score(server, key, standing.weight(server))
                        > rendezvous.score(best, key, standing.weight(best));
        return isHigher ? server : best;
    }

    private int after(int server) {
        return server + 1 == credits.length ? 0 : server + 1;
    }
}
