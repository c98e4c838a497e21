package dev.sluice.gateway.alerts;

import dev.sluice.config.monitoring.AlertConfig;
import dev.sluice.gateway.metrics.MetricSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * The evaluation of alerts: takes a metric snapshot periodically, on a thread of its own, and reports each alert that
 * fires or clears to the log and to the operator's command.
 *
 * <p>May be used from any thread.
 */
public final class AlertWatch implements AlertSource, AutoCloseable {
    /** Evaluations per window, within bounds. */
    private static final int TURNS_PER_WINDOW = 60;

    private static final long PAUSE_MILLIS_MIN = 50;
    private static final long PAUSE_MILLIS_MAX = 5_000;
    private static final Duration END_LIMIT = Duration.ofSeconds(5);

    private final Supplier<MetricSnapshot> metrics;
    private final AlertLog log;
    private final AlertCommand command;
    private final Thread thread;
    private final AlertBoard board;
    /** The last failure logged; confined to the thread. */
    private String trouble = "";

    private volatile AlertConfig config;
    private volatile List<AlertStatus> statuses = List.of();

    private AlertWatch(AlertConfig config, Supplier<MetricSnapshot> metrics, AlertLog log) {
        this.config = config;
        this.metrics = metrics;
        this.log = log;
        this.board = new AlertBoard(config);
        this.command = new AlertCommand(AlertCommand.LIMIT, log::warn);
        this.thread = Thread.ofPlatform().daemon().name("alerts").unstarted(this::watch);
    }

    /** Starts the thread; the caller closes the watch. */
    public static AlertWatch start(AlertConfig config, Supplier<MetricSnapshot> metrics, AlertLog log) {
        AlertWatch watch = new AlertWatch(config, metrics, log);
        watch.thread.start();
        return watch;
    }

    /** Applies another configuration from the next evaluation on. */
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
            List<AlertStatus> changed = board.update(metrics.get(), System.nanoTime());
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

    /** Stops the thread and a running command. */
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
