package dev.sluice.config.json;

import static dev.sluice.testkit.FuzzProperty.check;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A fuzzer of JSON documents, which come from files and from a running gateway. One is read or refused by an {@link
 * IllegalArgumentException}, and is the same when it is written and read again.
 *
 * <p>Input: the document. The corpus was written by hand, after answers of the admin endpoint.
 */
public final class JsonFuzzer {
    private JsonFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        Object read;
        try {
            read = JsonReader.read(new String(bytes, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException refused) {
            check(!String.valueOf(refused.getMessage()).isEmpty(), "no reason");
            return;
        }
        if (read != null && isJson(read)) {
            String written = Json.compact(read);
            String again = Json.compact(Objects.requireNonNull(JsonReader.read(written)));
            check(again.equals(written), "another document: " + written);
        }
    }

    /** Returns true for what JSON has; YAML has more: keys of any type, sets, bytes, and halves of characters. */
    private static boolean isJson(@Nullable Object value) {
        return switch (value) {
            case null -> false;
            case Boolean _, Integer _, Long _ -> true;
            case String text -> StandardCharsets.UTF_16.newEncoder().canEncode(text);
            case List<?> list -> list.stream().allMatch(JsonFuzzer::isJson);
            case Map<?, ?> map ->
                map.keySet().stream().allMatch(key -> key instanceof String && isJson(key))
                        && map.values().stream().allMatch(JsonFuzzer::isJson);
            default -> false;
        };
    }
}
