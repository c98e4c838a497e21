package dev.sluice.gateway.alerts;

import dev.sluice.gateway.config.AlertConfig;
import dev.sluice.gateway.metrics.MetricSource;
import java.time.Duration;
import java.util.List;

/**
 * Reads the gateway's metrics now and then, on a thread of its own, and tells when an alert begins to fire and when it has
 * cleared: in the log, and to the operator's command.
 *
 * <p>May be used from any thread.
 */
public final class AlertWatch implements AlertSource, AutoCloseable {
    /** So often a window is looked at, within bounds. */
    private static final int TURNS_PER_WINDOW = 60;

    private static final long PAUSE_MILLIS_MIN = 50;
    private static final long PAUSE_MILLIS_MAX = 5_000;
    private static final Duration END_LIMIT = Duration.ofSeconds(5);

    private final MetricSource metrics;
    private final AlertLog log;
    private final AlertCommand command;
    private final Thread thread;
    private final AlertBoard board;
    /** What was complained of last; the thread's own. */
    private String trouble = "";

    private volatile AlertConfig config;
    private volatile List<AlertStatus> statuses = List.of();

    private AlertWatch(AlertConfig config, MetricSource metrics, AlertLog log) {
        this.config = config;
        this.metrics = metrics;
        this.log = log;
        this.board = new AlertBoard(config);
        this.command = new AlertCommand(AlertCommand.LIMIT, log::warn);
        this.thread = Thread.ofPlatform().daemon().name("alerts").unstarted(this::watch);
    }

    /** Begins to watch; whoever asks for it closes it. */
    public static AlertWatch start(AlertConfig config, MetricSource metrics, AlertLog log) {
        AlertWatch watch = new AlertWatch(config, metrics, log);
        watch.thread.start();
        return watch;
    }

    /** Goes by another configuration from the next turn on. */
    public void configure(AlertConfig next) {
        config = next;
    }

    @Override
    public List<AlertStatus> alerts() {
        return statuses;
    }

    private void watch() {
        try {
            while (true) {
                AlertConfig current = config;
                Thread.sleep(pauseMillis(current));
                turn(current);
            }
        } catch (InterruptedException closed) {
            // The gateway ends.
        }
    }

    private static long pauseMillis(AlertConfig config) {
        return Math.clamp(config.window().toMillis() / TURNS_PER_WINDOW, PAUSE_MILLIS_MIN, PAUSE_MILLIS_MAX);
    }

    private void turn(AlertConfig current) {
        try {
            board.configure(current);
            List<AlertStatus> changed = board.update(metrics.read(), System.nanoTime());
            statuses = board.statuses();
            changed.forEach(status -> tell(status, current));
        } catch (RuntimeException unexpected) {
            complainOnce("alerts could not be evaluated: " + unexpected + "; please report this");
        }
    }

    private void complainOnce(String line) {
        if (!line.equals(trouble)) {
            trouble = line;
            log.warn(line);
        }
    }

    private void tell(AlertStatus status, AlertConfig current) {
        if (status.state() == AlertState.FIRING) {
            log.warn("alert " + status.name() + " fires: " + status.message() + ". First: "
                    + status.advice().getFirst());
        } else {
            log.info("alert " + status.name() + " has cleared: " + status.message());
        }
        if (!current.command().isEmpty()) {
            command.run(current.command(), status);
        }
    }

    /** Ceases to watch, and ends a command that runs. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(END_LIMIT);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        command.close();
        statuses = List.of();
    }
}
