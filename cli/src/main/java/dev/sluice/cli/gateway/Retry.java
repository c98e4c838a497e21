package dev.sluice.cli.gateway;

import dev.sluice.config.read.ConfigSource;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A failed reload that is retried: after a second, then after twice as long each time, up to a minute. */
final class Retry {
    private static final long PAUSE_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE_NANOS_MAX = TimeUnit.MINUTES.toNanos(1);

    private final String why;
    private final Set<Path> files = new LinkedHashSet<>();
    private @Nullable ConfigSource source;
    private String problem;
    private long pauseNanos = PAUSE_NANOS_MIN;
    private long dueNanos;

    /**
     * Creates a retry, which is due after the first pause.
     *
     * @param why reason of the reload, for the log
     * @param problem reason of the failure
     * @param now as of {@link System#nanoTime()}
     */
    Retry(String why, String problem, long now) {
        this.why = why;
        this.problem = problem;
        this.dueNanos = now + pauseNanos;
    }

    String why() {
        return why;
    }

    /** Returns the configuration as read at the request; null if it could not be read. */
    @Nullable
    ConfigSource source() {
        return source;
    }

    void source(@Nullable ConfigSource read) {
        source = read;
    }

    /** Returns the files with changes that are not active yet. */
    Set<Path> files() {
        return files;
    }

    void add(Collection<Path> changed) {
        files.addAll(changed);
    }

    /** Removes files that became active meanwhile; returns true when none is left. */
    boolean servedNow(Collection<Path> some) {
        some.forEach(files::remove);
        return files.isEmpty();
    }

    boolean isDue(long now) {
        return now - dueNanos >= 0;
    }

    /** Records another failure; returns true when it differs from the last one. */
    boolean failedAgain(String newProblem, long now) {
        boolean isOther = !newProblem.equals(problem);
        problem = newProblem;
        pauseNanos = Math.min(2 * pauseNanos, PAUSE_NANOS_MAX);
        dueNanos = now + pauseNanos;
        return isOther;
    }
}
