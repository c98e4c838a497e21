package dev.sluice.transfer.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the operations with the specification. */
final class FileOperationTest {
    private static final Path PAGE = Path.of("..", "docs", "files-protocol.md");

    @Test
    void areThoseOfTheSpecification() throws IOException {
        List<String> rows = Files.readAllLines(PAGE).stream()
                .filter(line -> line.matches("\\| \\d+ \\| [A-Z_]+ \\|.*"))
                .map(line -> line.substring(0, line.indexOf('|', line.indexOf('|', 1) + 1) + 1))
                .toList();
        assertThat(rows)
                .containsExactlyElementsOf(Stream.of(FileOperation.values())
                        .map(operation -> "| " + operation.code() + " | " + operation + " |")
                        .toList());
        assertThat(Stream.of(FileOperation.values()).map(operation -> FileOperation.of(operation.code())))
                .containsExactly(FileOperation.values());
    }
}
