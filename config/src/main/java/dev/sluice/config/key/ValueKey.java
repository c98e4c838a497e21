package dev.sluice.config.key;

import dev.sluice.config.model.GatewayConfig;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A key whose value is read by its type alone, with a default of that type. Immutable.
 *
 * @param <T> the Java type of the value
 */
public final class ValueKey<T> extends Key {
    private final KeyType.Scalar<T> type;
    private final T fallback;

    ValueKey(
            String name,
            KeyType.Scalar<T> type,
            T fallback,
            String absent,
            String text,
            @Nullable Function<GatewayConfig, @Nullable Object> restart) {
        super(name, type, absent, null, text, restart);
        this.type = type;
        this.fallback = fallback;
    }

    @Override
    ValueKey<T> takesRestart(Function<GatewayConfig, @Nullable Object> part) {
        return new ValueKey<>(name(), type, fallback, absent(), text(), part);
    }

    public @Override KeyType.Scalar<T> type() {
        return type;
    }

    /** Returns the default. */
    public T fallback() {
        return fallback;
    }
}
