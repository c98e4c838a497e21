package dev.sluice.gateway.tickets;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The status of a source of ticket keys.
 *
 * @param store as the configuration names it, without a password
 * @param generation of the keys' document; 0: there is none
 * @param alarm what an operator should see to; null: nothing
 * @param synced when the store was last reached; null: never, or there is none
 * @param failures how often the store could not be used
 * @param localKeys how many keys were made here because the store had none for us
 * @param clockOffset by how much the store's clock is ahead of ours
 */
public record SourceStatus(
        String store,
        long generation,
        @Nullable String alarm,
        @Nullable Instant synced,
        long failures,
        long localKeys,
        Duration clockOffset) {
    /** Returns the status of a source without a store outside of this machine. */
    static SourceStatus local(String store, long generation, @Nullable String alarm, long failures) {
        return new SourceStatus(store, generation, alarm, null, failures, 0, Duration.ZERO);
    }
}
