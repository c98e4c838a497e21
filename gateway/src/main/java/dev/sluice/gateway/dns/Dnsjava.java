package dev.sluice.gateway.dns;

/**
 * The library that speaks DNS. It lies beside the modules, on the class path, so that a gateway without names of
 * servers neither resolves nor loads any of it.
 */
final class Dnsjava {
    private static final String ANY_CLASS = "org.xbill.DNS.Message";

    private Dnsjava() {}

    /** Returns true when the library is there. */
    static boolean isThere() {
        Module own = Dnsjava.class.getModule();
        own.addReads(Dnsjava.class.getClassLoader().getUnnamedModule());
        try {
            Class.forName(ANY_CLASS, false, Dnsjava.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        }
    }

    /**
     * Requires the library.
     *
     * @param name the name that is looked up
     * @throws LookupException when it is not there
     */
    static void require(String name) throws LookupException {
        if (!isThere()) {
            throw new LookupException(name, "dnsjava is not there; start by ./sluice, or put it on the class path");
        }
    }
}
