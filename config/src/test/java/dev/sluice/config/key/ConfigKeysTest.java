package dev.sluice.config.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.config.json.Json;
import dev.sluice.config.key.KeyType.Group;
import dev.sluice.config.key.KeyType.NumberOrOff;
import dev.sluice.config.key.KeyType.SecondsOrOff;
import dev.sluice.config.key.KeyType.Share;
import dev.sluice.config.key.KeyType.Size;
import dev.sluice.config.key.KeyType.Time;
import dev.sluice.config.key.KeyType.Whole;
import dev.sluice.config.read.ConfigSamples;
import dev.sluice.config.read.ConfigSource;
import dev.sluice.config.read.Section;
import dev.sluice.config.yaml.ConfigException;
import dev.sluice.config.yaml.ConfigProblem;
import dev.sluice.config.yaml.Environment;
import dev.sluice.config.yaml.HostLookup;
import dev.sluice.config.yaml.Problems;
import dev.sluice.config.yaml.Quantities;
import dev.sluice.config.yaml.Reading;
import dev.sluice.config.yaml.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The catalogue of keys: every key is documented, read, and held to its bounds. */
class ConfigKeysTest {
    /** Rewrites the generated files instead of comparing them. */
    private static final boolean WRITE = Boolean.getBoolean("sluice.docs.write");

    private static final int TEXT_LENGTH_MAX = 110;
    private static final Path DOCS = Path.of("..", "docs");
    private static final Duration MILLI = Duration.ofMillis(1);
    private static final String MARK = "@@@";

    /** Keys that a section needs beside one, so that its reader reaches all of them. */
    private static final Map<String, Map<String, Object>> BESIDE = Map.of(
            "access-log", Map.of("file", "-"),
            "certificates.NAME.acme", Map.of("names", "a.example", "agree-terms", "on"),
            "listeners[].routes[]", Map.of("backend", "web"),
            "listeners[].ech", Map.of("public-name", "localhost", "directory", "keys"),
            "listeners[]", Map.of("client-auth", "optional", "client-ca", "shop.pem"),
            "listeners[].hosts[]", Map.of("sni", "a.example.com", "client-auth", "optional", "client-ca", "shop.pem"),
            "metrics.otlp", Map.of("endpoint", "http://127.0.0.1:4318"),
            "tickets", Map.of("store", "redis://127.0.0.1:1", "fleet-key", "fleet.key"));

    /** Keys that one of {@code certificates.NAME.acme} needs besides. */
    private static final Map<Key, Map<String, Object>> BESIDE_KEY = Map.of(
            AcmeKeys.DNS_HOOK, Map.of("challenge", "dns-01"),
            AcmeKeys.DNS_TIME_LIMIT, Map.of("challenge", "dns-01", "dns-hook", "/a"),
            AcmeKeys.DNS_SETTLING, Map.of("challenge", "dns-01", "dns-hook", "/a"),
            AcmeKeys.EXTERNAL_KEY, Map.of("eab-key-id", "x"));

    @TempDir
    Path directory = Path.of("");

    /** A key in its section. */
    record Declared(SectionKeys section, Key key) {
        @Override
        public String toString() {
            return section.pathOf(key);
        }
    }

    /** A value that a key must not have. */
    record Excess(Declared declared, Object value) {}

    static Stream<Declared> keys() {
        return ConfigKeys.sections().stream()
                .flatMap(section -> section.keys().stream().map(key -> new Declared(section, key)));
    }

    static Stream<Excess> excesses() {
        return keys().flatMap(declared -> outOf(declared.key().type()).map(value -> new Excess(declared, value)));
    }

    private static Stream<Object> outOf(KeyType type) {
        return switch (type) {
            case Whole whole -> Stream.of(whole.least() - 1L, whole.most() + 1L);
            case Time time -> outOf(time.least(), time.most());
            case SecondsOrOff time -> outOf(time.least(), time.most());
            case Size size ->
                Stream.of(size.least() - 1, size.most() + 1)
                        .filter(bytes -> bytes >= 0)
                        .map(Quantities::text);
            case NumberOrOff number -> Stream.of(-1L, (long) number.most() + 1);
            case Share _ -> Stream.of(0L, 2L);
            default -> Stream.of();
        };
    }

    private static Stream<Object> outOf(Duration least, Duration most) {
        return Stream.of(least.minus(MILLI), most.plus(MILLI))
                .filter(time -> !time.isNegative())
                .map(Quantities::text);
    }

    @BeforeEach
    void writeFiles() throws IOException {
        ConfigSamples.writeFiles(directory);
    }

    @Test
    void generatesTheSchema() throws IOException {
        requireGenerated(DOCS.resolve("sluice.schema.json"), SchemaOfKeys.text());
    }

    @Test
    void generatesTheReferencePage() throws IOException {
        requireGenerated(DOCS.resolve("configuration.md"), PageOfKeys.text());
    }

