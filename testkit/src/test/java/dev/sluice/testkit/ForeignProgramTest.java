package dev.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForeignProgramTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private final ForeignProgram sh = ForeignProgram.required("sh", "dash");

    @Test
    void returnsBothStreamsAndTheExitCode() {
        ForeignResult result =
                sh.command("-c", "echo out; echo err >&2; exit 3").run();

        assertThat(result.output()).isEqualTo("out\n");
        assertThat(result.errors()).isEqualTo("err\n");
        assertThat(result.exitCode()).isEqualTo(3);
        assertThatThrownBy(result::expectSuccess)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("err");
    }

    @Test
    void passesInputEnvironmentAndDirectory(@TempDir Path directory) throws Exception {
        ForeignResult result = sh.command("-c", "cat; echo $COLOUR; pwd -P")
                .input("typed ")
                .with("COLOUR", "green")
                .in(directory)
                .run();

        assertThat(result.output()).isEqualTo("typed green\n" + directory.toRealPath() + "\n");
    }

    @Test
    void readsMoreOutputThanAPipeHolds() {
        ForeignResult result = sh.command("-c", "head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2")
                .run();

        assertThat(result.outputBytes()).hasSize(3_000_000);
        assertThat(result.errorBytes()).hasSize(3_000_000);
    }

    @Test
    void killsASlowProgramAndShowsItsOutput() {
        assertThatThrownBy(() -> sh.command("-c", "echo begun; exec sleep 100")
                        .within(Duration.ofMillis(500))
                        .run())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("begun");
    }

    @Test
    void closeKillsTheProgramsChildren() {
        long child;
        try (RunningProgram running =
                sh.command("-c", "sleep 100 & echo child=$!. ; wait").start()) {
            running.awaitOutput(".", LONG);
            String text = running.output();
            child = Long.parseLong(text.substring(text.indexOf('=') + 1, text.indexOf('.')));
            assertThat(ProcessHandle.of(child)).isPresent();
        }
        Waiting.until(LONG, () -> isGone(child), () -> "still there: pid=" + child);
    }

    @Test
    void keepsTheLastOutputOfATerminatedProgram() {
        String script = "trap 'echo last words; exit 5' TERM; echo ready; while :; do sleep 0.1; done";
        try (RunningProgram running = sh.command("-c", script).start()) {
            running.awaitOutput("ready", LONG);
            running.terminate();

            ForeignResult result = running.awaitExit(LONG);

            assertThat(result.output()).endsWith("last words\n");
            assertThat(result.exitCode()).isEqualTo(5);
        }
    }

    @Test
    void failsIfTheProgramEndsBeforeTheAwaitedOutput() {
        try (RunningProgram running = sh.command("-c", "echo other").start()) {
            assertThatThrownBy(() -> running.awaitOutput("ready", LONG))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("ended before it wrote 'ready'")
                    .hasMessageContaining("other");
        }
    }

    @Test
    void doesNotFindAMissingProgram() {
        assertThat(ForeignProgram.find("no-such-program-anywhere")).isEmpty();
    }

    private static boolean isGone(long pid) {
        return ProcessHandle.of(pid).map(handle -> !handle.isAlive()).orElse(true);
    }
}
