package dev.sluice.cli.transfer;

import dev.sluice.cli.command.Signals;
import dev.sluice.cli.command.TerminalBlock;
import dev.sluice.cli.command.TerminalSize;
import dev.sluice.transfer.move.TransferProgress;
import java.io.PrintWriter;

/** The dashboard at the bottom of a terminal. */
final class DashboardView implements ProgressView {
    private final Dashboard dashboard;
    private final TerminalBlock block;
    private TerminalSize size;
    private volatile boolean resized;

    DashboardView(Dashboard dashboard, PrintWriter terminal, TerminalSize size) {
        this.dashboard = dashboard;
        this.block = new TerminalBlock(terminal);
        this.size = size;
    }

    /** Follows the size of the terminal that standard error is. */
    DashboardView followingSize() {
        Signals.onResize(() -> resized = true);
        return this;
    }

    @Override
    public void show(TransferProgress.Snapshot now, TransferRates rates) {
        if (resized) {
            resized = false;
            size = TerminalSize.ofStandardError().orElse(size);
        }
        block.paint(dashboard.lines(now, rates, size), size.columns());
    }

    @Override
    public void hide() {
        block.erase(size.columns());
    }
}
