package dev.sluice.config.model;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A source of ticket keys. */
public sealed interface TicketStoreConfig {
    /** Keys of this process only, lost at its end. */
    Local IN_MEMORY = new Local(null, null);

    /**
     * Keys made by this process.
     *
     * @param file the file that keeps them from one start to the next; null: none
     * @param fleetKey the file with the key that encrypts that file; null: it is not encrypted
     */
    record Local(@Nullable Path file, @Nullable Path fleetKey) implements TicketStoreConfig {}

    /**
     * Keys made by another program.
     *
     * @param path the directory of the key files
     */
    record Directory(Path path) implements TicketStoreConfig {}

    /**
     * Keys shared by the nodes of a fleet.
     *
     * @param address the address of the Redis or Valkey
     * @param fleetKey the file with the key that encrypts them there
     * @param poll the interval at which a node looks for changes
     * @param authorities PEM file of the authorities that the store's certificate must chain to; null: the JDK's
     * @param cache the file with an encrypted copy, for a start while the store is unreachable; null: none
     */
    record Redis(
            RedisAddress address,
            Path fleetKey,
            Duration poll,
            @Nullable Path authorities,
            @Nullable Path cache) implements TicketStoreConfig {
        /** The default interval at which a node looks for changes: 10 s. */
        public static final Duration DEFAULT_POLL = Duration.ofSeconds(10);

        /** The maximum number of keys that a node has ahead. */
        public static final int AHEAD_MAX = 32;
    }
}
