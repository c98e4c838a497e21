package dev.sluice.testkit;

/** A property that holds for every input of a fuzzer. Jazzer knows no test library, so its failure is a plain error. */
public final class FuzzProperty {
    private static final int AT_ONCE = 16_384;
    private static final int[] PIECES = {1, 7, 61};

    private FuzzProperty() {}

    /**
     * Requires a property.
     *
     * @param otherwise what is so when it does not hold
     */
    public static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    /** Requires that a reader makes the same of bytes that come at once and in pieces of several sizes. */
    public static void checkInPieces(byte[] bytes, ReaderOfPieces reader) {
        String atOnce = reader.read(bytes, AT_ONCE);
        for (int pieceBytes : PIECES) {
            String inPieces = reader.read(bytes, pieceBytes);
            check(inPieces.equals(atOnce), pieceBytes + " at a time: " + inPieces + ", at once: " + atOnce);
        }
    }

    /** A reader of bytes that come in pieces. */
    @FunctionalInterface
    public interface ReaderOfPieces {
        /** Returns what it makes of them, as text. */
        String read(byte[] bytes, int pieceBytes);
    }
}
