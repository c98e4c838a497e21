package dev.sluice.transfer.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Walks over source trees. */
final class SourceCursorTest {
    @TempDir
    Path directory;

    @Test
    void pausesAtItsDeadlineHoweverManyFilesAreExcluded() throws IOException {
        for (int i = 0; i < 50; i++) {
            Files.createFile(directory.resolve(i + ".log"));
        }
        Files.createFile(directory.resolve("kept"));
        Filters filters = new Filters(List.of(FilterRule.exclude("*.log")));
        List<String> names = new ArrayList<>();
        int pauses = 0;
        try (SourceTree tree = SourceTree.contentsOf(directory, Filters.NONE);
                FileAccess files = new FileAccess();
                SourceCursor cursor = tree.walk(files, new byte[0], filters, false)) {
            long past = System.nanoTime() - 1;
            while (!cursor.isEnded()) {
                Entry entry = cursor.next(past);
                if (entry == null) {
                    pauses++;
                } else {
                    names.add(new String(entry.name(), StandardCharsets.UTF_8));
                }
            }
        }
        assertThat(names).containsExactly("kept");
        assertThat(pauses).isEqualTo(50 + 1);
    }
}
