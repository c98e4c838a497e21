package dev.sluice.gateway.acme;

/**
 * The library that speaks ACME. It lies beside the modules, on the class path, so that a gateway without such
 * certificates neither resolves nor loads any of it.
 */
final class Acme4j {
    private static final String ANY_CLASS = "org.shredzone.acme4j.Session";

    private Acme4j() {}

    /**
     * Requires the library.
     *
     * @throws AcmeFailure when it is not there
     */
    static void require() throws AcmeFailure {
        Module own = Acme4j.class.getModule();
        own.addReads(Acme4j.class.getClassLoader().getUnnamedModule());
        try {
            Class.forName(ANY_CLASS, false, Acme4j.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AcmeFailure(
                    "acme4j (" + ANY_CLASS
                            + ") is not there; start by ./sluice, or put acme4j-client on the class path",
                    e);
        }
    }
}
