package dev.sluice.testkit;

/**
 * The transports that tests run on: all, or the one that the system property {@value #PROPERTY} names, where a run on
 * another library need not repeat both.
 */
public final class TestedTransports {
    private static final String PROPERTY = "sluice.test.transport";
    private static final String ONLY = System.getProperty(PROPERTY, "");

    private TestedTransports() {}

    /**
     * Returns whether tests run on a transport.
     *
     * @param transport a constant that is named as the configuration names it, but in capitals
     */
    public static boolean include(Enum<?> transport) {
        return ONLY.isEmpty() || transport.name().equalsIgnoreCase(ONLY);
    }
}
