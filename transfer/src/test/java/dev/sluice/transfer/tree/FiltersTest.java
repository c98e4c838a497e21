package dev.sluice.transfer.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The paths that a pattern matches. */
final class FiltersTest {
    @ParameterizedTest
    @CsvSource({
        "*.log, a.log, true",
        "*.log, d/a.log, true",
        "*.log, a.log.gz, false",
        "/*.log, d/a.log, false",
        "d/*.log, d/a.log, true",
        "d/*.log, d/e/a.log, false",
        "d/**.log, d/e/a.log, true",
        "d/**/a, d/a, true",
        "d/**/a, d/e/f/a, true",
        "d/**/a, d/ea, false",
        "**/a, x/y/a, true",
        "d/**, d/a/b, true",
        "d/**, e/a, false",
        "?, a, true",
        "?, ab, false",
        "a?c, d/abc, true",
        "a*b*c, aXbYbZc, true",
        "a*b*c, aXbYbZ, false",
        "**/*.c, a/b.c, true",
        "dir/, dir, false",
    })
    void matchesFiles(String pattern, String path, boolean matches) {
        Filters filters = new Filters(List.of(FilterRule.exclude(pattern)));
        assertThat(filters.includes(path.getBytes(StandardCharsets.UTF_8), EntryKind.FILE))
                .isEqualTo(!matches);
    }

    @Test
    void matchesDirectoriesOnlyWithAFinalSlash() {
        Filters filters = new Filters(List.of(FilterRule.exclude("dir/")));
        assertThat(filters.includes("a/dir".getBytes(StandardCharsets.UTF_8), EntryKind.DIRECTORY))
                .isFalse();
        assertThat(filters.includesFile("a/dir/file".getBytes(StandardCharsets.UTF_8)))
                .isFalse();
        assertThat(filters.includesFile("a/dir".getBytes(StandardCharsets.UTF_8)))
                .isTrue();
    }

    @Test
    void followsTheFirstRuleThatMatches() {
        Filters filters = new Filters(List.of(FilterRule.include("keep*"), FilterRule.exclude("*")));
        assertThat(filters.includesFile("keep1".getBytes(StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(filters.includesFile("other".getBytes(StandardCharsets.UTF_8)))
                .isFalse();
    }

    @Test
    void rejectsPatternsWithoutAName() {
        assertThatThrownBy(() -> FilterRule.exclude("/")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FilterRule.exclude("")).isInstanceOf(IllegalArgumentException.class);
    }
}
