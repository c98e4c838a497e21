package dev.sluice.simulator;

/** Deterministic byte streams: each byte follows from its position, so that no copy needs to be kept. */
public final class Pattern {
    private Pattern() {}

    /** Returns the byte at a position of a stream. */
    public static byte at(long stream, long place) {
        long x = (place + 1) * 0x9E3779B97F4A7C15L + stream * 0xD1B54A32D192ED03L;
        return (byte) (x ^ (x >>> 29) ^ (x >>> 47));
    }

    /** Writes a section of a stream. */
    public static void fill(long stream, long place, byte[] to, int offset, int count) {
        for (int i = 0; i < count; i++) {
            to[offset + i] = at(stream, place + i);
        }
    }

    /** Checks a section of a stream. */
    public static void check(long stream, long place, byte[] bytes, int offset, int count) {
        for (int i = 0; i < count; i++) {
            if (bytes[offset + i] != at(stream, place + i)) {
                throw new SimulationFailure("byte " + (place + i) + " of stream " + stream + " is wrong: "
                        + bytes[offset + i] + " instead of " + at(stream, place + i));
            }
        }
    }
}
