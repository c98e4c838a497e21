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

    private ExitCode() {}
}
