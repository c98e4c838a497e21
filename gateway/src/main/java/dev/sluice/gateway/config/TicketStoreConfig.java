package dev.sluice.gateway.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Where ticket keys come from. */
public sealed interface TicketStoreConfig {
    /** Made by each process for itself, and gone with it. */
    Local IN_MEMORY = new Local(null, null);

    /**
     * Made here.
     *
     * @param file where they are kept from one start to the next; null: nowhere
     * @param fleetKey file with the key that seals that file; null: it is not sealed
     */
    record Local(@Nullable Path file, @Nullable Path fleetKey) implements TicketStoreConfig {}

    /**
     * Made by somebody else.
     *
     * @param path where the files with keys lie
     */
    record Directory(Path path) implements TicketStoreConfig {}

    /**
     * Shared by the nodes of a fleet.
     *
     * @param address of the Redis or Valkey
     * @param fleetKey file with the key under which they are sealed there
     * @param poll how often a node looks for changes
     * @param authorities PEM: who may have issued the store's certificate; null: those that the JDK trusts
     * @param cache where a node keeps what it has read, sealed, for a start while the store cannot be had; null: nowhere
     */
    record Redis(
            RedisAddress address,
            Path fleetKey,
            Duration poll,
            @Nullable Path authorities,
            @Nullable Path cache) implements TicketStoreConfig {
        /** How often a node looks for changes unless configured: every 10 s. */
        public static final Duration DEFAULT_POLL = Duration.ofSeconds(10);

        /** Most keys that a node has ahead. */
        public static final int AHEAD_MAX = 32;
    }
}
