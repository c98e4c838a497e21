package dev.sluice.transfer.move;

/** A receiver of events, called on the threads of the streams, one call at a time. */
@FunctionalInterface
public interface TransferListener {
    /** A listener that ignores everything. */
    TransferListener NONE = event -> {};

    /** Receives an event; must not block for long, since a stream waits. */
    void on(TransferEvent event);
}
