package dev.sluice.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of lines that are repainted in place, on a terminal in memory. */
final class TerminalBlockTest {
    private final Screen screen = new Screen(20);
    private final TerminalBlock block = new TerminalBlock(screen.writer());

    @Test
    void replacesLinesByFewerAndByMore() {
        screen.writer().println("before");
        paint("one", "two", "three");
        assertThat(screen.rows()).containsExactly("before", "one", "two", "three");
        paint("1");
        assertThat(screen.rows()).containsExactly("before", "1");
        paint("first", "second");
        assertThat(screen.rows()).containsExactly("before", "first", "second");
    }

    @Test
    void leavesRoomForOtherLines() {
        paint("one", "two");
        block.erase(20);
        screen.writer().println("printed");
        paint("one", "two");
        assertThat(screen.rows()).containsExactly("printed", "one", "two");
        block.erase(20);
        block.erase(20);
        assertThat(screen.rows()).containsExactly("printed");
    }

    @Test
    void leavesNothingBehindWhenTheTerminalHasBecomeNarrower() {
        screen.writer().println("before");
        paint("fifteen columns", "ten column");
        screen.narrow(10);
        assertThat(screen.rows()).containsExactly("before", "fifteen co", "lumns", "ten column");
        block.paint(lines("x"), 10);
        assertThat(screen.rows()).containsExactly("before", "x");
    }

    @Test
    void cutsWhatIsTooWideInsteadOfWrapping() {
        paint("twenty-five columns in all", "two");
        assertThat(screen.rows()).hasSize(2).element(1).isEqualTo("two");
    }

    @Test
    void measuresWideAndCombiningCharacters() {
        assertThat(StyledLine.columnsOf("abc")).isEqualTo(3);
        assertThat(StyledLine.columnsOf("写真")).isEqualTo(4);
        assertThat(StyledLine.columnsOf("e\u0301")).isEqualTo(1);
        assertThat(StyledLine.columnsOf("😀")).isEqualTo(2);
    }

    @Test
    void keepsTheEndOfANameThatIsTooWide() {
        assertThat(StyledLine.endOf("photos/one.jpg", 14)).isEqualTo("photos/one.jpg");
        assertThat(StyledLine.endOf("photos/one.jpg", 8)).isEqualTo("~one.jpg");
        assertThat(StyledLine.endOf("写真/😀", 4)).isEqualTo("~/😀");
        assertThat(StyledLine.endOf("name", 0)).isEmpty();
    }

    private void paint(String... texts) {
        block.paint(lines(texts), 20);
    }

    private static List<StyledLine> lines(String... texts) {
        return Arrays.stream(texts)
                .map(each -> StyledLine.Styling.PLAIN.line(StyledLine.Style.NORMAL, each))
                .toList();
    }
}
