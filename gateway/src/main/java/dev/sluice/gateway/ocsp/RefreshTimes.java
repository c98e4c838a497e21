package dev.sluice.gateway.ocsp;

import java.time.Duration;
import java.time.Instant;
import java.util.function.DoubleSupplier;

/**
 * The schedule for asking a responder again: at half of the life that is left to a response, and after a failure first
 * soon, then less and less often. Each time differs at random, so that the nodes of a fleet do not come at once.
 *
 * @param random from 0 to 1
 */
record RefreshTimes(DoubleSupplier random) {
    /** The longest pause before jitter, whatever a response says: a revocation should not stay unknown for longer. */
    static final Duration PAUSE_MAX = Duration.ofDays(1);

    static final Duration PAUSE_MIN = Duration.ofSeconds(10);

    /** The pause after the first failure; each further one doubles it. */
    static final Duration RETRY_MIN = Duration.ofSeconds(30);

    static final Duration RETRY_MAX = Duration.ofHours(1);

    /** The share by which a pause may be shorter or longer. */
    private static final double JITTER = 0.1;

    /** The next time for a response that was fetched at a moment and holds until another. */
    Instant afterSuccess(Instant fetched, Instant end) {
        Duration half = Duration.between(fetched, end).dividedBy(2);
        return fetched.plus(jittered(bounded(half, PAUSE_MIN, PAUSE_MAX)));
    }

    /**
     * The next time after failures.
     *
     * @param failures how many there were in a row, at least 1
     */
    Instant afterFailure(Instant failed, int failures) {
        int doublings = Math.min(failures - 1, Integer.SIZE - 1);
        Duration pause = RETRY_MIN.multipliedBy(1L << doublings);
        return failed.plus(jittered(bounded(pause, RETRY_MIN, RETRY_MAX)));
    }

    private static Duration bounded(Duration pause, Duration least, Duration most) {
        if (pause.compareTo(least) < 0) {
            return least;
        }
        return pause.compareTo(most) > 0 ? most : pause;
    }

    private Duration jittered(Duration pause) {
        double factor = 1 - JITTER + 2 * JITTER * random.getAsDouble();
        return Duration.ofMillis((long) (pause.toMillis() * factor));
    }
}
