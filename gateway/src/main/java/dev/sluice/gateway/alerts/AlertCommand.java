package dev.sluice.gateway.alerts;

import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The operator's program that runs when an alert fires or clears: one run at a time, in order, each for a limited time,
 * without a shell. The details are in its environment.
 *
 * <p>Its thread starts with the first run. May be used from any thread.
 */
final class AlertCommand implements AutoCloseable {
    /** The time limit for one run. */
    static final Duration LIMIT = Duration.ofSeconds(30);

    /** The most runs that may wait; further ones are skipped. */
    static final int WAITING_MAX = 64;

    private static final ProcessBuilder.Redirect NOWHERE = ProcessBuilder.Redirect.DISCARD;
    private static final File NOTHING = new File("/dev/null");

    private final Duration limit;
    private final Consumer<String> complaints;
    private final BlockingQueue<Run> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private final Thread thread;
    private boolean isStarted;

    /**
     * A run of the command.
     *
     * @param command program and arguments
     */
    private record Run(List<String> command, AlertStatus status) {
        /** Returns the environment variables that the program receives. */
        Map<String, String> environment() {
            return Map.of(
                    "SLUICE_ALERT", status.name(),
                    "SLUICE_ALERT_STATE", status.state().word(),
                    "SLUICE_ALERT_VALUE", Wording.exact(status.value()),
                    "SLUICE_ALERT_THRESHOLD", Wording.exact(status.threshold()),
                    "SLUICE_ALERT_UNIT", status.unit(),
                    "SLUICE_ALERT_SINCE", status.since().toString(),
                    "SLUICE_ALERT_MESSAGE", status.message(),
                    "SLUICE_ALERT_ADVICE", String.join("\n", status.advice()));
        }
    }

    /**
     * Creates an alert command.
     *
     * @param limit how long a run may take
     * @param complaints gets one line for each run that fails
     */
    AlertCommand(Duration limit, Consumer<String> complaints) {
        this.limit = limit;
        this.complaints = complaints;
        this.thread = Thread.ofPlatform().daemon().name("alert-command").unstarted(this::runAll);
    }

    /** Has a command run when those before it have. */
    synchronized void run(List<String> command, AlertStatus status) {
        if (!isStarted) {
            isStarted = true;
            thread.start();
        }
        if (!waiting.offer(new Run(command, status))) {
            complaints.accept("the command for alert " + status.name() + " was left out, since " + WAITING_MAX
                    + " runs of it wait; see why they take so long");
        }
    }

    private void runAll() {
        try {
            while (true) {
                run(waiting.take());
            }
        } catch (InterruptedException closed) {
            // The gateway ends.
        }
    }

    private void run(Run run) throws InterruptedException {
        String what =
                "the command " + run.command() + " for alert " + run.status().name();
        ProcessBuilder builder = new ProcessBuilder(run.command())
                .redirectInput(NOTHING)
                .redirectOutput(NOWHERE)
                .redirectError(NOWHERE);
        builder.environment().putAll(run.environment());
        try {
            Process process = builder.start();
            try {
                awaitEnd(process, what);
            } finally {
                end(process);
            }
        } catch (IOException cannotStart) {
            complaints.accept(what + " could not be started: " + cannotStart.getMessage()
                    + "; alerts.command is a program and its arguments, as a list");
        }
    }

    private void awaitEnd(Process process, String what) throws InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            complaints.accept(what + " was ended after " + limit.toSeconds() + " s; let it hand on what takes longer");
        } else if (process.exitValue() != 0) {
            complaints.accept(what + " ended with exit code " + process.exitValue() + "; run it by hand to see why");
        }
    }

    /** Ends the program together with the processes that it started, which a shell script would leave behind. */
    private static void end(Process process) {
        if (process.isAlive()) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Ends what runs, and forgets what waits. */
    @Override
    public void close() {
        thread.interrupt();
        if (isJoinable()) {
            joinWithin(Duration.ofSeconds(5));
        }
    }

    private synchronized boolean isJoinable() {
        return isStarted;
    }

    private void joinWithin(Duration time) {
        try {
            thread.join(time);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
