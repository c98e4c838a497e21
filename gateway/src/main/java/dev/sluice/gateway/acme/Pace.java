package dev.sluice.gateway.acme;

import java.time.Duration;

/**
 * The pauses of the ACME client.
 *
 * @param retry after the first failed attempt; it doubles with each
 * @param look between two looks at a certificate that is not due
 * @param recheck while another process orders
 */
record Pace(Duration retry, Duration look, Duration recheck) {
    /** Tests make them shorter. */
    private static final long RETRY_MILLIS = Long.getLong("sluice.acme.retry.millis", 60_000);

    private static final long LOOK_MILLIS =
            Long.getLong("sluice.acme.look.millis", Duration.ofHours(6).toMillis());
    private static final Duration RECHECK = Duration.ofSeconds(10);

    /** Returns the pauses of this process. */
    static Pace ofProcess() {
        return new Pace(
                Duration.ofMillis(RETRY_MILLIS),
                Duration.ofMillis(LOOK_MILLIS),
                Duration.ofMillis(Math.min(LOOK_MILLIS, RECHECK.toMillis())));
    }
}
