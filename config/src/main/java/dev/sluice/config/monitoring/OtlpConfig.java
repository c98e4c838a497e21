package dev.sluice.config.monitoring;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * The push of metrics to a collector of OpenTelemetry.
 *
 * @param endpoint receives the requests: an http or https address with its path
 * @param interval from one push to the next
 * @param headers of each request, such as those that authorize it
 */
public record OtlpConfig(URI endpoint, Duration interval, List<Header> headers) {
    /** The default interval. */
    public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(15);

    /** Copies the list. */
    public OtlpConfig {
        headers = List.copyOf(headers);
    }

    /**
     * A header of a request.
     *
     * @param value may be a secret
     */
    public record Header(String name, String value) {
        /** Leaves out the value. */
        @Override
        public String toString() {
            return name + ": ***";
        }
    }
}
