package dev.sluice.interop;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.sluice.ffi.libc.RawMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.ref.Cleaner;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The arrows between the modules, and what no module may do whatever its room. */
class ArchitectureTest {
    private static final String ROOT = "dev.sluice.";

    /** The annotation with which the JDK marks its restricted methods, such as {@code MemorySegment.reinterpret}. */
    private static final String RESTRICTED = "jdk.internal.javac.Restricted";

    /** Modules from the bottom up: each may use those before it. */
    private static final List<String> MODULES = List.of(
            "memory", "ffi", "tls", "jsse", "net", "config", "gateway", "cost", "doctor", "transfer", "cli", "bench");

    /** The modules with no dependency at run time but the JDK's java.base. */
    private static final List<String> CORE = List.of("memory", "ffi", "tls", "jsse", "net");

    /** The suffix of the packages that JMH generates for benchmarks. */
    private static final String GENERATED = ".jmh_generated";

    static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(MODULES.stream().map(name -> ROOT + name).toArray(String[]::new));

    static Stream<String> modules() {
        return MODULES.stream();
    }

    static Stream<String> coreModules() {
        return CORE.stream();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void aModuleUsesOnlyWhatStandsBelowIt(String module) {
        List<String> above = new ArrayList<>(MODULES.subList(MODULES.indexOf(module) + 1, MODULES.size()));
        above.add("testkit");
        above.add("simulator");
        noClasses()
                .that()
                .resideInAPackage(ROOT + module + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        above.stream().map(name -> ROOT + name + "..").toArray(String[]::new))
                .check(PRODUCT);
    }

    @ParameterizedTest
    @MethodSource("coreModules")
    void aCoreModuleNeedsNothingButTheJavaBaseModule(String module) {
        assertThat(descriptor(module).requires())
                .filteredOn(requires -> !requires.name().startsWith(ROOT))
                .allSatisfy(requires -> assertThat(requires.name().equals("java.base")
                                || requires.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
                        .as(requires.toString())
                        .isTrue());
    }

    @ParameterizedTest
    @MethodSource("modules")
    void whatIsInternalIsNotExported(String module) {
        assertThat(descriptor(module).exports())
                .filteredOn(exports -> !exports.isQualified())
                .extracting(ModuleDescriptor.Exports::source)
                .noneMatch(name -> (name + ".").contains(".internal."));
    }

    /** So that capacity can be planned, and endpoints audited, by who never runs the gateway. */
    @Test
    void whatMeasuresCostsDoesNotNeedTheGateway() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + "cost..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + "gateway..")
                .check(PRODUCT);
    }

    @Test
    void restrictedCallsAreMadeInFfiAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "ffi..")
                .and()
                // What foreign calls cost by the way they are linked is measured on links of all kinds.
                .doNotHaveFullyQualifiedName(ROOT + "bench.buffers.work.NativeCalls")
                .should()
                .callMethodWhere(describe("the method is restricted", ArchitectureTest::isRestricted))
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Linker.class, SymbolLookup.class)
                .check(PRODUCT);
    }

    /** So that the count of copied bytes tells of all of them. */
    @Test
    void bytesOnTheirWayAreCopiedInOnePlace() {
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + "net..", ROOT + "gateway..")
                .and()
                .doNotHaveFullyQualifiedName(ROOT + "net.internal.Copies")
                .and()
                // Early data that is kept until the handshake is complete.
                .doNotHaveFullyQualifiedName(ROOT + "gateway.earlydata.HeldBytes")
                .should()
                .callMethod(RawMemory.class, "copy", long.class, long.class, long.class)
                .check(PRODUCT);
    }

    @Test
    void thereAreNoNativeMethods() {
        noMethods().should().haveModifier(JavaModifier.NATIVE).check(PRODUCT);
    }

    /** Bench stands for clients and backends of others, and may use what the JDK offers them. */
    @Test
    void theCollectorFreesNothingNative() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "bench..")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Cleaner.class)
                .orShould()
                .callMethod(Arena.class, "ofAuto")
                .orShould()
                .callMethod(ByteBuffer.class, "allocateDirect", int.class)
                .check(PRODUCT);
    }

    /** One slot is needed: libssl calls back on the thread that called it, and must find the connection there. */
    @Test
    void nothingElseHidesInThreadLocals() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(ROOT + "ffi.openssl.HandshakeCallbacks")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ThreadLocal.class)
                .check(PRODUCT);
    }

    @Test
    void onlyCommandsWriteToTheConsole() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        CORE.stream().map(name -> ROOT + name + "..").toArray(String[]::new))
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(PRODUCT);
    }

    @Test
    void everyPackageStatesThatNothingIsNullUnlessSaid() {
        assertThat(PRODUCT.stream()
                        .map(JavaClass::getPackage)
                        .filter(javaPackage -> !javaPackage.getName().endsWith(GENERATED))
                        .distinct())
                .isNotEmpty()
                .allMatch(javaPackage -> javaPackage.isAnnotatedWith(NullMarked.class));
    }

    private static boolean isRestricted(JavaMethodCall call) {
        return call.getTarget().isAnnotatedWith(RESTRICTED);
    }

    /** The descriptor of a module, found where its classes were loaded from. */
    private static ModuleDescriptor descriptor(String module) {
        String name = ROOT + module;
        Path place = PRODUCT.stream()
                .filter(type -> (type.getPackageName() + ".").startsWith(name + "."))
                .findFirst()
                .flatMap(type -> type.getSource().map(source -> root(source.getUri(), type.getPackageName())))
                .orElseThrow(() -> new AssertionError("no class found of the module " + name));
        return ModuleFinder.of(place).find(name).orElseThrow().descriptor();
    }

    /** The jar or the directory that holds a class: {@code jar:file:/x.jar!/a/B.class} or {@code file:/x/a/B.class}. */
    private static Path root(URI classFile, String packageName) {
        String text = classFile.toString();
        if (text.startsWith("jar:")) {
            return Path.of(URI.create(text.substring("jar:".length(), text.indexOf("!/"))));
        }
        return Path.of(URI.create(text.substring(0, text.indexOf("/" + packageName.replace('.', '/') + "/"))));
    }
}
