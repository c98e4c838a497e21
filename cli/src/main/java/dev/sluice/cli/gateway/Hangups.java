package dev.sluice.cli.gateway;

import dev.sluice.cli.command.Signals;
import org.jspecify.annotations.Nullable;

/**
 * The SIGHUPs of a process, from its start on: until it can reload they wait, where they would end it otherwise. The
 * file that it reads then may have changed since.
 */
final class Hangups {
    private final boolean heard;
    private @Nullable Runnable task;
    private boolean waiting;

    /** Starts listening for the signal. */
    Hangups() {
        this.heard = Signals.onHangUp(this::onSignal);
    }

    /** Runs the task, or remembers that one is to be run. */
    synchronized void onSignal() {
        if (task == null) {
            waiting = true;
        } else {
            task.run();
        }
    }

    /** Runs a task for each signal, and at once when some have come. */
    synchronized void run(Runnable newTask) {
        task = newTask;
        if (waiting) {
            waiting = false;
            newTask.run();
        }
    }

    /** Returns false when SIGHUP is ignored, as under nohup. */
    boolean areHeard() {
        return heard;
    }
}
