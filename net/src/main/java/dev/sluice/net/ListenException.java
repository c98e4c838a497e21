package dev.sluice.net;

/** The failure to listen on an address. The message names the address, the cause and the remedy. */
public final class ListenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** The reasons for it. */
    public enum Reason {
        /** Somebody else listens there. */
        IN_USE,
        /** No interface has it, or not yet. */
        NO_SUCH_ADDRESS,
        /** The process, or the kernel, is short of descriptors or memory. */
        RESOURCES,
        /** Another one, which does not pass by itself. */
        OTHER
    }

    /**
     * Creates an exception with its message.
     *
     * @param message address, cause and remedy
     */
    public ListenException(String message) {
        this(message, Reason.OTHER);
    }

    /**
     * Creates an exception with its message.
     *
     * @param message address, cause and remedy
     */
    public ListenException(String message, Reason reason) {
        super(message);
        this.reason = reason;
    }

    /** Returns the reason. */
    public Reason reason() {
        return reason;
    }

    /** Returns true when the same attempt may succeed later, without any change to it. */
    public boolean isTransient() {
        return reason != Reason.OTHER;
    }
}
