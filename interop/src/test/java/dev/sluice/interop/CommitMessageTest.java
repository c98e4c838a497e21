package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Sluice;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The hook {@code tools/hooks/commit-msg}. */
class CommitMessageTest {
    @TempDir
    private Path directory = Path.of("");

    private ForeignResult check(String message) throws IOException {
        Path file = Files.writeString(directory.resolve("message"), message.replace("|", "\n"));
        return ForeignProgram.at(Sluice.home().resolve("tools/hooks/commit-msg"))
                .command(file.toString())
                .run();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "net: resume reads after a reload",
                "net, tls: pass it on|||Why.|# a comment that git writes may be longer than a line of the body may be",
                "tls: embed the ………………………………………………………………………………………………………… table",
                "docs: link the RFC||https://www.rfc-editor.org/rfc/rfc8446.html#section-4.2.10-and-much-further",
                "docs: quote a log||    indented text such as a line of a log may be longer than a line of the body",
                "net: see the change||# ------ >8 ------|+ a line of the diff may be as long as it is, and is not read",
                "Merge branch 'suite' of /some/where, whatever its length is and however it is written",
                "fixup! net: resumed"
            })
    void aGoodMessageIsAccepted(String message) throws IOException {
        ForeignResult result = check(message);

        assertThat(result.errors()).isEmpty();
        assertThat(result.exitCode()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "resume reads; begin the subject with its area",
                "Net: resume reads; begin the subject with its area",
                "net: resumed reads; begin with an imperative",
                "net: resumes reads; begin with an imperative",
                "net: resuming reads; begin with an imperative",
                "net: resume reads.; without a full stop",
                "net: resume reads after a reload that has changed listeners and limits, too; the subject has 75",
                "net: resume|reads; leave the line after the subject empty",
                "net: resume||The body has one line that is longer than it may be, by two characters...; wrap the body",
                "# nothing; the message is empty"
            })
    void aMistakeIsNamed(String message, String complaint) throws IOException {
        ForeignResult result = check(message);

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.errors()).contains("commit-msg: ", complaint);
    }
}
