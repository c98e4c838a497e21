package dev.sluice.transfer.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A manifest of a million entries, read in a JVM with a small heap. */
@Timeout(180)
final class LargeManifestTest {
    @TempDir
    Path directory;

    @Test
    void readsAMillionEntriesInASmallHeap() {
        List<String> line = SideProcess.java(MillionEntries.class, "-Xmx16m", "-XX:+ExitOnOutOfMemoryError");
        line.add(directory.toString());
        ForeignResult result = ForeignProgram.required(line.getFirst(), "coreutils")
                .command(line.subList(1, line.size()).toArray(String[]::new))
                .within(Duration.ofMinutes(2))
                .run();
        assertThat(result.expectSuccess().output()).isEqualTo("planned 1000000\n");
    }
}
