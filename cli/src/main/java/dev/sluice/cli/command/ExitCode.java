package dev.sluice.cli.command;

/** The exit codes of the process. */
public final class ExitCode {
    /** Success. */
    public static final int OK = 0;

    /** An internal error. */
    public static final int FAILED = 1;

    /** The command line, the configuration or the machine is unsuitable; the message names the remedy. */
    public static final int REFUSED = 2;

    /** An audit found warnings at most. */
    public static final int WARNINGS = 3;

    /** An audit found faults. */
    public static final int FAULTS = 4;

    /** A transfer ended, but not every file could be sent or written. */
    public static final int INCOMPLETE = 5;

    /**
     * The same command may succeed later without any change: EX_TEMPFAIL of sysexits.h. A name does not resolve, an
     * address is in use, a file does not exist yet.
     */
    public static final int TRY_AGAIN = 75;

    private ExitCode() {}
}
