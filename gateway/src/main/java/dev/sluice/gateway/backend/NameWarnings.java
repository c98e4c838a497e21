package dev.sluice.gateway.backend;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.ServerConfig;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TicketStoreConfig;
import dev.sluice.config.read.ReadConfig;
import dev.sluice.config.yaml.Addresses;
import dev.sluice.config.yaml.ConfigProblem;
import dev.sluice.gateway.dns.Resolver;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Warnings of names that a configuration connects to, and that do not resolve now. A gateway starts all the same. */
public final class NameWarnings {
    private static final long WAIT_SECONDS = 10;

    private NameWarnings() {}

    /**
     * Returns a warning for each place of a name without an address; waits for DNS, {@value #WAIT_SECONDS} s at most.
     */
    public static List<ConfigProblem> of(ReadConfig read) {
        return of(read, Resolver.Maker.SYSTEM);
    }

    static List<ConfigProblem> of(ReadConfig read, Resolver.Maker resolvers) {
        List<Place> places = places(read, resolvers);
        Set<Place> resolved = resolved(places);
        return places.stream()
                .filter(place -> !resolved.contains(place))
                .map(place -> read.at(
                        place.resolution().name() + " does not resolve: " + place.effect()
                                + " until it does; check its spelling, DNS and /etc/hosts",
                        place.path().toArray()))
                .toList();
    }

    /** The place of a name in the configuration, and the effect of a missing address. */
    private record Place(NameResolution resolution, String effect, List<Object> path) {}

    private static List<Place> places(ReadConfig read, Resolver.Maker resolvers) {
        List<Place> places = new ArrayList<>();
        for (BackendConfig backend : read.config().backends()) {
            Resolver resolver = resolvers.of(backend.resolve().nameservers());
            for (int i = 0; i < backend.servers().size(); i++) {
                if (Addresses.nameOf(backend.address(i)) != null) {
                    places.add(new Place(
                            new NameResolution(backend.servers().get(i), resolver),
                            "this server is down",
                            List.of("backends", backend.name(), "servers", i)));
                }
            }
        }
        TicketConfig tickets = read.config().tickets();
        if (tickets != null && tickets.store() instanceof TicketStoreConfig.Redis redis) {
            InetSocketAddress address = InetSocketAddress.createUnresolved(
                    redis.address().host(), redis.address().port());
            places.add(new Place(
                    new NameResolution(ServerConfig.of(address), resolvers.of(List.of())),
                    "this node has ticket keys of its own",
                    List.of("tickets", "store")));
        }
        return places;
    }

    private static Set<Place> resolved(List<Place> places) {
        Set<Place> resolved = ConcurrentHashMap.newKeySet();
        CountDownLatch answers = new CountDownLatch(places.size());
        try (NameLookups lookups = new NameLookups()) {
            for (Place place : places) {
                lookups.later(0, () -> {
                    if (!place.resolution().resolve().servers().isEmpty()) {
                        resolved.add(place);
                    }
                    answers.countDown();
                });
            }
            var _ = answers.await(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Set.copyOf(resolved);
    }
}
