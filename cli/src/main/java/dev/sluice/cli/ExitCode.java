package dev.sluice.cli;

/** What the process ends with. */
final class ExitCode {
    /** All went well. */
    static final int OK = 0;

    /** Something broke that should not have. */
    static final int FAILED = 1;

    /** The command line, the configuration or the machine does not allow it; the message names the remedy. */
    static final int REFUSED = 2;

    /** An audit found warnings, and nothing worse. */
    static final int WARNINGS = 3;

    /** An audit found faults. */
    static final int FAULTS = 4;

    /**
     * The same command may succeed later, without any change: EX_TEMPFAIL of sysexits.h. A name does not resolve, an
     * address is in use, a file is not there yet.
     */
    static final int TRY_AGAIN = 75;

    private ExitCode() {}
}
