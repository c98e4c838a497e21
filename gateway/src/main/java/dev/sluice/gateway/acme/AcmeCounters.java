package dev.sluice.gateway.acme;

import java.util.concurrent.atomic.AtomicLong;

/** The totals of a gateway's orders. May be used from any thread. */
public final class AcmeCounters {
    private final AtomicLong issued = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    AcmeCounters() {}

    void countIssued() {
        issued.incrementAndGet();
    }

    void countFailed() {
        failed.incrementAndGet();
    }

    /** Returns the number of orders whose certificate was issued. */
    public long issued() {
        return issued.get();
    }

    /** Returns the number of attempts that failed. */
    public long failed() {
        return failed.get();
    }
}
