package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The list of differences itself. */
final class DifferenceTest {
    private static final Path SOURCES =
            Path.of("src/test/java", DifferenceTest.class.getPackageName().replace('.', '/'));

    @ParameterizedTest
    @EnumSource
    void eachEntryIsADifferenceWithAReason(Difference difference) {
        assertThat(difference.sluice()).isNotEqualTo(difference.sun());
        assertThat(difference.reason()).endsWith(".");
    }

    @ParameterizedTest
    @EnumSource
    void eachEntryIsMetByACase(Difference difference) throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            assertThat(files.filter(file -> !file.endsWith("Difference.java")))
                    .anyMatch(file -> read(file).contains("Difference." + difference.name() + ".check("));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
