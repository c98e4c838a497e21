package dev.sluice.cli.transfer;

import dev.sluice.cli.command.FigureText;
import dev.sluice.cli.command.ProgressBar;
import dev.sluice.cost.measure.Progress;
import dev.sluice.transfer.move.TransferProgress;
import java.util.concurrent.TimeUnit;

/** A thread that shows the counters of a transfer: as a bar on a terminal, or as lines of JSON. */
final class ProgressTicker implements AutoCloseable {
    private static final long TICK_MILLIS = 250;
    private static final int TICKS_PER_LINE = 4;
    private static final int BAR_STEPS = 1000;

    /** The weight of the newest rate in the average, which settles in some seconds. */
    private static final double WEIGHT = 0.1;

    private final TransferReport report;
    private final TransferProgress counters;
    private final Progress bar = ProgressBar.onTerminal();
    private final Thread thread =
            Thread.ofPlatform().name("sluice-progress").daemon().unstarted(this::run);
    private double rate;

    private ProgressTicker(TransferReport report, TransferProgress counters) {
        this.report = report;
        this.counters = counters;
    }

    /** Starts the thread. */
    static ProgressTicker start(TransferReport report, TransferProgress counters) {
        ProgressTicker ticker = new ProgressTicker(report, counters);
        if (report.form() != TransferReport.Form.QUIET) {
            ticker.thread.start();
        }
        return ticker;
    }

    private void run() {
        long before = counters.snapshot().bytesDone();
        long at = System.nanoTime();
        for (int tick = 1; !Thread.currentThread().isInterrupted(); tick++) {
            try {
                TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
            TransferProgress.Snapshot now = counters.snapshot();
            long time = System.nanoTime();
            double newest = (now.bytesDone() - before) * (double) TimeUnit.SECONDS.toNanos(1) / (time - at);
            rate = tick == 1 ? newest : rate + WEIGHT * (newest - rate);
            before = now.bytesDone();
            at = time;
            show(now, tick);
        }
    }

    private void show(TransferProgress.Snapshot now, int tick) {
        if (report.form() == TransferReport.Form.TEXT) {
            double part = now.bytesTotal() == 0 ? 0 : (double) now.bytesDone() / now.bytesTotal();
            bar.at((int) Math.min(BAR_STEPS - 1, BAR_STEPS * part), BAR_STEPS, text(now));
        } else if (tick % TICKS_PER_LINE == 0) {
            report.progress(now);
        }
    }

    private String text(TransferProgress.Snapshot now) {
        long left = now.secondsLeft(rate);
        String more = now.totals() == TransferProgress.Totals.GROWING ? "+" : "";
        return FigureText.bytes((double) now.bytesDone()) + " of " + FigureText.bytes((double) now.bytesTotal()) + more
                + ", "
                + FigureText.bytes(rate) + "/s"
                + (now.filesDone() == 0 ? "" : ", " + now.filesDone() + " of " + now.filesTotal() + more + " files")
                + (left < 0 ? "" : ", " + FigureText.duration((double) left) + " left");
    }

    /** Ends the thread and erases the bar. */
    @Override
    public void close() {
        thread.interrupt();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        bar.at(1, 1, "");
    }
}
