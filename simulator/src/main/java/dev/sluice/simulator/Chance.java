package dev.sluice.simulator;

/** A seeded random sequence, the same on every machine and JDK: SplitMix64 (Steele, Lea and Flood, 2014). */
public final class Chance {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    /** Starts the sequence of a seed. */
    public Chance(long seed) {
        state = seed * 0x5851F42D4C957F2DL + GAMMA;
    }

    /** Returns a number from 0 to {@code limit - 1}. */
    public int below(int limit) {
        return (int) Long.remainderUnsigned(next() >>> 16, limit);
    }

    /** Returns a number from {@code least} to {@code most}, inclusive. */
    public int between(int least, int most) {
        return least + below(most - least + 1);
    }

    /** Returns true once in so many calls on average; never for 0. */
    public boolean oneIn(int times) {
        return times > 0 && below(times) == 0;
    }

    /**
     * Returns a number from {@code least} to {@code most}; each power of two is equally likely, so that small numbers
     * occur too.
     */
    public int sized(int least, int most) {
        int bits = below(Integer.SIZE - Integer.numberOfLeadingZeros(most));
        return Math.clamp((1L << bits) + below(1 << bits), least, most);
    }

    private long next() {
        state += GAMMA;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
