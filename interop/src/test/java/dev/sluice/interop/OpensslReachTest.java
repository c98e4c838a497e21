package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Sluice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The test classes that {@code .ci/run} leaves out on its second OpenSSL: none of them reaches libssl or libcrypto
 * through any class that it names, directly or not, nor starts what is packaged. Those of a second list do, and are
 * left out there all the same.
 */
class OpensslReachTest {
    private static final String OPENSSL = "dev/sluice/ffi/openssl/";
    private static final String LAUNCHER = Sluice.class.getName().replace('.', '/');
    private static final Pattern OWN_CLASS = Pattern.compile("dev/sluice/[\\w/$]+");
    private static final Pattern ENTRY = Pattern.compile("\\*\\*/(\\w+)\\.java");

    /** The class files of the tree, by their names with slashes. */
    private static final Map<String, Path> CLASSES = classFiles();

    static List<String> leftOut() throws IOException {
        return entries("tools/without-openssl.list");
    }

    static List<String> runOnce() throws IOException {
        return entries("tools/once.list");
    }

    @ParameterizedTest
    @MethodSource("leftOut")
    void whatIsLeftOutReachesNoOpenssl(String entry) throws IOException {
        for (String test : testsOf(entry)) {
            assertThat(pathToOpenssl(test)).as("path to OpenSSL").isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("runOnce")
    void whatRunsOnceIsAClassThatReachesOpenssl(String entry) throws IOException {
        for (String test : testsOf(entry)) {
            assertThat(pathToOpenssl(test)).as("path to OpenSSL").isPresent();
        }
    }

    @Test
    void aPathToOpensslIsFound() throws IOException {
        assertThat(pathToOpenssl("dev/sluice/tls/engine/DirectClientTest"))
                .hasValueSatisfying(path -> assertThat(path).contains(" -> " + OPENSSL));
        assertThat(pathToOpenssl("dev/sluice/interop/CheckCommandTest"))
                .hasValueSatisfying(path -> assertThat(path).endsWith(" -> " + LAUNCHER));
    }

    private static List<String> entries(String list) throws IOException {
        return Files.readAllLines(Sluice.home().resolve(list)).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    /** Returns the test classes that an entry of a list names: at least one. */
    private static List<String> testsOf(String entry) {
        assertThat(entry).matches(ENTRY);
        String suffix = "/" + ENTRY.matcher(entry).replaceFirst("$1");
        List<String> tests =
                CLASSES.keySet().stream().filter(name -> name.endsWith(suffix)).toList();
        assertThat(tests).as("test classes for " + entry).isNotEmpty();
        return tests;
    }

    /** Returns the classes from a class to OpenSSL, or to the launcher of what is packaged; empty: none. */
    private static Optional<String> pathToOpenssl(String from) throws IOException {
        Map<String, String> paths = new HashMap<>(Map.of(from, from));
        Deque<String> left = new ArrayDeque<>(paths.keySet());
        while (!left.isEmpty()) {
            String name = left.remove();
            String path = String.valueOf(paths.get(name));
            if (name.startsWith(OPENSSL)) {
                return Optional.of(path);
            }
            ClassModel model = ClassFile.of().parse(CLASSES.get(name));
            if (!name.equals(LAUNCHER) && callsLauncher(model)) {
                return Optional.of(path + " -> " + LAUNCHER);
            }
            for (String used : ownClassesIn(model)) {
                if (CLASSES.containsKey(used) && paths.putIfAbsent(used, path + " -> " + used) == null) {
                    left.add(used);
                }
            }
        }
        return Optional.empty();
    }

    private static boolean callsLauncher(ClassModel model) {
        for (PoolEntry entry : model.constantPool()) {
            if (entry instanceof MemberRefEntry member
                    && member.owner().asInternalName().equals(LAUNCHER)
                    && member.name().stringValue().startsWith("command")) {
                return true;
            }
        }
        return false;
    }

    /** Names of classes and descriptors alike are texts of the constant pool. */
    private static Set<String> ownClassesIn(ClassModel model) {
        Set<String> names = new TreeSet<>();
        for (PoolEntry entry : model.constantPool()) {
            if (entry instanceof Utf8Entry text) {
                OWN_CLASS
                        .matcher(text.stringValue())
                        .results()
                        .map(MatchResult::group)
                        .forEach(names::add);
            }
        }
        return names;
    }

    private static Map<String, Path> classFiles() {
        Map<String, Path> files = new HashMap<>();
        try (Stream<Path> modules = Files.list(Sluice.home())) {
            for (Path module : modules.toList()) {
                for (String kind : new String[] {"target/classes", "target/test-classes"}) {
                    if (Files.isDirectory(module.resolve(kind))) {
                        addClassFiles(module.resolve(kind), files);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    private static void addClassFiles(Path root, Map<String, Path> files) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            all.filter(file -> file.toString().endsWith(".class"))
                    .forEach(file -> files.put(root.relativize(file).toString().replace(".class", ""), file));
        }
    }
}
