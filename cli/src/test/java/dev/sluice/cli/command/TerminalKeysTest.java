package dev.sluice.cli.command;

import static dev.sluice.cli.command.TerminalKey.BOTTOM;
import static dev.sluice.cli.command.TerminalKey.DOWN;
import static dev.sluice.cli.command.TerminalKey.PAGE_DOWN;
import static dev.sluice.cli.command.TerminalKey.PAGE_UP;
import static dev.sluice.cli.command.TerminalKey.QUIT;
import static dev.sluice.cli.command.TerminalKey.TOP;
import static dev.sluice.cli.command.TerminalKey.UP;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TerminalKeysTest {
    @Test
    void readsLettersAndTheSequencesOfXterm() {
        assertThat(keys("q j k b g G\n"))
                .containsExactly(
                        QUIT, PAGE_DOWN, DOWN, PAGE_DOWN, UP, PAGE_DOWN, PAGE_UP, PAGE_DOWN, TOP, PAGE_DOWN, BOTTOM,
                        DOWN);
        assertThat(keys("\u001b[A\u001b[B\u001bOA\u001b[5~\u001b[6~\u001b[H\u001b[F"))
                .containsExactly(UP, DOWN, UP, PAGE_UP, PAGE_DOWN, TOP, BOTTOM);
    }

    @Test
    void passesOverWhatItDoesNotKnow() {
        assertThat(keys("x\u001b[C1\u001b[5xq\u001b")).containsExactly(QUIT);
    }

    private static List<TerminalKey> keys(String typed) {
        List<TerminalKey> pressed = new ArrayList<>();
        TerminalKeys.read(new ByteArrayInputStream(typed.getBytes(StandardCharsets.US_ASCII)), pressed::add);
        return pressed;
    }
}
