package dev.sluice.config.model;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The admin interfaces of a running gateway.
 *
 * @param socket the Unix socket for commands; null: none
 * @param http the endpoint of metrics and dashboard; null: none
 */
public record AdminConfig(@Nullable Path socket, @Nullable AdminHttpConfig http) {
    /** No interfaces. */
    public static final AdminConfig NONE = new AdminConfig(null, null);

    /** Returns a copy with another endpoint of metrics and dashboard; null: none. */
    public AdminConfig withHttp(@Nullable AdminHttpConfig newHttp) {
        return new AdminConfig(socket, newHttp);
    }
}
