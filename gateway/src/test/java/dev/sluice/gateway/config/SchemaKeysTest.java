package dev.sluice.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The schema for editors knows the keys that the readers know: whoever adds one here adds it there. */
class SchemaKeysTest {
    private static final Path SCHEMA = Path.of("..", "docs", "sluice.schema.json");

    /** A reader keeps the keys of a section in a constant that ends in KEYS. */
    static List<Arguments> readers() throws IOException, URISyntaxException, ReflectiveOperationException {
        List<Arguments> readers = new ArrayList<>();
        Path classes = Path.of(ConfigFile.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (Stream<Path> files = Files.list(classes.resolve("dev/sluice/gateway/config"))) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".class") && !name.equals("package-info.class")) {
                    addKeys(readers, Class.forName("dev.sluice.gateway.config." + name.replace(".class", "")));
                }
            }
        }
        return readers.stream()
                .filter(reader -> readers.stream().noneMatch(other -> isPartOf(reader, other)))
                .toList();
    }

    /** Keys that another reader lists among its own, since they stand in its section. */
    private static boolean isPartOf(Arguments reader, Arguments other) {
        List<?> own = (List<?>) Objects.requireNonNull(reader.get()[1]);
        List<?> others = (List<?>) Objects.requireNonNull(other.get()[1]);
        return own.size() < others.size() && others.containsAll(own);
    }

    private static void addKeys(List<Arguments> readers, Class<?> type) throws IllegalAccessException {
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())
                    && field.getName().endsWith("KEYS")
                    && field.getType() == List.class) {
                field.setAccessible(true);
                readers.add(Arguments.of(type.getSimpleName() + "." + field.getName(), field.get(null)));
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("readers")
    void aSectionOfTheSchemaHasExactlyTheKeysThatAReaderKnows(String reader, List<String> keys) throws IOException {
        List<Set<String>> sections = new ArrayList<>();
        collect(new Load(LoadSettings.builder().build()).loadFromString(Files.readString(SCHEMA)), sections);

        assertThat(sections)
                .as("the keys of " + reader
                        + " as the properties of one section in docs/sluice.schema.json: add what is new,"
                        + " with a description")
                .contains(new TreeSet<>(keys));
    }

    private static void collect(Object part, List<Set<String>> sections) {
        if (part instanceof Map<?, ?> map) {
            if (map.get("properties") instanceof Map<?, ?> properties) {
                Set<String> names = new TreeSet<>();
                properties.keySet().forEach(key -> names.add(key.toString()));
                sections.add(names);
            }
            map.values().forEach(value -> collect(value, sections));
        } else if (part instanceof List<?> list) {
            list.forEach(item -> collect(item, sections));
        }
    }
}
