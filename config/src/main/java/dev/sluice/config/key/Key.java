package dev.sluice.config.key;

import dev.sluice.config.model.GatewayConfig;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A key of the configuration, declared once: its name, type with bounds, default, effect of a change, and one line of
 * text. The readers, the JSON Schema, the reference page, the restart notes and the tests all go by this declaration.
 * Immutable.
 */
public sealed class Key permits ValueKey {
    /** The word of the reference page for a key without a default. */
    static final String NONE = "none";

    private final String name;
    private final KeyType type;
    private final String absent;
    private final @Nullable String example;
    private final String text;
    private final @Nullable Function<GatewayConfig, @Nullable Object> restart;

    /**
     * Declares a key.
     *
     * @param absent the default in words; {@link #NONE} without one
     * @param example a value for the message about a missing key; null: the key is optional
     * @param restart the part of a configuration that takes a restart to change; null: a reload changes it
     */
    Key(
            String name,
            KeyType type,
            String absent,
            @Nullable String example,
            String text,
            @Nullable Function<GatewayConfig, @Nullable Object> restart) {
        this.name = name;
        this.type = type;
        this.absent = absent;
        this.example = example;
        this.text = text;
        this.restart = restart;
    }

    /** Declares a key that may be absent, and then stands for nothing. */
    static Key optional(String name, KeyType type, String text) {
        return new Key(name, type, NONE, null, text, null);
    }

    /** Declares a key that may be absent, with the default in words. */
    static Key optional(String name, KeyType type, String absent, String text) {
        return new Key(name, type, absent, null, text, null);
    }

    /** Declares a key that must be there, with an example for the message about its absence. */
    static Key required(String name, KeyType type, String example, String text) {
        return new Key(name, type, NONE, example, text, null);
    }

    /** Declares a key whose value is read by its type alone, with its default. */
    static <T> ValueKey<T> of(String name, KeyType.Scalar<T> type, T fallback, String text) {
        return new ValueKey<>(name, type, fallback, "", text, null);
    }

    /** Declares a key whose value is read by its type alone, with its default in words: it depends on something. */
    static <T> ValueKey<T> of(String name, KeyType.Scalar<T> type, T fallback, String absent, String text) {
        return new ValueKey<>(name, type, fallback, absent, text, null);
    }

    /** Returns the same key as one whose changes take a restart, given the part of a configuration that it decides. */
    Key takesRestart(Function<GatewayConfig, @Nullable Object> part) {
        return new Key(name, type, absent, example, text, part);
    }

    /** Returns the name, as the file has it. */
    public final String name() {
        return name;
    }

    /** Returns the type, bounds included. */
    KeyType type() {
        return type;
    }

    /** Returns the default in words; "" where the type writes it. */
    final String absent() {
        return absent;
    }

    /** Returns a value for the message about a missing key; null: the key is optional. */
    public final @Nullable String example() {
        return example;
    }

    /** Returns the one line that explains the key. */
    final String text() {
        return text;
    }

    /** Returns the part of a configuration that takes a restart to change; null: a reload changes it. */
    final @Nullable Function<GatewayConfig, @Nullable Object> restart() {
        return restart;
    }

    @Override
    public final String toString() {
        return name;
    }
}
