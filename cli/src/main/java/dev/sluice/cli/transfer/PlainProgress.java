package dev.sluice.cli.transfer;

import dev.sluice.transfer.move.TransferProgress;
import java.io.PrintWriter;

/** A line of text every ten seconds, where no terminal is. */
final class PlainProgress implements ProgressView {
    private static final double PERIOD_SECONDS = 10;

    private final Dashboard dashboard;
    private final PrintWriter out;
    private double next = PERIOD_SECONDS;

    PlainProgress(Dashboard dashboard, PrintWriter out) {
        this.dashboard = dashboard;
        this.out = out;
    }

    @Override
    public void show(TransferProgress.Snapshot now, TransferRates rates) {
        if (rates.elapsed() >= next) {
            next = rates.elapsed() + PERIOD_SECONDS;
            out.println("progress: " + dashboard.total(now, rates));
            out.flush();
        }
    }
}
