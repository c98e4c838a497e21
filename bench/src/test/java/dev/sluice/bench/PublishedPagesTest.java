package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bench.results.MarkedPages;
import dev.sluice.bench.results.PublishedResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages of this repository hold what their published results generate; ./sluice bench publish writes them. */
class PublishedPagesTest {
    private static final Path ROOT = Path.of("..");
    private static final PublishedResults RESULTS = new PublishedResults(ROOT.resolve(ResultsOption.PUBLISHED));
    private static final MarkedPages PAGES =
            new MarkedPages(ROOT, RESULTS, Suite.questions().keySet());

    static List<Path> pages() {
        return PAGES.all();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void pagesAreWhatTheirResultsGenerate(Path page) throws IOException {
        String text = Files.readString(page);

        assertThat(PAGES.generate(page, text))
                .as("generate it with ./sluice bench publish")
                .isEqualTo(text);
    }

    @Test
    void publishedProofsNameTheirCommit() {
        assertThat(RESULTS.proofs().commits()).isNotEmpty().allMatch(commit -> commit.matches("[0-9a-f]{7,40}"));
    }

    @Test
    void publishedResultsNameTheirCommitAndSuite() {
        assertThat(RESULTS.entries()).allSatisfy((name, entry) -> {
            assertThat(name).startsWith(entry.results().origin().suite());
            assertThat(entry.results().origin().commit()).matches("[0-9a-f]{7,40}");
            assertThat(entry.results().hasResults()).isTrue();
        });
    }
}
