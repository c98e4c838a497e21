package dev.sluice.testkit;

/** A property that holds for every input of a fuzzer. Jazzer knows no test library, so its failure is a plain error. */
public final class FuzzProperty {
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
}
