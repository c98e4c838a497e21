package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Sluice;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./sluice}, called as users call it. */
class LauncherTest {
    private static final int USAGE_ERROR = 2;

    @TempDir
    private Path directory = Path.of("");

    /** JUnit warns of links that lead out of its directory. */
    @AfterEach
    void removeLink() throws IOException {
        Files.deleteIfExists(directory.resolve("first"));
    }

    @Test
    void helpNeedsNeitherAJdkNorABuild() {
        ForeignResult result = Sluice.command("help")
                .with("SLUICE_JAVA_HOME", directory.toString())
                .run()
                .expectSuccess();

        assertThat(result.output()).contains("./sluice gateway", "./sluice check", "./sluice test");
    }

    @Test
    void helpListsTheCommandsOfTransfers() {
        String help = Sluice.command("help").run().expectSuccess().output();

        for (String command : List.of("send", "receive", "serve", "pull", "push", "mount", "relay", "keys")) {
            assertThat(help).contains("./sluice " + command + " ");
        }
    }

    @Test
    void itRunsThroughSymbolicLinksFromAnyDirectory() throws IOException {
        Path first = Files.createSymbolicLink(
                directory.resolve("first"), Sluice.home().resolve("sluice"));
        Files.createSymbolicLink(directory.resolve("second"), first.getFileName());

        ForeignResult result = Sluice.commandOf(ForeignProgram.at(directory.resolve("second")), "--version")
                .in(directory)
                .run()
                .expectSuccess();

        assertThat(result.output()).startsWith("sluice 0.");
    }

    @Test
    void anUnsuitableJdkIsNamed() {
        ForeignResult result = Sluice.command("--version")
                .with("SLUICE_JAVA_HOME", directory.toString())
                .run();

        assertThat(result.exitCode()).isEqualTo(USAGE_ERROR);
        assertThat(result.errors()).contains("SLUICE_JAVA_HOME=" + directory, "JDK 25");
    }

    @Test
    void anOlderJdkIsNotTaken() throws IOException {
        Path old = fakeJdk("17.0.1");

        ForeignResult result = Sluice.command("--version")
                .with("SLUICE_JAVA_HOME", old.toString())
                .run();

        assertThat(result.exitCode()).isEqualTo(USAGE_ERROR);
        assertThat(result.errors()).contains("version found: 17");
    }

    @Test
    void aJavaHomeThatIsTooOldIsPassedOver() throws IOException {
        ForeignResult result = Sluice.command("--version")
                .with("SLUICE_JAVA_HOME", "")
                .with("JAVA_HOME", fakeJdk("17.0.1").toString())
                .with("PATH", System.getProperty("java.home") + "/bin:" + System.getenv("PATH"))
                .run()
                .expectSuccess();

        assertThat(result.output()).startsWith("sluice 0.");
    }

    @Test
    void anUnknownCommandIsAUsageError() {
        ForeignResult result = Sluice.command("gatweay").run();

        assertThat(result.exitCode()).isEqualTo(USAGE_ERROR);
        assertThat(result.errors()).contains("gatweay").contains("gateway");
    }

    private Path fakeJdk(String version) throws IOException {
        Path jdk = Files.createDirectories(directory.resolve("jdk-" + version));
        Path javac = Files.writeString(Files.createDirectory(jdk.resolve("bin")).resolve("javac"), "#!/bin/sh\n");
        assertThat(javac.toFile().setExecutable(true)).isTrue();
        Files.writeString(jdk.resolve("release"), "IMPLEMENTOR=\"Nobody\"\nJAVA_VERSION=\"" + version + "\"\n");
        return jdk;
    }
}
