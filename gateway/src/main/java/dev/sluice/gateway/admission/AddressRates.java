package dev.sluice.gateway.admission;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A rate limit per address, with a burst of one second's worth after a pause. Addresses are hashed by a secret into a
 * table of {@value #CELLS} longs, whatever their number; two that collide, by one chance in as many, share one limit.
 * Thread-safe, without locks.
 */
final class AddressRates {
    private static final int CELLS = 1 << 16;
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLongArray paidAt = new AtomicLongArray(CELLS);
    private final long intervalNanos;
    private final long origin;
    private final long secret;

    /**
     * Creates a limit per address.
     *
     * @param perSecond at least 1
     * @param now as of {@link System#nanoTime()}
     */
    AddressRates(int perSecond, long now) {
        this.intervalNanos = SECOND / perSecond;
        this.origin = now - SECOND;
        this.secret = ThreadLocalRandom.current().nextLong();
    }

    /**
     * One more wants through.
     *
     * @param address as of {@link AddressKey}
     */
    boolean tryTake(long address, long now) {
        int cell = cell(address);
        long time = now - origin;
        while (true) {
            long paid = paidAt.get(cell);
            long next = Math.max(paid, time) + intervalNanos;
            if (next - time > SECOND) {
                return false;
            }
            if (paidAt.compareAndSet(cell, paid, next)) {
                return true;
            }
        }
    }

    private int cell(long address) {
        long mixed = (address ^ secret) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 32) * 0xD6E8FEB86659FD93L;
        return (int) (mixed >>> 48);
    }
}
