package dev.sluice.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Main;
import dev.sluice.cli.SluiceCommand;
import dev.sluice.cli.command.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Tests that arguments parsed without picocli have picocli's meaning. */
class GatewayRunTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "gateway",
                "gateway --config sluice.yaml",
                "gateway -c sluice.yaml",
                "gateway --listen 127.0.0.1:0",
                "gateway --transport epoll --listen [::1]:8443",
                "gateway --config /etc/sluice.yaml --transport io_uring",
                "gateway --config a.yaml --listen b:1 --transport nonsense"
            })
    void matchesPicocli(String line) {
        assertThat(GatewayRun.ofPlain(words(line))).isEqualTo(readByPicocli(line));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "help",
                "check sluice.yaml",
                "gateway --help",
                "gateway --config",
                "gateway --config=sluice.yaml",
                "gateway -csluice.yaml",
                "gateway --config a.yaml --config b.yaml",
                "gateway --listen --transport epoll",
                "gateway --lisen 127.0.0.1:0",
                "gateway --config a.yaml --replace",
                "gateway --replace --config a.yaml",
                "gateway sluice.yaml",
                "gateway sluice.yaml other.yaml"
            })
    void leavesUnusualArgumentsToPicocli(String line) {
        assertThat(GatewayRun.ofPlain(words(line))).isNull();
    }

    @Test
    void leavesOtherArgumentsToPicocli() {
        assertThat(GatewayRun.ofPlain(new String[0])).isNull();
    }

    /** Checks that a starting or refused gateway loads no class of picocli. */
    @Test
    void loadsNoClassOfPicocli() throws IOException, InterruptedException {
        List<String> loaded = classesLoadedBy("gateway", "--config", "/nonexistent/sluice.yaml");

        assertThat(loaded).anyMatch(line -> line.contains("dev.sluice.config.read.ConfigSource"));
        assertThat(loaded).noneMatch(line -> line.contains(" picocli."));
    }

    private static List<String> classesLoadedBy(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        process.getInputStream().transferTo(output);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isEqualTo(ExitCode.TRY_AGAIN);
        return output.toString(StandardCharsets.UTF_8).lines().toList();
    }

    /** Returns the tests' own class path; Surefire runs modules on a module path. */
    private static String classPath() {
        String modules = System.getProperty("jdk.module.path", "");
        return System.getProperty("java.class.path") + (modules.isEmpty() ? "" : ":" + modules);
    }

    private static GatewayRun readByPicocli(String line) {
        CommandLine command = SluiceCommand.line();
        CommandLine.ParseResult parsed = command.parseArgs(words(line)).subcommand();
        return ((GatewayCommand) parsed.commandSpec().userObject()).asRun();
    }

    private static String[] words(String line) {
        return line.split(" ", -1);
    }
}
