package dev.sluice.gateway.tickets;

import dev.sluice.tls.ticket.TicketKeyInfo;
import dev.sluice.tls.ticket.TicketKeyInfo.State;
import dev.sluice.tls.ticket.TicketKeyPlan;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One node of a fleet, whose polls are the test's. */
final class Node implements AutoCloseable {
    static final Duration ROTATE = Duration.ofHours(1);
    static final Duration KEEP = Duration.ofHours(4);
    static final Duration POLL = Duration.ofSeconds(10);
    static final int AHEAD = 6;
    static final TicketKeyPlan PLAN = new TicketKeyPlan(ROTATE, KEEP, AHEAD, POLL.multipliedBy(3), Duration.ZERO);

    final Lines log = new Lines();
    final TicketKeyRing ring;
    final SharedKeys keys;

    Node(DocumentStore store, Path fleetKey, InstantSource machineClock) throws TicketKeyException {
        this(store, fleetKey, machineClock, null);
    }

    /**
     * Creates a node.
     *
     * @param cache file in which the node keeps what it has read; null: nowhere
     */
    Node(DocumentStore store, Path fleetKey, InstantSource machineClock, @Nullable Path cache)
            throws TicketKeyException {
        FleetClock clock = new FleetClock(machineClock);
        this.ring = TicketKeyRing.installed(KEEP, clock);
        StateFile file = cache == null ? null : new StateFile(cache, FleetKey.read(fleetKey));
        this.keys = new SharedKeys(ring, PLAN, clock, store, FleetKey.read(fleetKey), file, POLL, log);
    }

    Node poll() {
        keys.refresh();
        return this;
    }

    /** The key that seals. */
    String current() {
        return ring.keys().stream()
                .filter(key -> key.state() == State.CURRENT)
                .map(TicketKeyInfo::id)
                .findFirst()
                .orElse("none");
    }

    /** The keys that open. */
    Set<String> opens() {
        return ring.keys().stream()
                .filter(key -> key.state() != State.EXPIRED)
                .map(TicketKeyInfo::id)
                .collect(Collectors.toSet());
    }

    List<String> ids(State state) {
        return ring.keys().stream()
                .filter(key -> key.state() == state)
                .map(TicketKeyInfo::id)
                .toList();
    }

    @Override
    public void close() {
        ring.close();
        keys.close();
    }
}
