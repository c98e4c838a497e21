package dev.sluice.gateway.acme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.acme.DnsHook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DnsHookProgramTest {
    @TempDir
    Path directory = Path.of("");

    @Test
    void passesArgumentsAsTheyAre() throws Exception {
        DnsHookProgram program = program("printf '%s|' \"$@\" >\"$0.got\"", Duration.ofMinutes(1), "a b");

        program.present("_acme-challenge.x.example", "v; touch $(whoami)");

        assertThat(directory.resolve("hook.got"))
                .hasContent("a b|present|_acme-challenge.x.example|v; touch $(whoami)|");
    }

    @Test
    void inheritsFewVariables() throws Exception {
        DnsHookProgram program = program("env | cut -d= -f1 >\"$0.got\"", Duration.ofMinutes(1));

        program.cleanUp("r", "v");

        // The shell adds PWD, SHLVL, OLDPWD and _ itself.
        assertThat(Files.readAllLines(directory.resolve("hook.got")))
                .isSubsetOf("PATH", "HOME", "LANG", "LC_ALL", "TZ", "PWD", "OLDPWD", "SHLVL", "_");
    }

    @Test
    void reportsWhatAFailedProgramSays() throws Exception {
        DnsHookProgram program = program("head -c 100000 /dev/zero | tr '\\0' x >&2; exit 7", Duration.ofMinutes(1));

        assertThatThrownBy(() -> program.present("r", "v"))
                .isInstanceOf(AcmeFailure.class)
                .hasMessage("dns-hook " + directory.resolve("hook") + " present r failed (exit code 7: "
                        + "x".repeat(1024) + "); run it by hand to see why");
    }

    @Test
    void reportsTheLastWordsOfAProgram() throws Exception {
        DnsHookProgram program = program("echo no such zone >&2; exit 1", Duration.ofMinutes(1));

        for (int i = 0; i < 50; i++) {
            assertThatThrownBy(() -> program.present("r", "v")).hasMessageContaining("(exit code 1: no such zone);");
        }
    }

    @Test
    void killsAProgramThatHangs() throws Exception {
        DnsHookProgram program =
                program("echo waiting >&2; sleep 1000 & echo $! >\"$0.got\"; wait", Duration.ofSeconds(1));

        assertThatThrownBy(() -> program.present("r", "v"))
                .isInstanceOf(AcmeFailure.class)
                .hasMessageContaining("killed after 1 s: waiting);");
        long child =
                Long.parseLong(Files.readString(directory.resolve("hook.got")).strip());
        ProcessHandle.of(child).ifPresent(handle -> handle.onExit().join());
    }

    private DnsHookProgram program(String script, Duration limit, String... arguments) throws IOException {
        Path hook = Files.writeString(directory.resolve("hook"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwx------"));
        List<String> command = new ArrayList<>(List.of(hook.toString()));
        command.addAll(List.of(arguments));
        return new DnsHookProgram(new DnsHook(command, limit, Duration.ZERO));
    }
}
