package dev.sluice.gateway.dns;

/** A lookup without an answer: DNS is silent, or has failed. The message names the name and the cause. */
public final class LookupException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Creates the failure of a lookup. */
    public LookupException(String name, String cause) {
        super(withoutDot(name) + " cannot be looked up (" + cause + ")");
    }

    private static String withoutDot(String name) {
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }
}
