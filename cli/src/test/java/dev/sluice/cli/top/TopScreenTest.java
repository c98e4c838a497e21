package dev.sluice.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.command.TerminalKey;
import dev.sluice.cli.command.TerminalSize;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TopScreenTest {
    private final TopScreen screen = new TopScreen(new TerminalSize(5, 60));

    @Test
    void showsAllLinesWhereTheyFit() {
        screen.lines(lines(4));
        assertThat(shown("")).containsExactly("line 0", "line 1", "line 2", "line 3", "q: quit");
        screen.move(TerminalKey.DOWN);
        assertThat(shown("")).startsWith("line 0");
    }

    @Test
    void movesByKeysWithinTheLines() {
        screen.lines(lines(10));
        String keys = "; arrows, space and b: scroll; q: quit";
        screen.move(TerminalKey.DOWN);
        assertThat(shown("")).containsExactly("line 1", "line 2", "line 3", "line 4", "lines 2-5 of 10" + keys);
        screen.move(TerminalKey.PAGE_DOWN);
        assertThat(shown("")).startsWith("line 5", "line 6");
        screen.move(TerminalKey.PAGE_DOWN);
        assertThat(shown("")).startsWith("line 6", "line 7", "line 8", "line 9");
        screen.move(TerminalKey.PAGE_UP);
        assertThat(shown("")).startsWith("line 2");
        screen.move(TerminalKey.TOP);
        screen.move(TerminalKey.UP);
        assertThat(shown("")).startsWith("line 0");
        screen.move(TerminalKey.BOTTOM);
        assertThat(shown("")).startsWith("line 6");
    }

    @Test
    void staysWithinFewerLinesOrMoreRows() {
        screen.lines(lines(10));
        screen.move(TerminalKey.BOTTOM);
        screen.lines(lines(7));
        assertThat(shown("")).startsWith("line 3", "line 4", "line 5", "line 6");
        screen.resize(new TerminalSize(24, 60));
        assertThat(shown("")).startsWith("line 0").endsWith("q: quit");
    }

    @Test
    void showsTroubleInTheLastRow() {
        screen.lines(lines(10));
        assertThat(shown("no gateway answers")).endsWith("no gateway answers");
        assertThat(shown("x".repeat(100))).endsWith("x".repeat(59));
    }

    private List<String> shown(String trouble) {
        return screen.text(trouble)
                .replaceAll("\u001b\\[[0-9;]*[A-Za-z]", "")
                .lines()
                .toList();
    }

    private static List<String> lines(int count) {
        return IntStream.range(0, count).mapToObj(i -> "line " + i).toList();
    }
}
