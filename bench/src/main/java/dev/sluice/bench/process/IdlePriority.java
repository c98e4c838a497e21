package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.util.ArrayList;
import java.util.List;

/** Linux's policy SCHED_IDLE (sched(7)): a process that has a core only while no other wants it. */
public final class IdlePriority {
    private static final Program CHRT = new Program("chrt", "util-linux");

    private IdlePriority() {}

    /** Returns whether processes can be started with it. */
    public static boolean isAvailable() {
        return CHRT.find().isPresent();
    }

    /** Returns the command that runs another with this priority, where that can be done; else that other command. */
    public static List<String> whereAvailable(List<String> command) {
        return isAvailable() ? of(command) : command;
    }

    /**
     * Returns the command that runs another with this priority.
     *
     * @throws BenchException when the program for it is missing, with the remedy
     */
    public static List<String> of(List<String> command) {
        String chrt = CHRT.find()
                .orElseThrow(() -> new BenchException(CHRT.missing()))
                .toString();
        List<String> idle = new ArrayList<>(List.of(chrt, "--idle", "0"));
        idle.addAll(command);
        return idle;
    }
}
