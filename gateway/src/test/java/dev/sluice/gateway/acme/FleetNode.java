package dev.sluice.gateway.acme;

import dev.sluice.config.acme.AcmeAccount;
import dev.sluice.config.acme.AcmeChallenge;
import dev.sluice.config.acme.AcmeConfig;
import dev.sluice.config.acme.AcmeKeyType;
import dev.sluice.config.acme.AcmeSharing;
import dev.sluice.config.acme.AcmeStorage;
import dev.sluice.gateway.challenge.ChallengeAnswer;
import dev.sluice.gateway.tickets.FleetKey;
import dev.sluice.gateway.tickets.MemoryStore;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** One node of a fleet with a directory of its own, whose rounds are the test's. */
final class FleetNode implements AutoCloseable {
    final List<String> log = new ArrayList<>();
    final List<ChallengeAnswer> answered = new ArrayList<>();
    final AcmeCounters counters = new AcmeCounters();
    final Fleet fleet;
    int changes;
    private final AcmeStorage storage;
    private final InstantSource clock;

    private final ChallengeBoard board = new ChallengeBoard() {
        @Override
        public void show(ChallengeAnswer answer) {
            answered.add(answer);
        }

        @Override
        public void withdraw(ChallengeAnswer answer) {
            answered.remove(answer);
        }
    };
    private final AcmeLog lines = new AcmeLog() {
        @Override
        public void info(String line) {
            log.add("info " + line);
        }

        @Override
        public void warn(String line) {
            log.add("warn " + line);
        }
    };

    /**
     * Creates a node.
     *
     * @param directory its own
     */
    FleetNode(MemoryStore store, Path fleetKey, Path directory, InstantSource clock) {
        this.storage = new AcmeStorage(directory, directory.resolve("seal.key"), AcmeSharing.TICKETS);
        this.clock = clock;
        this.fleet = new Fleet(
                () -> new FleetStore.Link(store.link(), FleetKey.read(fleetKey)),
                "memory://store",
                Duration.ofSeconds(10),
                board,
                () -> changes++,
                clock,
                lines);
    }

    StateFiles files() {
        return new StateFiles(storage, fleet);
    }

    Path file(String name) {
        return storage.directory().resolve(name);
    }

    ManagedCertificate certificate(String name, URI server, int ordersPerHour, String... names) {
        AcmeConfig config = new AcmeConfig(
                List.of(names),
                AcmeChallenge.TLS_ALPN_01,
                List.of(AcmeKeyType.ECDSA),
                null,
                new AcmeAccount(server, null, null, null),
                null,
                storage,
                ordersPerHour);
        AcmeTimes times = new AcmeTimes(
                Duration.ofMinutes(1), Duration.ofHours(6), Duration.ofSeconds(10), Duration.ofSeconds(1));
        return new ManagedCertificate(
                new ManagedCertificate.Order(name, AcmeKeyType.ECDSA, config),
                files(),
                new ManagedCertificate.Surroundings(board, new OrderLimit(files()), counters, times, clock, lines));
    }

    ManagedCertificate shop(FaultyAcmeServer server) {
        return certificate("shop", server.directory(), 20, "shop.example");
    }

    @Override
    public void close() {
        fleet.close();
    }
}
