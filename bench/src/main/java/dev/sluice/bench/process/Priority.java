package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Priorities of processes by Linux's scheduling policies (sched(7)), for those that share a core. */
public enum Priority {
    /**
     * SCHED_IDLE: has a core while no other wants it. Not always at once: what has just had more than its part of the
     * core waits until the next tick of the clock, some milliseconds, unless this process yields.
     */
    IDLE("SCHED_IDLE", "--idle", "0"),

    /** SCHED_FIFO: has a core as soon as it wants it, as if it had one for itself. Needs CAP_SYS_NICE. */
    REAL_TIME("SCHED_FIFO", "--fifo", "1");

    private static final Program CHRT = new Program("chrt", "util-linux");

    private final String policy;
    private final String option;
    private final String value;

    Priority(String policy, String option, String value) {
        this.policy = policy;
        this.option = option;
        this.value = value;
    }

    /** Returns the policy's name. */
    public String policy() {
        return policy;
    }

    /** Returns whether processes can be started with it. */
    public boolean isAvailable() {
        if (CHRT.find().isEmpty()) {
            return false;
        }
        try {
            Process attempt = new ProcessBuilder(of(List.of("true")))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return attempt.waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", e);
        }
    }

    /** Returns the command that runs another with this priority, where that can be done; else that other command. */
    public List<String> whereAvailable(List<String> command) {
        return isAvailable() ? of(command) : command;
    }

    /**
     * Returns the command that runs another with this priority.
     *
     * @throws BenchException when the program for it is missing, with the remedy
     */
    public List<String> of(List<String> command) {
        String chrt = CHRT.find()
                .orElseThrow(() -> new BenchException(CHRT.missing()))
                .toString();
        List<String> prioritized = new ArrayList<>(List.of(chrt, option, value));
        prioritized.addAll(command);
        return prioritized;
    }
}
