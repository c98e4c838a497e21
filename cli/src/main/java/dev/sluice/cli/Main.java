package dev.sluice.cli;

/** Entry point of the {@code sluice} command. */
public final class Main {
    private Main() {}

    /** Runs the command. */
    public static void main(String[] arguments) {
        System.err.println("sluice: no commands yet");
        System.exit(2);
    }
}
