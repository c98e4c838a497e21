package dev.sluice.cli.transfer;

import dev.sluice.transfer.move.TransferProgress;

/** A display of counters, which {@link ProgressTicker} feeds. One thread at a time uses it. */
interface ProgressView {
    /** A view that shows nothing. */
    ProgressView NONE = (now, rates) -> {};

    /** Shows the counters, called several times a second. */
    void show(TransferProgress.Snapshot now, TransferRates rates);

    /** Removes what is shown, so that lines can be printed; the next call shows it again. */
    default void hide() {}
}
