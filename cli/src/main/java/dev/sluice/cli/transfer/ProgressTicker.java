package dev.sluice.cli.transfer;

import dev.sluice.transfer.move.TransferProgress;
import java.util.concurrent.TimeUnit;

/** A thread that shows the counters of a transfer, four times a second while streams are open. */
final class ProgressTicker implements AutoCloseable {
    private static final long TICK_MILLIS = 250;

    private final ProgressView view;
    private final TransferProgress counters;
    private final Thread thread =
            Thread.ofPlatform().name("sluice-progress").daemon().unstarted(this::run);

    private ProgressTicker(ProgressView view, TransferProgress counters) {
        this.view = view;
        this.counters = counters;
    }

    /** Starts the thread. */
    static ProgressTicker start(ProgressView view, TransferProgress counters) {
        ProgressTicker ticker = new ProgressTicker(view, counters);
        ticker.thread.start();
        return ticker;
    }

    private void run() {
        TransferRates rates = null;
        while (true) {
            try {
                TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
            TransferProgress.Snapshot now = counters.snapshot();
            if (now.streams().isEmpty()) {
                continue;
            }
            if (rates == null) {
                rates = new TransferRates(System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS));
            }
            rates.sample(now, System.nanoTime());
            view.show(now, rates);
        }
    }

    /** Ends the thread and removes what it showed. */
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
        view.hide();
    }
}
