package dev.sluice.interop;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.sluice.interop.fixture.Sluice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The packages of the product: free of cycles, small, described, and one class for each name. */
class StructureTest {
    private static final String ROOT = "dev.sluice.";
    private static final int FILES_MAX = 40;
    private static final int DESCRIPTION_LINES_MIN = 5;
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Pattern JAVADOC = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);

    /** The part of a package name by which JMH marks the classes that it generates. */
    private static final String GENERATED = ".jmh_generated";

    private static final SliceAssignment PACKAGES = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return type.getPackageName().contains(GENERATED)
                    ? SliceIdentifier.ignore()
                    : SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    };

    @Test
    void packagesAreFreeOfCycles() {
        slices().assignedFrom(PACKAGES).should().beFreeOfCycles().check(ArchitectureTest.PRODUCT);
    }

    @Test
    void aPackageHasFortyFilesAtMost() {
        Set<String> large = new TreeSet<>();
        sources().forEach((name, files) -> {
            if (files.size() > FILES_MAX) {
                large.add(name);
            }
        });

        assertThat(large).isEmpty();
    }

    /** Bench stands for clients and servers of others, and names them as others do. */
    @Test
    void aSimpleNameStandsForOneClass() {
        Map<String, Long> count = sources().entrySet().stream()
                .filter(entry -> !(entry.getKey() + ".").startsWith("bench."))
                .flatMap(entry -> entry.getValue().stream())
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .collect(Collectors.groupingBy(name -> name, Collectors.counting()));
        Set<String> repeated = count.entrySet().stream()
                .filter(entry -> entry.getValue() > 1)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(repeated).isEmpty();
    }

    @Test
    void aPackageIsDescribedInFiveLinesAtLeast() throws IOException {
        Set<String> terse = new TreeSet<>();
        for (Map.Entry<String, List<Path>> each : sources().entrySet()) {
            Path description = each.getValue().getFirst().resolveSibling("package-info.java");
            if (!Files.exists(description) || lines(Files.readString(description)) < DESCRIPTION_LINES_MIN) {
                terse.add(each.getKey());
            }
        }

        assertThat(terse).isEmpty();
    }

    /** The lines of a file's Javadoc that hold more than its asterisks. */
    private static long lines(String source) {
        Matcher javadoc = JAVADOC.matcher(source);
        return javadoc.find()
                ? javadoc.group(1)
                        .lines()
                        .filter(line -> !line.replace("*", "").isBlank())
                        .count()
                : 0;
    }

    /** The files of each package that has classes, without the root of the packages' names. */
    private static Map<String, List<Path>> sources() {
        Map<String, List<Path>> packages = new TreeMap<>();
        try (Stream<Path> modules = Files.list(Sluice.home())) {
            for (Path module : modules.toList()) {
                Path root = module.resolve(SOURCES);
                if (Files.isDirectory(root)) {
                    addSources(root, packages);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assertThat(packages).containsKeys("memory", "net", "gateway");
        return packages;
    }

    private static void addSources(Path root, Map<String, List<Path>> packages) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("module-info.java") && !file.endsWith("package-info.java"))
                    .forEach(file -> packages.computeIfAbsent(packageOf(root, file), name -> new ArrayList<>())
                            .add(file));
        }
    }

    private static String packageOf(Path root, Path file) {
        String name = root.relativize(file.resolveSibling("")).toString().replace('/', '.');
        return name.startsWith(ROOT) ? name.substring(ROOT.length()) : name;
    }
}