    private static void requireGenerated(Path file, String text) throws IOException {
        if (WRITE) {
            Files.writeString(file, text);
        }
        assertThat(file)
                .as("generated from the catalogue of keys: run this test with -Dsluice.docs.write=true")
                .hasContent(text);
    }

    @ParameterizedTest
    @MethodSource("keys")
    void explainsEachKeyInOneLine(Declared declared) {
        assertThat(declared.key().text())
                .hasSizeLessThanOrEqualTo(TEXT_LENGTH_MAX)
                .endsWith(".")
                .doesNotContain("\n", "|");
    }

    @ParameterizedTest
    @MethodSource("keys")
    void readsItsOwnDefault(Declared declared) throws Exception {
        if (declared.key() instanceof ValueKey<?> key && key.absent().isEmpty()) {
            List<ConfigProblem> problems = problemsOf(declared, SchemaOfKeys.written(key));

            assertThat(problems).as(declared.toString()).isEmpty();
        }
    }

    /** A key that no reader reads would take anything. */
    @ParameterizedTest
    @MethodSource("keys")
    void readsEachKey(Declared declared) throws Exception {
        Object nonsense = declared.key().type() instanceof Group ? List.of("zzz") : Map.of("zzz", "zzz");

        assertThat(problemsOf(declared, nonsense)).as(declared.toString()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("excesses")
    void rejectsWhatIsOutOfBoundsWithTheRemedy(Excess excess) throws Exception {
        Key key = excess.declared().key();

        assertThat(problemsOf(excess.declared(), excess.value()))
                .extracting(ConfigProblem::message)
                .anySatisfy(message -> assertThat(message)
                        .startsWith(key.name() + " is ")
                        .contains(String.valueOf(excess.value()))
                        .containsAnyOf("; write a ", "; it must be from "));
    }

    @Test
    void readsNoKeyThatIsNotDeclared() throws Exception {
        Path file = Files.writeString(directory.resolve("sluice.yaml"), "a: b\n");
        Reading reading = new Reading(new Problems(file.toString()), new Environment(Map.of()), HostLookup.SYSTEM);
        Value root = new Value(reading, ConfigSource.read(file).root(), "the configuration");
        Section section = Objects.requireNonNull(Section.of(root, LimitsKeys.SECTION));

        assertThatThrownBy(() -> section.find(TopKeys.DRAIN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the key drain is not declared for limits");
    }

    @Test
    void namesTheKeysThatTakeARestart() {
        assertThat(ConfigKeys.restartKeys())
                .extracting(RestartKey::path)
                .containsExactlyInAnyOrder(
                        "loops",
                        "transport",
                        "tickets",
                        "admin",
                        "user",
                        "limits.handshake-queue",
                        "limits.handshake-wait");
    }

    // --- a configuration with one value changed
    // -----------------------------------------------------------------------

    /** Returns what is wrong with a value of a key, in a configuration that is right otherwise. */
    private List<ConfigProblem> problemsOf(Declared declared, Object value) throws IOException {
        String template = Json.document(with(declared, MARK));
        String text = template.replace("\"" + MARK + "\"", Json.document(value).strip());
        int line = 1
                + (int) template.lines().takeWhile(each -> !each.contains(MARK)).count();
        ConfigException problem =
                catchThrowableOfType(ConfigException.class, () -> ConfigSamples.read(directory, text, Map.of()));
        return problem == null
                ? List.of()
                : problem.problems().stream()
                        .filter(each -> each.line() == line)
                        .toList();
    }

    private static Map<String, Object> with(Declared declared, Object value) {
        Object root = new Load(LoadSettings.builder().build()).loadFromString(ConfigSamples.MINIMAL);
        Object here = root;
        for (String step : declared.section().path().split("\\.", 0)) {
            here = step.isEmpty() ? here : opened(map(here), step);
        }
        Map<String, Object> section = map(here);
        section.putAll(BESIDE.getOrDefault(declared.section().path(), Map.of()));
        section.putAll(BESIDE_KEY.getOrDefault(declared.key(), Map.of()));
        if (declared.section().alternatives().contains(declared.key())) {
            declared.section().alternatives().forEach(each -> section.remove(each.name()));
            section.remove("key");
        }
        section.put(declared.key().name(), value);
        return map(root);
    }

    /** Returns what a step of a path leads to, which is made where it is absent. */
    private static Object opened(Map<String, Object> section, String step) {
        if (step.equals("NAME")) {
            return section.values().iterator().next();
        }
        boolean isList = step.endsWith("[]");
        String name = step.replace("[]", "");
        if (name.equals("acme")) {
            section.keySet().removeAll(List.of("chain", "key"));
        }
        if (name.equals("routes")) {
            section.remove("backend");
        }
        if (name.equals("servers")) {
            section.put(name, List.of(new LinkedHashMap<>(Map.of("address", "127.0.0.1:8080"))));
        }
        Object made =
                section.computeIfAbsent(name, _ -> isList ? List.of(new LinkedHashMap<>()) : new LinkedHashMap<>());
        return isList ? ((List<?>) made).getFirst() : made;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }
}
