package dev.sluice.gateway.acme;

import java.time.Duration;

/**
 * The pauses and the patience of the ACME client.
 *
 * @param retry the pause after the first failed attempt; it doubles with each
 * @param look between two looks at a certificate that is not due
 * @param recheck while another process orders
 * @param step the time limit for the proof of a name, and for each step of an order
 */
record AcmeTimes(Duration retry, Duration look, Duration recheck, Duration step) {
    /** Tests make them shorter. */
    private static final long RETRY_MILLIS = Long.getLong("sluice.acme.retry.millis", 60_000);

    private static final long LOOK_MILLIS =
            Long.getLong("sluice.acme.look.millis", Duration.ofHours(6).toMillis());
    private static final Duration RECHECK = Duration.ofSeconds(10);
    private static final Duration STEP = Duration.ofMinutes(5);

    /** Returns the times of this process. */
    static AcmeTimes ofProcess() {
        return new AcmeTimes(
                Duration.ofMillis(RETRY_MILLIS),
                Duration.ofMillis(LOOK_MILLIS),
                Duration.ofMillis(Math.min(LOOK_MILLIS, RECHECK.toMillis())),
                STEP);
    }
}
