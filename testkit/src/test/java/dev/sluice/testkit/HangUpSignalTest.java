package dev.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HangUpSignalTest {
    private static final List<String> TELL_IGNORED = List.of("grep", "SigIgn:", "/proc/self/status");

    @Test
    void programsStartedUnderNohupHearTheSignal() {
        assertThat(HangUpSignal.isIgnored(underNohup(TELL_IGNORED))).isTrue();
        assertThat(HangUpSignal.isIgnored(underNohup(HangUpSignal.reset(TELL_IGNORED))))
                .isFalse();
    }

    @Test
    void everyProgramOfATestHearsTheSignal() {
        HangUpSignal.requireDefault();

        String status = ForeignProgram.required("grep", "grep")
                .command("SigIgn:", "/proc/self/status")
                .run()
                .output();

        assertThat(status).startsWith("SigIgn:");
        assertThat(HangUpSignal.isIgnored(status)).isFalse();
    }

    private static String underNohup(List<String> line) {
        String[] arguments = Stream.concat(Stream.of("-c", "trap '' HUP; exec \"$@\"", "sh"), line.stream())
                .toArray(String[]::new);
        return ForeignProgram.required("sh", "dash")
                .command(arguments)
                .run()
                .expectSuccess()
                .output();
    }
}
