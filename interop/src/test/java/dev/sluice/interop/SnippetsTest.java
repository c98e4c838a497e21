package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Sluice;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The code in docs/guide/jsse.md is that of the programs in {@code examples}, which ExamplesTest builds and runs. */
class SnippetsTest {
    private static final String PAGE = "docs/guide/jsse.md";
    private static final Pattern FENCED =
            Pattern.compile("(?:<!-- (\\S+) -->\n)?^```(\\w+)\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

    /** A block of code, and the file that the mark in front of it names; "" for none. */
    record Snippet(String file, String code) {
        @Override
        public String toString() {
            return file;
        }
    }

    static List<Snippet> snippets() throws IOException {
        List<Snippet> found = new ArrayList<>();
        Matcher block = FENCED.matcher(Files.readString(Sluice.home().resolve(PAGE)));
        while (block.find()) {
            found.add(new Snippet(block.group(1) == null ? "" : block.group(1), block.group(3)));
        }
        return found;
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void aBlockOfThePageStandsInItsFile(Snippet snippet) throws IOException {
        assertThat(snippet.file()).as("the mark in front of\n" + snippet.code()).startsWith("examples/");

        assertThat(withoutIndentation(Files.readString(Sluice.home().resolve(snippet.file()))))
                .contains(withoutIndentation(snippet.code()));
    }

    @Test
    void thePageShowsCodeOfEachFramework() throws IOException {
        assertThat(snippets())
                .extracting(snippet -> snippet.file().replaceAll("^examples/(.*?)/.*", "$1"))
                .contains("netty", "grpc", "jetty", "tomcat", "spring-boot", "http-client", "vertx", "kafka");
    }

    private static String withoutIndentation(String text) {
        return text.lines().map(String::strip).collect(Collectors.joining("\n"));
    }
}
