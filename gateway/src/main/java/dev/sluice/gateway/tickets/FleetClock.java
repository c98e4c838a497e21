package dev.sluice.gateway.tickets;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The time that a fleet agrees on, which is its store's: this machine's, set right by what the store told last. So a
 * node whose clock is wrong changes keys when the others do.
 */
final class FleetClock implements InstantSource {
    private final InstantSource own;
    private volatile long offsetMillis;

    FleetClock(InstantSource own) {
        this.own = own;
    }

    /** This machine's own time. */
    Instant own() {
        return own.instant();
    }

    /** The store has told its time, somewhen between two moments of ours. */
    void set(Instant storeTime, Instant before, Instant after) {
        long middle = before.toEpochMilli() + Duration.between(before, after).toMillis() / 2;
        offsetMillis = storeTime.toEpochMilli() - middle;
    }

    /** Returns the amount by which the store's clock is ahead of ours. */
    Duration offset() {
        return Duration.ofMillis(offsetMillis);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    @Override
    public long millis() {
        return own.millis() + offsetMillis;
    }
}
