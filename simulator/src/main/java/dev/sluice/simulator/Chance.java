package dev.sluice.simulator;

/** Numbers out of a seed, the same on every machine and JDK: SplitMix64 (Steele, Lea and Flood, 2014). */
public final class Chance {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    /** Begins the sequence of a seed. */
    public Chance(long seed) {
        state = seed * 0x5851F42D4C957F2DL + GAMMA;
    }

    /** From 0 to {@code limit - 1}. */
    public int below(int limit) {
        return (int) Long.remainderUnsigned(next() >>> 16, limit);
    }

    /** From {@code least} to {@code most}, both possible. */
    public int between(int least, int most) {
        return least + below(most - least + 1);
    }

    /** True once in so many times; never for 0. */
    public boolean oneIn(int times) {
        return times > 0 && below(times) == 0;
    }

    /** From {@code least} to {@code most}, each power of two as likely as the next: small ones are not forgotten. */
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
