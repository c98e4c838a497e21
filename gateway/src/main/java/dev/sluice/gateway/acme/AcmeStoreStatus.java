package dev.sluice.gateway.acme;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The status of the store through which nodes share certificates by ACME.
 *
 * @param name as the configuration names it, without a password
 * @param synced when the store was last reached; null: never
 * @param failures how often it could not be used
 */
public record AcmeStoreStatus(String name, @Nullable Instant synced, long failures) {}
