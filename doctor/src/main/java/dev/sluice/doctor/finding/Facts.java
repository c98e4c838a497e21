package dev.sluice.doctor.finding;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an audit has seen, good or bad, by section and in the order of looking. Confined to one thread until it is complete. */
public final class Facts {
    private final Map<String, Map<String, Object>> sections = new LinkedHashMap<>();

    public Facts() {}

    /** Notes a text. */
    public void put(String section, String key, String value) {
        section(section).put(key, value);
    }

    /** Notes a number. */
    public void put(String section, String key, long value) {
        section(section).put(key, value);
    }

    /** Notes whether something holds. */
    public void put(String section, String key, boolean value) {
        section(section).put(key, value);
    }

    /** Notes several texts. */
    public void put(String section, String key, List<String> values) {
        section(section).put(key, List.copyOf(values));
    }

    private Map<String, Object> section(String name) {
        return sections.computeIfAbsent(name, absent -> new LinkedHashMap<>());
    }

    /** All of it: each value is a String, a Long, a Boolean or a list of Strings. */
    public Map<String, Map<String, Object>> sections() {
        return sections;
    }

    /** A value as text, lists joined by commas; "" where there is none. */
    public String text(String section, String key) {
        Object value = sections.getOrDefault(section, Map.of()).get(key);
        return value == null ? "" : text(value);
    }

    static String text(Object value) {
        return switch (value) {
            case Boolean yes -> yes ? "yes" : "no";
            case List<?> list ->
                list.isEmpty()
                        ? "none"
                        : String.join(", ", list.stream().map(Object::toString).toList());
            default -> value.toString();
        };
    }
}
