package dev.sluice.gateway.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a running gateway can be asked and told.
 *
 * @param socket Unix socket for commands; null: none
 * @param http where metrics and dashboard are; null: nowhere
 */
public record AdminConfig(@Nullable Path socket, @Nullable AdminHttpConfig http) {
    /** Nowhere. */
    public static final AdminConfig NONE = new AdminConfig(null, null);

    /** The same with other metrics and dashboard. */
    public AdminConfig withHttp(@Nullable AdminHttpConfig newHttp) {
        return new AdminConfig(socket, newHttp);
    }
}
