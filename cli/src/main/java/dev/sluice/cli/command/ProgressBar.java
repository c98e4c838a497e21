package dev.sluice.cli.command;

import dev.sluice.cost.measure.Progress;
import java.io.Console;
import java.io.PrintStream;
import java.util.Optional;

/** A progress line on a terminal; silent without a terminal. */
public final class ProgressBar implements Progress {
    private static final int WIDTH = 30;
    private static final long REDRAW_NANOS = 100_000_000;
    private static final String ERASE_LINE = "\r\033[K";

    private final PrintStream terminal;
    private long drawn = System.nanoTime() - REDRAW_NANOS;

    private ProgressBar(PrintStream terminal) {
        this.terminal = terminal;
    }

    /** Returns a progress line on standard error if the process runs on a terminal. */
    public static Progress onTerminal() {
        // JDK 25 returns no console without a terminal; some earlier versions return one that is none.
        boolean terminal = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .isPresent();
        return terminal ? new ProgressBar(System.err) : Progress.NONE;
    }

    @Override
    public void at(int done, int all, String what) {
        long now = System.nanoTime();
        if (done >= all) {
            terminal.print(ERASE_LINE);
            terminal.flush();
        } else if (now - drawn >= REDRAW_NANOS) {
            drawn = now;
            int filled = (int) ((long) WIDTH * done / all);
            terminal.print(ERASE_LINE + "[" + "#".repeat(filled) + ".".repeat(WIDTH - filled) + "] " + 100L * done / all
                    + " %  " + what);
            terminal.flush();
        }
    }
}
