package dev.sluice.gateway.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The operator's program: what it is told, and what becomes of one that fails, hangs or is not there. */
class AlertCommandTest {
    private static final Duration LIMIT = Waiting.LIMIT;

    @TempDir
    private Path directory = Path.of("");

    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private AlertCommand command = new AlertCommand(LIMIT, complaints::add);

    @AfterEach
    void close() {
        command.close();
    }

    private static AlertStatus status(AlertState state) {
        return new AlertStatus(
                "resumption-ratio",
                state,
                0.125,
                0.7,
                "ratio",
                Instant.EPOCH,
                "$(touch shell) \"0.125\" of all handshakes resumed a session",
                List.of("first", "second"));
    }

    private String awaitText(Path file) throws IOException {
        Waiting.until(LIMIT, () -> Files.exists(file), () -> file + " was not written; complaints: " + complaints);
        return Files.readString(file);
    }

    @Test
    void itIsToldInItsEnvironmentAndNoShellReadsIt() throws IOException {
        Path told = directory.resolve("told");
        String script = "printf '%s|' \"$1\" \"$SLUICE_ALERT\" \"$SLUICE_ALERT_STATE\" \"$SLUICE_ALERT_VALUE\""
                + " \"$SLUICE_ALERT_THRESHOLD\" \"$SLUICE_ALERT_UNIT\" \"$SLUICE_ALERT_SINCE\""
                + " \"$SLUICE_ALERT_MESSAGE\""
                + " \"$SLUICE_ALERT_ADVICE\" > \"$0.part\"; mv \"$0.part\" \"$0\"";
        command.run(
                List.of("/bin/sh", "-c", script, told.toString(), "an argument with; $signs"),
                status(AlertState.FIRING));

        assertThat(awaitText(told))
                .isEqualTo("an argument with; $signs|resumption-ratio|firing|0.125|0.7|ratio|1970-01-01T00:00:00Z|"
                        + status(AlertState.FIRING).message() + "|first\nsecond|");
        assertThat(complaints).isEmpty();
    }

    @Test
    void runsComeOneAfterTheOther() throws IOException {
        Path log = Files.createFile(directory.resolve("log"));
        for (int i = 0; i < 3; i++) {
            command.run(
                    List.of("/bin/sh", "-c", "echo begin >> \"$0\"; sleep 0.05; echo end >> \"$0\"", log.toString()),
                    status(AlertState.OK));
        }
        Path last = directory.resolve("last");
        command.run(List.of("/bin/sh", "-c", "echo > \"$0\"", last.toString()), status(AlertState.OK));

        awaitText(last);
        assertThat(Files.readAllLines(log)).containsExactly("begin", "end", "begin", "end", "begin", "end");
    }

    @Test
    void oneThatFailsIsToldOf() {
        command.run(List.of("/bin/sh", "-c", "exit 3"), status(AlertState.FIRING));
        awaitComplaint("ended with exit code 3");
    }

    @Test
    void oneThatIsNotThereIsToldOf() {
        command.run(List.of(directory.resolve("absent").toString()), status(AlertState.FIRING));
        awaitComplaint("could not be started");
    }

    /** And the next one has its turn. */
    @Test
    void oneThatHangsIsEndedWithWhatItHasBegun() throws IOException {
        command.close();
        command = new AlertCommand(Duration.ofMillis(300), complaints::add);
        Path child = directory.resolve("child");
        command.run(
                List.of(
                        "/bin/sh",
                        "-c",
                        "sleep 600 & echo $! > \"$0.part\"; mv \"$0.part\" \"$0\"; wait",
                        child.toString()),
                status(AlertState.FIRING));
        awaitComplaint("was ended after");
        long pid = Long.parseLong(awaitText(child).strip());
        Waiting.until(LIMIT, () -> isGone(pid), () -> "process " + pid + " goes on");

        Path next = directory.resolve("next");
        command.run(List.of("/bin/sh", "-c", "echo > \"$0\"", next.toString()), status(AlertState.OK));
        awaitText(next);
    }

    @Test
    void closingEndsWhatRuns() throws IOException {
        Path child = directory.resolve("child");
        command.run(
                List.of(
                        "/bin/sh",
                        "-c",
                        "echo $$ > \"$0.part\"; mv \"$0.part\" \"$0\"; exec sleep 600",
                        child.toString()),
                status(AlertState.FIRING));
        long pid = Long.parseLong(awaitText(child).strip());
        command.close();
        Waiting.until(LIMIT, () -> isGone(pid), () -> "process " + pid + " goes on");
        assertThat(complaints).isEmpty();
    }

    @Test
    void whatWaitsIsBounded() throws IOException {
        Path gate = directory.resolve("gate");
        List<String> waitForGate =
                List.of("/bin/sh", "-c", "while [ ! -e \"$0\" ]; do sleep 0.05; done", gate.toString());
        for (int i = 0; i < AlertCommand.WAITING_MAX + 2; i++) {
            command.run(waitForGate, status(AlertState.FIRING));
        }
        awaitComplaint("was left out");
        Files.writeString(gate, "", StandardOpenOption.CREATE_NEW);
    }

    /** Or has ended, and nobody has asked yet how. */
    private static boolean isGone(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
        } catch (IOException gone) {
            return true;
        }
    }

    private void awaitComplaint(String words) {
        Waiting.until(
                LIMIT,
                () -> complaints.stream().anyMatch(line -> line.contains(words)),
                () -> "no complaint with \"" + words + "\" but " + complaints);
    }
}
