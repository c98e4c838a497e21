package dev.sluice.bench.results;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The members of a JSON object; every access states a missing member or another type. */
final class Members {
    private final Map<?, ?> object;

    Members(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("not a JSON object, value=" + value);
        }
        this.object = map;
    }

    String text(String name) {
        return optional(name).orElseThrow(() -> missing(name, "a text"));
    }

    Optional<String> optional(String name) {
        return object.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    boolean has(String name) {
        return object.containsKey(name);
    }

    boolean flag(String name) {
        if (object.get(name) instanceof Boolean flag) {
            return flag;
        }
        throw missing(name, "true or false");
    }

    double number(String name) {
        if (!has(name)) {
            throw missing(name, "a number");
        }
        return asNumber(object.get(name));
    }

    List<?> list(String name) {
        if (object.get(name) instanceof List<?> list) {
            return list;
        }
        throw missing(name, "a list");
    }

    Map<String, String> texts(String name) {
        Map<String, String> texts = new LinkedHashMap<>();
        if (object.get(name) instanceof Map<?, ?> map) {
            map.forEach((key, value) -> texts.put(String.valueOf(key), String.valueOf(value)));
            return texts;
        }
        throw missing(name, "an object");
    }

    /** Returns a number; NaN for null, since JSON has no other word for it. */
    static double asNumber(@Nullable Object value) {
        return switch (value) {
            case null -> Double.NaN;
            case Number number -> number.doubleValue();
            default -> throw new IllegalArgumentException("not a number, value=" + value);
        };
    }

    private IllegalArgumentException missing(String name, String type) {
        return new IllegalArgumentException(
                "an object with the members " + object.keySet() + " lacks the member " + name + ", " + type);
    }
}
