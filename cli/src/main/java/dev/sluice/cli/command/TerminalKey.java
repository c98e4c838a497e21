package dev.sluice.cli.command;

/** The keys of a terminal that have a meaning here. */
public enum TerminalKey {
    /** Ends. */
    QUIT,
    /** Moves up by a line. */
    UP,
    /** Moves down by a line. */
    DOWN,
    /** Moves up by a screen. */
    PAGE_UP,
    /** Moves down by a screen. */
    PAGE_DOWN,
    /** Moves to the first line. */
    TOP,
    /** Moves to the last line. */
    BOTTOM
}
