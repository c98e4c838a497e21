package dev.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.config.yaml.ConfigException;
import dev.sluice.config.yaml.ConfigProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A configuration in several files. */
class IncludeTest {
    private static final String MAIN = "include: conf.d/*.yaml\ndrain: 5s\n";

    @TempDir
    Path directory = Path.of("");

    @BeforeEach
    void writeFiles() throws IOException {
        ConfigSamples.writeFiles(directory);
        Files.createDirectories(directory.resolve("conf.d"));
    }

    private void include(String name, String text) throws IOException {
        Files.writeString(directory.resolve("conf.d").resolve(name), text);
    }

    private ReadConfig read(String main) throws IOException, ConfigException {
        return ConfigSamples.read(directory, main, Map.of());
    }

    private List<String> problems(String main) {
        ConfigException problem = catchThrowableOfType(ConfigException.class, () -> read(main));
        assertThat(problem).as("no problem was found").isNotNull();
        return problem.problems().stream()
                .map(ConfigProblem::toString)
                .map(line -> line.replace(directory + "/", ""))
                .toList();
    }

    @Test
    void mergesSectionsInTheOrderOfFileNames() throws Exception {
        include("20-api.yaml", """
                listeners: [{address: 127.0.0.1:2, certificates: [api], backend: api}]
                certificates: {api: {chain: api.pem, key: api.key}}
                backends: {api: {servers: [127.0.0.1:8081]}}
                """);
        include("10-shop.yaml", """
                listeners: [{address: 127.0.0.1:1, certificates: [shop], backend: api}]
                certificates: {shop: {chain: shop.pem, key: shop.key}}
                limits: {connections: 7}
                """);
        include(".hidden.yaml", "nonsense: 1");
        include("note.txt", "nonsense: 1");

        ReadConfig read = read(MAIN);

        assertThat(read.config().listeners())
                .extracting(listener -> listener.address().getPort())
                .containsExactly(1, 2);
        assertThat(read.config().listeners().get(1).origin())
                .isEqualTo(directory.resolve("conf.d/20-api.yaml") + ":1:23");
        assertThat(read.config().limits().connections()).isEqualTo(7);
        assertThat(read.config().drain()).hasSeconds(5);
        assertThat(read.effective()).doesNotContain("include");
        assertThat(ConfigSource.read(directory.resolve("sluice.yaml")).files())
                .extracting(Path::getFileName)
                .extracting(Path::toString)
                .containsExactly("sluice.yaml", "10-shop.yaml", "20-api.yaml");
    }

    @Test
    void reportsProblemsWithFileAndLine() throws Exception {
        include("a.yaml", "backends:\n  web: {servers: [nowhere]}\n");
        include("b.yaml", "\ncertificates:\n  shop: {chain: absent.pem, key: shop.key}\n");

        List<String> problems = problems(
                MAIN + "loops: 0\nlisteners: [{address: 127.0.0.1:1, certificates: [shop], " + "backend: wob}]\n");

        assertThat(problems).hasSize(4);
        assertThat(problems.get(0)).startsWith("sluice.yaml:3:8: loops is \"0\"");
        assertThat(problems.get(1)).startsWith("sluice.yaml:4:").contains("did you mean \"web\"?");
        assertThat(problems.get(2)).startsWith("conf.d/a.yaml:2:19: \"nowhere\" is not host:port");
        assertThat(problems.get(3)).startsWith("conf.d/b.yaml:3:17: chain ").contains("absent.pem does not exist");
    }

    @Test
    void reportsANameInTwoFilesWithBothPositions() throws Exception {
        include("a.yaml", "backends: {web: {servers: [127.0.0.1:1]}}\n");
        include("b.yaml", "limits: {}\nbackends:\n  web: {servers: [127.0.0.1:2]}\n");

        List<String> problems = problems(ConfigSamples.MINIMAL
                        .replace("web: {servers: [127.0.0.1:8080]}", "other: {servers: [h:1]}")
                        .replace("h:1", "127.0.0.1:3")
                + MAIN
                + "limits: {}\n");

        assertThat(problems)
                .contains("conf.d/b.yaml:3:3: backends has \"web\" twice, here and at conf.d/a.yaml:1:12; remove or"
                        + " rename"
                        + " one")
                .contains("conf.d/b.yaml:1:1: key \"limits\" is set twice in the configuration, here and at"
                        + " sluice.yaml:9:9; remove one");
    }

    @Test
    void requiresANamedFileButNoMatchOfAPattern() throws Exception {
        assertThat(read("include: conf.d/*.yaml\n" + ConfigSamples.MINIMAL)
                        .config()
                        .listeners())
                .hasSize(1);
        assertThat(problems("include: [conf.d/absent.yaml]\n" + ConfigSamples.MINIMAL))
                .containsExactly("conf.d/absent.yaml: no such file; check the path after include at sluice.yaml:1:11");
        assertThat(problems("include: absent/*.yaml\n" + ConfigSamples.MINIMAL).getFirst())
                .startsWith("sluice.yaml:1:10: include: the directory absent cannot be read");
        assertThat(problems("include: \"*/a.yaml\"\n" + ConfigSamples.MINIMAL).getFirst())
                .startsWith("sluice.yaml:1:10: include has a wildcard in \"");
    }

    @Test
    void rejectsAPatternThatIsNotClosed() throws Exception {
        assertThat(problems("include: \"conf.d/[a\"\n" + ConfigSamples.MINIMAL).getFirst())
                .startsWith("sluice.yaml:1:10: include \"[a\" is not a pattern (");
    }

    @Test
    void rejectsDeepNestingBeforeTheStackOverflows() throws Exception {
        assertThat(problems("listeners: " + "[".repeat(5_000) + "]".repeat(5_000)))
                .containsExactly("sluice.yaml:1:111: not valid YAML: more than 100 levels of nesting");
    }

    @Test
    void rejectsNestedIncludesAndFilesWithoutSections() throws Exception {
        include("a.yaml", "backends: {}\ninclude: b.yaml\n");
        include("b.yaml", "- 1\n");
        include("c.yaml", "a: [\n");
        include("empty.yaml", "# nothing yet\n");

        List<String> problems = problems("include: conf.d/*.yaml\n" + ConfigSamples.MINIMAL);

        assertThat(problems).hasSize(3);
        assertThat(problems.get(0)).startsWith("conf.d/a.yaml:2:1: an included file cannot include others");
        assertThat(problems.get(1)).startsWith("conf.d/b.yaml:1:1: an included file must have sections");
        assertThat(problems.get(2)).startsWith("conf.d/c.yaml:2:1: not valid YAML");
    }
}
