package dev.sluice.transfer.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
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

    /** The names that are missing are reported, not left out. */
    @Test
    void reportsADirectoryThatCannotBeRead() throws IOException {
        Files.createDirectory(directory.resolve("gone"));
        try (SourceTree tree = SourceTree.contentsOf(directory, Filters.NONE);
                FileAccess files = new FileAccess();
                SourceCursor cursor = tree.walk(files, new byte[0], Filters.NONE, false)) {
            long later = System.nanoTime() + Duration.ofMinutes(1).toNanos();
            assertThat(kindOf(cursor.next(later))).isEqualTo(EntryKind.DIRECTORY);
            Files.delete(directory.resolve("gone"));
            assertThat(kindOf(cursor.next(later))).isEqualTo(EntryKind.END);
            Entry skipped = Objects.requireNonNull(cursor.next(later));
            assertThat(skipped.kind()).isEqualTo(EntryKind.SKIPPED);
            assertThat(skipped.name()).asString().isEqualTo("gone");
            assertThat(skipped.failure()).isEqualTo(TransferFailure.NOT_FOUND);
            assertThat(cursor.next(later)).isNull();
            assertThat(cursor.isEnded()).isTrue();
        }
    }

    @Test
    void failsWhenTheRootCannotBeRead() throws IOException {
        Path root = Files.createDirectory(directory.resolve("root"));
        try (SourceTree tree = SourceTree.contentsOf(root, Filters.NONE);
                FileAccess files = new FileAccess();
                SourceCursor cursor = tree.walk(files, new byte[0], Filters.NONE, false)) {
            Files.delete(root);
            TransferException failure =
                    catchThrowableOfType(TransferException.class, () -> cursor.next(System.nanoTime()));
            assertThat(failure.failure()).isEqualTo(TransferFailure.NOT_FOUND);
        }
    }

    private static EntryKind kindOf(@Nullable Entry entry) {
        return Objects.requireNonNull(entry).kind();
    }
}
