package dev.sluice.config.key;

import dev.sluice.config.model.GatewayConfig;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A key whose changes take a restart.
 *
 * @param path the key's path: {@code limits.handshake-queue}
 * @param part the part of a configuration that it decides; null where that is turned off
 */
public record RestartKey(String path, Function<GatewayConfig, @Nullable Object> part) {}
