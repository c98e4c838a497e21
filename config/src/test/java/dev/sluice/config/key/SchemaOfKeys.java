package dev.sluice.config.key;

import dev.sluice.config.json.Json;
import dev.sluice.config.key.KeyType.AnyOrOff;
import dev.sluice.config.key.KeyType.Choice;
import dev.sluice.config.key.KeyType.Group;
import dev.sluice.config.key.KeyType.NumberOrOff;
import dev.sluice.config.key.KeyType.OnOff;
import dev.sluice.config.key.KeyType.SecondsOrOff;
import dev.sluice.config.key.KeyType.Share;
import dev.sluice.config.key.KeyType.Size;
import dev.sluice.config.key.KeyType.Text;
import dev.sluice.config.key.KeyType.Texts;
import dev.sluice.config.key.KeyType.Time;
import dev.sluice.config.key.KeyType.Whole;
import dev.sluice.config.yaml.Quantities;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON Schema of configurations, generated from the catalogue of keys. */
final class SchemaOfKeys {
    private SchemaOfKeys() {}

    /** Returns the schema's text. */
    static String text() {
        Map<String, Object> definitions = new LinkedHashMap<>();
        for (SectionKeys section : ConfigKeys.sections()) {
            definitions.put(section.name(), section(section));
        }
        addTypes(definitions);
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("$id", "https://sluice.dev/schema/sluice.schema.json");
        schema.put("title", "Configuration of sluice gateway");
        schema.put("description", "For editors. sluice check also checks files, addresses and references.");
        schema.putAll(reference("configuration"));
        schema.put("$defs", definitions);
        return Json.document(schema);
    }

    private static void addTypes(Map<String, Object> definitions) {
        Map<String, Object> variable = reference("variable");
        definitions.put("variable", ordered("type", "string", "pattern", "\\$\\{"));
        definitions.put("texts", oneOrMore(Map.of("type", "string")));
        definitions.put("number", anyOf(Map.of("type", "integer"), variable));
        definitions.put("off", Map.of("enum", List.of(false, "off")));
        definitions.put("decimalOrOff", anyOf(ordered("type", "number", "minimum", 0), reference("off"), variable));
        definitions.put(
                "ratioOrOff", anyOf(ordered("type", "number", "minimum", 0, "maximum", 1), reference("off"), variable));
        definitions.put("durationOrOff", anyOf(reference("duration"), reference("off")));
        definitions.put("onOff", anyOf(Map.of("enum", List.of(true, false, "on", "off")), variable));
        definitions.put("duration", ordered("type", "string", "pattern", "^[0-9]+(ms|s|m|h|d)$|\\$\\{"));
        definitions.put("size", ordered("type", "string", "pattern", "^[0-9]+(B|KiB|MiB|GiB)$|\\$\\{"));
    }

    private static Map<String, Object> section(SectionKeys section) {
        Map<String, Object> schema = ordered("type", "object", "additionalProperties", false);
        List<String> required = section.keys().stream()
                .filter(key -> key.example() != null)
                .map(Key::name)
                .toList();
        // An included file may hold what the root lacks.
        if (!required.isEmpty() && !section.path().isEmpty()) {
            schema.put("required", required);
        }
        if (!section.alternatives().isEmpty()) {
            schema.put(
                    "oneOf",
                    section.alternatives().stream()
                            .map(key -> Map.of("required", List.of(key.name())))
                            .toList());
        }
        Map<String, Object> companions = new LinkedHashMap<>();
        for (Key key : section.keys()) {
            List<Key> others = section.companions().get(key);
            if (others != null) {
                companions.put(key.name(), others.stream().map(Key::name).toList());
            }
        }
        if (!companions.isEmpty()) {
            schema.put("dependentRequired", companions);
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        section.keys().forEach(key -> properties.put(key.name(), property(key)));
        schema.put("properties", properties);
        return schema;
    }

    private static Map<String, Object> property(Key key) {
        Map<String, Object> property = ordered("description", key.text().replace("`", ""));
        property.putAll(type(key.type()));
        if (key instanceof ValueKey<?> value && key.absent().isEmpty()) {
            property.put("default", written(value));
        }
        return property;
    }

    /** Returns a default as YAML has it. */
    static <T> Object written(ValueKey<T> key) {
        Object written = key.type().written(key.fallback());
        if (written == null) {
            throw new IllegalStateException("the default of " + key + " is out of bounds, and not explained in words");
        }
        return written;
    }

    private static Map<String, Object> type(KeyType type) {
        return switch (type) {
            case Whole whole -> {
                Map<String, Object> number = reference("number");
                number.put("minimum", whole.least());
                number.put("maximum", whole.most());
                yield number;
            }
            case Time _ -> reference("duration");
            case SecondsOrOff _ -> reference("durationOrOff");
            case Size _ -> reference("size");
            case NumberOrOff number -> reference(number.most() == 1 ? "ratioOrOff" : "decimalOrOff");
            case Share _ ->
                anyOf(ordered("type", "number", "exclusiveMinimum", 0, "maximum", 1), reference("variable"));
            case OnOff _, AnyOrOff _ -> reference("onOff");
            case Choice<?> choice -> anyOf(Map.of("enum", spellings(choice)), reference("variable"));
            case Text _ -> ordered("type", "string");
            case Texts _ -> reference("texts");
            case Group group -> group(group);
        };
    }

    /** Returns the words, and what YAML makes of them without quotes. */
    private static List<Object> spellings(Choice<?> choice) {
        List<Object> spellings = new ArrayList<>(choice.words());
        for (String word : choice.words()) {
            double number = Quantities.decimal(word);
            if (!Double.isNaN(number)) {
                spellings.add(number);
            } else if (word.equals("off")) {
                spellings.add(false);
            }
        }
        return spellings;
    }

    private static Map<String, Object> group(Group group) {
        Map<String, Object> section = reference(group.section().name());
        return switch (group.shape()) {
            case SECTION -> section;
            case ON_OFF_OR_SECTION -> ordered("oneOf", List.of(reference("onOff"), section));
            case OFF_OR_SECTION -> ordered("oneOf", List.of(reference("off"), section));
            case TEXT_OR_SECTION -> ordered("oneOf", List.of(Map.of("type", "string"), section));
            case TEXTS_OR_SECTIONS -> oneOrMore(ordered("oneOf", List.of(Map.of("type", "string"), section)));
            case LIST -> oneOrMore(section);
            case NAMED -> ordered("type", "object", "additionalProperties", section);
        };
    }

    private static Map<String, Object> oneOrMore(Map<String, ?> item) {
        return ordered("oneOf", List.of(item, ordered("type", "array", "minItems", 1, "items", item)));
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    private static Map<String, Object> anyOf(Map<String, ?>... types) {
        return ordered("anyOf", List.of(types));
    }

    private static Map<String, Object> reference(String definition) {
        return ordered("$ref", "#/$defs/" + definition);
    }

    private static Map<String, Object> ordered(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }
}
