package dev.sluice.transfer.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import dev.sluice.transfer.tree.TargetPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The order of fsync(2) and rename(2) in a target that waits for its device, as strace sees it. */
@Timeout(120)
final class DurabilityTest {
    @TempDir
    Path directory;

    @Test
    void syncsFilesBeforeAndDirectoriesAfterTheyGetTheirNames() throws IOException {
        ForeignProgram.required("strace", "strace");
        Path source = Files.createDirectory(directory.resolve("source"));
        Path target = Files.createDirectory(directory.resolve("target"));
        Path log = directory.resolve("log");
        Path key = directory.resolve("key");
        OwnKey.loadOrCreate(key, OwnKeyType.ED25519).close();
        Trees.write(source.resolve("top"), Trees.random(300_000, 1));
        Trees.write(source.resolve("dir/inside"), Trees.random(3_000, 2));
        String[] traced = {
            "strace",
            "-f",
            "-y",
            "-qq",
            "-e",
            "trace=fsync,renameat,renameat2",
            "-e",
            "signal=none",
            "-o",
            log.toString(),
            "env",
            SideProcess.DURABILITY + "=" + TargetPolicy.Durability.DEVICE
        };
        try (RunningProgram server = SideProcess.source(source, key);
                RunningProgram client = SideProcess.target(target, key, KilledSideTest.addressOf(server), traced)) {
            client.awaitOutput("received ", Waiting.LIMIT);
            client.awaitExit(Waiting.LIMIT);
        }
        List<String> calls = Files.readAllLines(log);
        for (String path : List.of("dir/inside", "top")) {
            Path file = target.resolve(path);
            int renamed = last(calls, "\"" + file.getFileName() + "\"");
            String temporary = calls.get(renamed).split("\"", -1)[1];
            int filled = last(calls, "fsync", "/" + temporary + ">");
            int named = last(calls, "fsync", "<" + file.getParent() + ">");
            assertThat(List.of(filled, renamed, named)).as(path + ": " + calls).isSorted();
        }
    }

    /** Returns the number of the last line with all texts. */
    private static int last(List<String> lines, String... texts) {
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (List.of(texts).stream().allMatch(lines.get(i)::contains)) {
                return i;
            }
        }
        throw new AssertionError("no line with " + List.of(texts) + " in " + lines);
    }
}
