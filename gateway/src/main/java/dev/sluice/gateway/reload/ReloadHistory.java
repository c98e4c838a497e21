package dev.sluice.gateway.reload;

import java.time.Instant;
import java.time.InstantSource;

/** The results of past reloads. Thread-safe. */
public final class ReloadHistory {
    private final InstantSource clock;
    private long served;
    private long refused;
    private boolean successful = true;
    private Instant servedSince;

    /**
     * The totals of reloads, and the state after the last one.
     *
     * @param served reloads that took effect
     * @param refused those that did not
     * @param successful whether the last one did; true before the first
     * @param servedSince when the configuration took effect that is served now
     */
    public record Standing(long served, long refused, boolean successful, Instant servedSince) {}

    /** The first configuration takes effect now. */
    public ReloadHistory(InstantSource clock) {
        this.clock = clock;
        this.servedSince = clock.instant();
    }

    public synchronized void served() {
        served++;
        successful = true;
        servedSince = clock.instant();
    }

    public synchronized void refused() {
        refused++;
        successful = false;
    }

    public synchronized Standing standing() {
        return new Standing(served, refused, successful, servedSince);
    }
}
