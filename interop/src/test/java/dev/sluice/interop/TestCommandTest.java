package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Sluice;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ./sluice test} in a tree of two modules, with a Maven that prints its arguments and leaves reports. */
class TestCommandTest {
    private static final int USAGE_ERROR = 2;
    private static final String ALWAYS = "-B -ntp -Dmaven.test.failure.ignore=true ";
    private static final String BY_NAME = " -Dsurefire.failIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false";

    @TempDir
    private Path tree = Path.of("");

    @BeforeEach
    void makeTree() throws IOException {
        for (String file : new String[] {
            "sluice",
            "tools/launcher/jdk.sh",
            "tools/launcher/build.sh",
            "tools/launcher/jvm.sh",
            "tools/launcher/package.sh",
            "tools/launcher/bench.sh",
            "tools/launcher/docs.sh",
            "tools/launcher/test.sh",
        }) {
            Path copy = tree.resolve(file);
            Files.createDirectories(copy.resolveSibling("."));
            Files.copy(Sluice.home().resolve(file), copy);
        }
        for (String module : new String[] {"net", "interop"}) {
            write(module + "/pom.xml", "");
            write(module + "/src/test/java/dev/sluice/" + module + "/ReloadTest.java", "");
        }
        write("net/src/test/java/dev/sluice/net/TimersTest.java", "");
        maven("");
    }

    private Path write(String file, String text) throws IOException {
        Path path = tree.resolve(file);
        Files.createDirectories(path.resolveSibling("."));
        return Files.writeString(path, text);
    }

    private void maven(String more) throws IOException {
        Path maven = write("mvnw", "#!/bin/sh\necho \"maven: $*\"\n" + more);
        Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwx------"));
    }

    private ForeignResult test(String... arguments) {
        String[] line = new String[arguments.length + 1];
        line[0] = "test";
        System.arraycopy(arguments, 0, line, 1, arguments.length);
        return ForeignProgram.at(tree.resolve("sluice"))
                .command(line)
                .with("SLUICE_JAVA_HOME", System.getProperty("java.home"))
                .run();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "\"\"; verify",
                "net; -pl net -am verify",
                "TimersTest; -pl net -am test -Dtest=TimersTest BY_NAME",
                "TimersTest#expires; -pl net -am test -Dtest=TimersTest#expires BY_NAME",
                "dev.sluice.net.ReloadTest; -pl net -am test -Dtest=dev.sluice.net.ReloadTest BY_NAME",
                "Tim*Test ReloadTest; -pl net,interop -am package -Dtest=Tim*Test,ReloadTest BY_NAME",
                "-Pquick TimersTest; -pl net -am test -Dtest=TimersTest BY_NAME -Pquick",
                "-pl net -am; verify -pl net -am",
                "-Dgreeting=it's; verify -Dgreeting=it's",
            })
    void namesBecomeWhatMavenIsCalledWith(String arguments, String called) {
        ForeignResult result = test(arguments.isEmpty() ? new String[0] : arguments.split(" ", -1));

        assertThat(result.output().lines().findFirst())
                .hasValue(
                        "maven: " + ALWAYS + called.replace(" BY_NAME", BY_NAME).strip());
    }

    @ParameterizedTest
    @ValueSource(strings = {"libssl.so.3", "libssl.so.4"})
    void aDirectoryWithAnotherOpensslIsPassedOn(String library) throws IOException {
        write("newer/" + library, "");

        assertThat(test("--openssl", tree.resolve("newer").toString()).output())
                .contains("verify -Dsluice.openssl=" + tree.resolve("newer").toRealPath());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "TimerTest; no module and no test class is named 'TimerTest'; nearest: TimersTest",
                "relaod#x; no module and no test class is named 'relaod'; nearest: ReloadTest",
                "nett; no module and no test class is named 'nett'; nearest: net",
                "net TimersTest; name either modules (net) or test classes (TimersTest); not both",
                "--openssl; --openssl: ; its value is missing",
                "--openssl /nowhere; --openssl /nowhere: no libssl.so.4 or libssl.so.3 there; name the directory",
            })
    void aMistakeIsNamed(String arguments, String first, String second) {
        ForeignResult result = test(arguments.split(" ", -1));

        assertThat(result.exitCode()).isEqualTo(USAGE_ERROR);
        assertThat(result.errors()).contains(first, second);
    }

    @Test
    void theSlowestTheFailuresAndTheTotalsStandAtTheEnd() throws IOException {
        maven("""
                reports=net/target/surefire-reports
                mkdir -p $reports
                report() {
                    printf '<?xml version="1.0"?>\\n<testsuite xmlns="x" name="%s" time="%s" tests="%s"' "$1" "$2" "$3"
                    printf ' errors="1" skipped="1" failures="1">\\n</testsuite>\\n'
                }
                for i in 1 2 3 4 5 6 7 8 9 10; do report Fast$i 0.01 5 >$reports/TEST-Fast$i.xml; done
                report dev.sluice.net.SlowTest 1,234.5 7 >$reports/TEST-SlowTest.xml
                cat >$reports/dev.sluice.net.SlowTest.txt <<EOF
                Tests run: 7, Failures: 1 <<< FAILURE! -- in dev.sluice.net.SlowTest
                dev.sluice.net.SlowTest.waits(String, int)[2] -- Time elapsed: 0.9 s <<< FAILURE!
                java.lang.AssertionError: expected 3 but was 4

                of many lines
                \tat org.assertj.core.Something.fail(Something.java:1)
                \tat dev.sluice.net.SlowTest.waits(SlowTest.java:42)
                EOF
                """);

        ForeignResult result = test();

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output())
                .contains("slowest test classes:\n  1234.5 s  dev.sluice.net.SlowTest\n")
                .contains("failed: dev.sluice.net.SlowTest.waits(String, int)[2] (")
                .contains("    java.lang.AssertionError: expected 3 but was 4\n")
                .contains("    \tat dev.sluice.net.SlowTest.waits(SlowTest.java:42)\n")
                .contains("skipped: 11, ")
                .endsWith("\n24 passed, 22 failed\n");
        assertThat(result.output().lines().filter(line -> line.matches(" +[0-9.]+ s  \\S+")))
                .hasSize(10);
    }

    @Test
    void aTestThatFailedAndThenPassedIsNamed() throws IOException {
        maven("""
                reports=net/target/surefire-reports
                mkdir -p $reports
                cat >$reports/TEST-TimersTest.xml <<EOF
                <testsuite name="TimersTest" time="1" tests="2" errors="0" skipped="0" failures="0" flakes="1">
                  <testcase name="stands" classname="dev.sluice.net.TimersTest" time="0.1"/>
                  <testcase name="expires(int)[2]" classname="dev.sluice.net.TimersTest" time="0.1">
                    <flakyFailure message="expected 3 but was 4" type="java.lang.AssertionError">
                    </flakyFailure>
                  </testcase>
                </testsuite>
                EOF
                """);

        ForeignResult result = test("-Dsurefire.rerunFailingTestsCount=1");

        assertThat(result.exitCode()).isZero();
        assertThat(result.output())
                .containsOnlyOnce("unstable: ")
                .contains("unstable: dev.sluice.net.TimersTest.expires(int)[2]: expected 3 but was 4\n")
                .endsWith("\n2 passed, 0 failed\n");
    }

    @Test
    void aRunWithoutTestsFails() {
        ForeignResult result = test("TimersTest#noSuchMethod");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output())
                .contains("No test ran; is there a test method of the name in TimersTest#noSuchMethod?")
                .endsWith("\n0 passed, 0 failed\n");
    }
}
