package dev.sluice.gateway.admission;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Lets through so many per second from one address, and as many at once after a pause. The addresses are kept in a
 * table of fixed size by a secret hash, so that any number of them takes {@value #CELLS} longs; two that fall together,
 * which is one chance in as many, share what one may have. Thread-safe, without locks.
 */
final class AddressRates {
    private static final int CELLS = 1 << 16;
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLongArray paidAt = new AtomicLongArray(CELLS);
    private final long intervalNanos;
    private final long origin;
    private final long secret;

    /**
     * Creates an address rates.
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
