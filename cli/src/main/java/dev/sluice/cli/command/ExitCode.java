package dev.sluice.cli.command;

/** What the process ends with. */
public final class ExitCode {
    /** All went well. */
    public static final int OK = 0;

    /** Something broke that should not have. */
    public static final int FAILED = 1;

    /** The command line, the configuration or the machine does not allow it; the message names the remedy. */
    public static final int REFUSED = 2;

    /** An audit found warnings, and nothing worse. */
    public static final int WARNINGS = 3;

    /** An audit found faults. */
    public static final int FAULTS = 4;

    /**
     * The same command may succeed later, without any change: EX_TEMPFAIL of sysexits.h. A name does not resolve, an
     * address is in use, a file is not there yet.
     */
    public static final int TRY_AGAIN = 75;

    private ExitCode() {}
}
