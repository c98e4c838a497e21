package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Sluice;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tools/language} on the tree, and on small trees with one mistake. */
class LanguageTest {
    @TempDir
    private Path tree = Path.of("");

    private static ForeignResult check(Path root) {
        ForeignProgram.required("python3", "python3");
        return ForeignProgram.at(Sluice.home().resolve("tools/language"))
                .command(root.toString())
                .run();
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(tree.resolve(file).resolveSibling("."));
        Files.writeString(tree.resolve(file), text);
    }

    private void assertFound(String... findings) {
        ForeignResult result = check(tree);
        assertThat(result.output()).contains(findings);
        assertThat(result.exitCode()).as(result.toString()).isEqualTo(1);
    }

    private void assertInOrder() {
        ForeignResult result = check(tree);
        assertThat(result.exitCode()).as(result.toString()).isZero();
    }

    @Test
    void theTreeIsInOrder() {
        ForeignResult result = check(Sluice.home());

        assertThat(result.exitCode()).as(result.toString()).isZero();
    }

    @Test
    void aLongLineIsFoundInEachKindOfText() throws IOException {
        String line = "word ".repeat(25);
        write("docs/page.md", line);
        write("tools/build.sh", line);
        write("tools/script", "#!/bin/sh\n" + line);
        write("tools/audit.py", line);
        write("deploy/rules.yml", line);

        assertFound(
                "docs/page.md:1: TextWidth: 125 columns",
                "tools/build.sh:1: TextWidth",
                "tools/script:2: TextWidth",
                "tools/audit.py:1: TextWidth",
                "deploy/rules.yml:1: TextWidth",
                "docs: 1 TextWidth, to mend");
    }

    @Test
    void tablesAndUrlsInMarkdownMayBeLong() throws IOException {
        write("page.md", "| " + "cell ".repeat(40) + "|\n\n- see https://example.com/" + "x".repeat(120) + "\n");

        assertInOrder();
    }

    @Test
    void anExpressionIsFoundInProseAndInStrings() throws IOException {
        write("docs/page.md", "One.\n\nThe configuration is taken\nup again.\n\n```\ntells\n```\n`told` is code.\n");
        write("net/src/main/java/A.java", "// told\nchar c = '\"'; String s = \"who \\\"tells\\\"\"; /* tells */\n");

        assertFound(
                "docs/page.md:3: Vocabulary: 'taken up': reload, apply",
                "net/src/main/java/A.java:2: Vocabulary: 'tells'",
                "docs: 1 Vocabulary, to mend",
                "net: 1 Vocabulary, to mend");
    }

    @Test
    void anExemptFileIsCountedAndAnEntryThatIsNotNeededIsFound() throws IOException {
        write("docs/page.md", "It tells.\n");
        exempt("<suppress checks=\"Vocabulary\" files=\"/docs/\"/>");
        assertThat(check(tree).output()).contains("docs: 1 Vocabulary, exempt").doesNotContain("page.md:");
        assertInOrder();

        exempt("<suppress checks=\"Vocabulary|TextWidth\" files=\"/docs/\"/>"
                + "<suppress checks=\"LineLength\" files=\"of Checkstyle\"/>");
        assertFound("tools/language.exempt.xml: needed no more: TextWidth of /docs/");
    }

    private void exempt(String entries) throws IOException {
        write("tools/language.exempt.xml", "<suppressions>" + entries + "</suppressions>");
    }
}
