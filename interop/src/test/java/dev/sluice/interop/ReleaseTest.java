package dev.sluice.interop;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Sluice;
import dev.sluice.interop.fixture.StagingRepository;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The staging repository: what it holds, what a repository of others would ask for, and that it is reproducible. */
class ReleaseTest {
    private static final String VERSION = StagingRepository.version();

    /** Files of a repository by their algorithms' names in the JDK. */
    private static final Map<String, String> CHECKSUMS =
            Map.of(".md5", "MD5", ".sha1", "SHA-1", ".sha256", "SHA-256", ".sha512", "SHA-512");

    private static final StagingRepository STAGING = StagingRepository.shared();

    static List<String> artifacts() {
        return StagingRepository.MODULES.stream()
                .map(module -> "sluice-" + module)
                .toList();
    }

    static List<String> artifactsAndBom() {
        return Stream.concat(artifacts().stream(), Stream.of("sluice-bom")).toList();
    }

    private static Path file(String artifact, String suffix) {
        return STAGING.directoryOf(artifact).resolve(artifact + "-" + VERSION + suffix);
    }

    @Test
    void theLibraryAndItsBomAreStagedAndNothingElse() throws IOException {
        try (Stream<Path> directories = Files.list(STAGING.root().resolve("dev/sluice"))) {
            assertThat(directories.map(each -> each.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(artifactsAndBom());
        }
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    void anArtifactHasSourcesJavadocAndSbom(String artifact) throws IOException {
        ModuleDescriptor module = ModuleFinder.of(file(artifact, ".jar"))
                .find(artifact.replace("sluice-", "dev.sluice."))
                .orElseThrow()
                .descriptor();
        assertThat(module.rawVersion()).contains(VERSION);
        assertThat(module.isAutomatic()).isFalse();
        assertThat(namesIn(file(artifact, "-sources.jar"))).contains("module-info.java");
        assertThat(namesIn(file(artifact, "-javadoc.jar")))
                .contains("index.html", "element-list", module.name() + "/module-summary.html");
        assertThat(Files.readString(file(artifact, "-cyclonedx.json")))
                .contains("\"bomFormat\" : \"CycloneDX\"", "pkg:maven/dev.sluice/" + artifact + "@" + VERSION)
                .doesNotContain("sluice-testkit", "junit");
    }

    @Test
    void theSbomNamesTheModulesThatAreNeeded() throws IOException {
        assertThat(Files.readString(file("sluice-jsse", "-cyclonedx.json")))
                .contains(
                        "pkg:maven/dev.sluice/sluice-memory@" + VERSION,
                        "pkg:maven/dev.sluice/sluice-ffi@" + VERSION,
                        "pkg:maven/dev.sluice/sluice-tls@" + VERSION);
    }

    @Test
    void eachFileHasItsChecksums() throws Exception {
        try (Stream<Path> files = Files.walk(STAGING.root())) {
            List<Path> checked = files.filter(Files::isRegularFile)
                    .filter(file -> CHECKSUMS.keySet().stream().noneMatch(file.toString()::endsWith))
                    .toList();
            assertThat(checked).hasSizeGreaterThan(5 * artifacts().size());
            for (Path file : checked) {
                for (Map.Entry<String, String> each : CHECKSUMS.entrySet()) {
                    byte[] digest = MessageDigest.getInstance(each.getValue()).digest(Files.readAllBytes(file));
                    assertThat(file.resolveSibling(file.getFileName() + each.getKey()))
                            .hasContent(HexFormat.of().formatHex(digest));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("artifactsAndBom")
    void thePomSaysWhatCentralRequires(String artifact) throws Exception {
        Document pom = pom(artifact);

        assertThat(children(pom.getDocumentElement()))
                .containsEntry("groupId", "dev.sluice")
                .containsEntry("artifactId", artifact)
                .containsEntry("version", VERSION)
                .containsKeys("name", "description", "url")
                .doesNotContainKeys("parent", "build", "profiles", "repositories", "modules");
        assertThat(first(pom, "license")).containsKeys("name", "url");
        assertThat(first(pom, "developer")).containsKey("name");
        assertThat(first(pom, "scm")).containsKeys("connection", "developerConnection", "url");
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    void thePomHasNoDependencyOnWhatIsNotReleased(String artifact) throws Exception {
        NodeList dependencies = pom(artifact).getElementsByTagName("dependency");
        for (int i = 0; i < dependencies.getLength(); i++) {
            Map<String, String> dependency = children((Element) dependencies.item(i));
            assertThat(dependency.get("artifactId"))
                    .isIn(Stream.concat(artifacts().stream(), Stream.of("jspecify"))
                            .toList());
            assertThat(dependency.get("scope")).isNotEqualTo("test");
            assertThat(dependency.get("version")).matches("[0-9.]+");
        }
    }

    @Test
    void theBomListsTheArtifacts() throws Exception {
        NodeList dependencies = pom("sluice-bom").getElementsByTagName("dependency");
        Map<String, String> versions = new TreeMap<>();
        for (int i = 0; i < dependencies.getLength(); i++) {
            Map<String, String> dependency = children((Element) dependencies.item(i));
            versions.put(dependency.get("artifactId"), dependency.get("version"));
        }

        assertThat(versions).containsOnlyKeys(artifacts().toArray(String[]::new));
        assertThat(versions.values()).containsOnly("${project.version}"); // the BOM's own
    }

    @Test
    void nothingNamesTheMachineOfTheBuild() throws IOException {
        for (Path file : filesOf(STAGING.root()).values()) {
            assertThat(contains(file, Sluice.home().toString()))
                    .as(file.toString())
                    .isFalse();
        }
    }

    /** The one that the tests run on was compiled with the linters, in another directory and at another time. */
    @ParameterizedTest
    @MethodSource("artifacts")
    void theJarHoldsWhatThatOfThePlainBuildHolds(String artifact) throws IOException {
        Path plain = Sluice.home()
                .resolve(artifact.replace("sluice-", ""))
                .resolve("target/" + artifact + "-" + VERSION + ".jar");

        Map<String, String> staged = entries(file(artifact, ".jar"));
        assertThat(staged).hasSizeGreaterThan(5).isEqualTo(entries(plain));
    }

    @Test
    void aSecondBuildInAnotherPlaceMakesTheSameBytes() throws IOException {
        StagingRepository again =
                StagingRepository.ofModule("memory", Map.of("TZ", "Asia/Tokyo", "LC_ALL", "C", "USER", "another"));

        Map<String, Path> first = filesOf(STAGING.directoryOf("sluice-memory"));
        Map<String, Path> second = filesOf(again.directoryOf("sluice-memory"));
        assertThat(second.keySet()).isEqualTo(first.keySet()).hasSizeGreaterThanOrEqualTo(25);
        second.forEach((name, file) -> assertThat(file).as(name).hasSameBinaryContentAs(first.get(name)));
    }

    private static Map<String, Path> filesOf(Path directory) throws IOException {
        Map<String, Path> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(directory)) {
            all.filter(Files::isRegularFile)
                    .forEach(file -> files.put(directory.relativize(file).toString(), file));
        }
        return files;
    }

    /** The entries of a jar with their bytes, each as a character, but for the POM: a released one has no parent. */
    private static Map<String, String> entries(Path jar) throws IOException {
        Map<String, String> entries = new TreeMap<>();
        try (JarFile file = new JarFile(jar.toFile())) {
            for (JarEntry entry : file.stream().toList()) {
                if (!entry.getName().endsWith("/pom.xml")) {
                    entries.put(
                            entry.getName(),
                            new String(file.getInputStream(entry).readAllBytes(), ISO_8859_1));
                }
            }
        }
        return entries;
    }

    private static List<String> namesIn(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream().map(Object::toString).toList();
        }
    }

    /** Returns whether a file, or an entry of a jar, holds a text. */
    private static boolean contains(Path file, String text) throws IOException {
        return file.toString().endsWith(".jar")
                ? entries(file).values().stream().anyMatch(content -> content.contains(text))
                : Files.readString(file, ISO_8859_1).contains(text);
    }

    private static Document pom(String artifact) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file(artifact, ".pom").toFile());
    }

    private static Map<String, String> first(Document pom, String element) {
        return children((Element) pom.getElementsByTagName(element).item(0));
    }

    private static Map<String, String> children(Element parent) {
        Map<String, String> children = new TreeMap<>();
        for (var child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element element) {
                children.put(element.getTagName(), element.getTextContent().strip());
            }
        }
        return children;
    }
}
