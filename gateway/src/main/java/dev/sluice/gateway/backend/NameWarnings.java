package dev.sluice.gateway.backend;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TicketStoreConfig;
import dev.sluice.config.read.ReadConfig;
import dev.sluice.config.yaml.Addresses;
import dev.sluice.config.yaml.ConfigProblem;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
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
        return of(read, NameLookups.Lookup.SYSTEM);
    }

    static List<ConfigProblem> of(ReadConfig read, NameLookups.Lookup lookup) {
        List<Place> places = places(read);
        Set<String> names = new TreeSet<>();
        places.forEach(place -> names.add(place.name()));
        Set<String> resolved = resolved(names, lookup);
        return places.stream()
                .filter(place -> !resolved.contains(place.name()))
                .map(place -> read.at(
                        place.name() + " does not resolve: " + place.effect()
                                + " until it does; check its spelling, DNS and /etc/hosts",
                        place.path().toArray()))
                .toList();
    }

    /** The place of a name in the configuration, and the effect of a missing address. */
    private record Place(String name, String effect, List<Object> path) {}

    private static List<Place> places(ReadConfig read) {
        List<Place> places = new ArrayList<>();
        for (BackendConfig backend : read.config().backends()) {
            for (int i = 0; i < backend.servers().size(); i++) {
                String name = Addresses.nameOf(backend.address(i));
                if (name != null) {
                    places.add(
                            new Place(name, "this server is down", List.of("backends", backend.name(), "servers", i)));
                }
            }
        }
        TicketConfig tickets = read.config().tickets();
        if (tickets != null && tickets.store() instanceof TicketStoreConfig.Redis redis) {
            places.add(new Place(
                    redis.address().host(), "this node has ticket keys of its own", List.of("tickets", "store")));
        }
        return places;
    }

    private static Set<String> resolved(Set<String> names, NameLookups.Lookup lookup) {
        Set<String> resolved = new ConcurrentSkipListSet<>();
        CountDownLatch answers = new CountDownLatch(names.size());
        try (NameLookups lookups = new NameLookups(lookup)) {
            for (String name : names) {
                lookups.later(0, () -> {
                    try {
                        lookups.addresses(name);
                        resolved.add(name);
                    } catch (UnknownHostException unknown) {
                        // It is not added.
                    } finally {
                        answers.countDown();
                    }
                });
            }
            boolean all = answers.await(WAIT_SECONDS, TimeUnit.SECONDS);
            return all ? resolved : Set.copyOf(resolved);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Set.copyOf(resolved);
        }
    }
}
