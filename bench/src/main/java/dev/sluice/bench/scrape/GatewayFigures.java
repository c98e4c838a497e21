package dev.sluice.bench.scrape;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The gateway's resources at one time.
 *
 * @param sessions client connections
 * @param backendConnections connections to the backend
 * @param buffers leased buffers of the event loop
 * @param handles native regions and handles by owner from the ledger, including connection keys
 * @param resident resident memory in bytes
 * @param descriptors open descriptors
 * @param logLines lines logged since its start
 */
public record GatewayFigures(
        long sessions,
        long backendConnections,
        long buffers,
        Map<String, Long> handles,
        long resident,
        long descriptors,
        long logLines) {
    /** The kernel holds up to so many buffers for receives on io_uring, varying over time. */
    private static final int BUFFERS_ON_OFFER = 128;

    /** The counting scrape uses a connection, and the JVM pollers of its threads; a leak shows in hundreds. */
    private static final int DESCRIPTORS_OF_SCRAPES = 8;

    /** Takes the figures of a metrics page, and those of the process. */
    public static GatewayFigures of(MetricsPage page, long resident, long descriptors, long logLines) {
        long sessions = page.sum("sluice_connections");
        return new GatewayFigures(
                sessions,
                page.sum("sluice_loop_connections") - sessions,
                page.sum("sluice_loop_buffers_leased"),
                page.sums("sluice_memory_handles", "owner"),
                resident,
                descriptors,
                logLines);
    }

    /**
     * Returns what the gateway holds more of than before, other than memory that it keeps for later: a sentence each.
     *
     * @param before its figures when there were as many connections as now
     * @param cached native handles of each owner that it may have more of, since it makes some when they are first
     *     needed and keeps them
     */
    public List<String> leftovers(GatewayFigures before, long cached) {
        List<String> leftovers = new ArrayList<>();
        atMost(leftovers, "client connections open", sessions, before.sessions);
        atMost(leftovers, "backend connections open", backendConnections, before.backendConnections);
        atMost(leftovers, "buffers in use", buffers, before.buffers + BUFFERS_ON_OFFER);
        atMost(leftovers, "descriptors open", descriptors, before.descriptors + DESCRIPTORS_OF_SCRAPES);
        handles.forEach((owner, count) -> {
            if (!isPool(owner)) {
                atMost(leftovers, owner + " held", count, before.handles.getOrDefault(owner, 0L) + cached);
            }
        });
        return leftovers;
    }

    /** Returns whether an owner allocates memory in chunks on demand and keeps it. */
    private static boolean isPool(String owner) {
        return owner.endsWith(" buffers") || owner.endsWith(", unused") || owner.endsWith(" transport");
    }

    private static void atMost(List<String> leftovers, String what, long count, long most) {
        if (count > most) {
            leftovers.add(what + ": " + count + ", at most " + most + " expected");
        }
    }
}
