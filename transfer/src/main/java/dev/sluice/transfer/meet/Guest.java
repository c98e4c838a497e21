package dev.sluice.transfer.meet;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The search for a host: all addresses and the local network at once, the relay when those fail within a short time;
 * the first that connects wins. Confined to one thread.
 */
public final class Guest implements AutoCloseable {
    /** The most addresses from the local network that are tried: anybody there can answer. */
    private static final int LAN_CANDIDATES_MAX = 8;

    private static final Duration LAN_TICK = Duration.ofMillis(10);

    /** The time after which a search notices that it is not wanted any more. */
    private static final Duration TICK = Duration.ofMillis(100);

    private final RelayRequest request;
    private final MeetPlaces places;
    private final BooleanSupplier wanted;
    private final MeetSockets sockets = new MeetSockets();
    private final List<Dial> dials = new ArrayList<>();
    private final @Nullable LanSearch search;
    private int candidates;
    private @Nullable Dial relayDial;

    private Guest(RelayRequest request, MeetPlaces places, BooleanSupplier wanted) throws MeetException {
        this.request = request;
        this.places = places;
        this.wanted = wanted;
        LanSettings lan = places.lan();
        this.search = lan == null ? null : new LanSearch(lan, request.id());
    }

    /**
     * Looks for the host.
     *
     * @param limit the most time that it takes
     * @return a connected socket, whose descriptor is the caller's
     * @throws MeetException when there is no host in time: names the cause for each place
     */
    public static Met meet(RendezvousId id, MeetPlaces places, Duration limit) throws MeetException {
        return meet(id, places, limit, () -> true);
    }

    /**
     * Looks for the host, as long as it is wanted.
     *
     * @param wanted asked every 100 ms; when it says no, the search fails
     */
    public static Met meet(RendezvousId id, MeetPlaces places, Duration limit, BooleanSupplier wanted)
            throws MeetException {
        try (Guest guest = new Guest(new RelayRequest(PeerRole.GUEST, id), places, wanted)) {
            return guest.run(System.nanoTime(), limit.toNanos());
        }
    }

    private Met run(long start, long limitNanos) throws MeetException {
        for (InetSocketAddress address : places.addresses()) {
            dials.add(Dial.direct(sockets, MeetPath.DIRECT, address));
        }
        while (true) {
            long elapsed = System.nanoTime() - start;
            searchLan();
            dialRelay(elapsed);
            Dial met = find(Dial.State.MET);
            if (met != null) {
                return met.take();
            }
            if (elapsed >= limitNanos || isHopeless() || !wanted.getAsBoolean()) {
                throw notFound();
            }
            awaitProgress(Duration.ofNanos(limitNanos - elapsed), elapsed);
        }
    }

    private void searchLan() throws MeetException {
        InetSocketAddress found = search == null ? null : search.poll();
        if (found != null && candidates < LAN_CANDIDATES_MAX && !isTried(found)) {
            candidates++;
            dials.add(Dial.direct(sockets, MeetPath.LAN, found));
        }
    }

    private boolean isTried(InetSocketAddress address) {
        return dials.stream().anyMatch(dial -> dial.address().equals(address));
    }

    private void dialRelay(long elapsed) throws MeetException {
        InetSocketAddress relay = places.relay();
        if (relay != null && relayDial == null && (elapsed >= places.nearLimit().toNanos() || isNearHopeless())) {
            Dial dial = Dial.relay(sockets, relay, request);
            relayDial = dial;
            dials.add(dial);
        }
    }

    private boolean isNearHopeless() {
        return search == null && dials.stream().allMatch(Dial::isOver);
    }

    private boolean isHopeless() {
        return isNearHopeless() && (places.relay() == null || relayDial != null);
    }

    private @Nullable Dial find(Dial.State state) {
        for (Dial dial : dials) {
            if (dial.state() == state) {
                return dial;
            }
        }
        return null;
    }

    private void awaitProgress(Duration left, long elapsed) {
        Duration wait = search == null ? TICK : LAN_TICK;
        if (places.relay() != null && relayDial == null) {
            Duration untilRelay = places.nearLimit().minusNanos(elapsed);
            wait = untilRelay.compareTo(wait) < 0 ? untilRelay : wait;
        }
        int ready = sockets.await(wait.compareTo(left) < 0 ? wait : left);
        if (ready >= 0) {
            for (Dial dial : dials) {
                if (dial.descriptor() == ready) {
                    dial.advance();
                }
            }
        }
    }

    private MeetException notFound() {
        String causes = dials.stream().map(Dial::describe).collect(Collectors.joining("; "));
        String lan = search == null ? "" : candidates == 0 ? "LAN: no answer" : "LAN: nobody who answered was the peer";
        String all = causes.isEmpty() || lan.isEmpty() ? causes + lan : causes + "; " + lan;
        Dial relay = relayDial;
        return new MeetException(
                relay != null && relay.isRefused() ? MeetFailure.REFUSED : MeetFailure.NO_PEER,
                "peer not found (" + all + "); check that it waits there");
    }

    @Override
    public void close() {
        closeAll(dials);
        if (search != null) {
            search.close();
        }
        sockets.close();
    }

    private static void closeAll(Collection<Dial> dials) {
        dials.forEach(Dial::close);
    }
}
