package dev.sluice.gateway.backend;

import dev.sluice.config.model.ServerConfig;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Rendezvous hashing: each key maps to the server with the highest score for it (Thaler and Ravishankar, "Using
 * name-based mappings to increase hit rates", 1998). The only state is one number per server, derived from its
 * address, so loops, nodes and restarts agree, whatever the order of the list; when a server leaves, only its keys
 * move, evenly to the others.
 */
public final class Rendezvous {
    private static final long FNV_BASIS = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private final long[] seeds;

    /**
     * Creates a ranking of servers.
     *
     * @param servers by whose addresses they are told apart
     */
    public Rendezvous(List<SocketAddress> servers) {
        seeds = servers.stream().mapToLong(Rendezvous::seed).toArray();
    }

    /** Returns the score of a server for a key: the server with the highest one serves it. */
    public long score(int server, long key) {
        return mix(mix(key + GOLDEN) ^ seeds[server]);
    }

    /**
     * Returns the score of a server for a key, by weight: of many keys, each server has the highest score for a part
     * that is proportional to its weight (Schindelhauer and Schomaker, "Weighted distributed hash tables", 2005). With
     * equal weights the order is that of {@link #score(int, long)}.
     */
    public double score(int server, long key, int weight) {
        double uniform = (((score(server, key) ^ Long.MIN_VALUE) >>> 11) + 0.5) * 0x1.0p-53;
        return -weight / Math.log(uniform);
    }

    /**
     * A number from 0 to 1 that a key has for a server, apart from the score: whether a share of its keys takes this
     * one in.
     */
    double position(int server, long key) {
        return (mix(score(server, key) + GOLDEN) >>> 11) * 0x1.0p-53;
    }

    private static long seed(SocketAddress server) {
        long hash = FNV_BASIS;
        for (byte b : ServerConfig.text(server).getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xFF)) * FNV_PRIME;
        }
        return mix(hash);
    }

    /** The finalizer of SplitMix64 (Steele, Lea and Flood, 2014): every bit of the result depends on every bit. */
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
