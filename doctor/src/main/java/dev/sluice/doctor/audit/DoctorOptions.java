package dev.sluice.doctor.audit;

import dev.sluice.doctor.probe.DoctorLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The optional parts of an audit.
 *
 * @param limits the limits
 * @param authorities PEM files of the trusted authorities; empty for the system's
 * @param http true to send a GET without an ALPN protocol of HTTP
 * @param earlyData true to send a POST as early data if the server allows it
 * @param watch duration to watch the ticket key; zero to skip
 * @param costs the server's costs of handshakes
 */
public record DoctorOptions(
        DoctorLimits limits,
        List<Path> authorities,
        boolean http,
        boolean earlyData,
        Duration watch,
        ServerCosts costs) {
    /** No optional parts. */
    public static final DoctorOptions DEFAULT =
            new DoctorOptions(DoctorLimits.DEFAULT, List.of(), false, false, Duration.ZERO, ServerCosts.OF_BENCHMARKS);

    /** Copies the list. */
    public DoctorOptions {
        authorities = List.copyOf(authorities);
    }

    /** Returns the same options with other limits. */
    public DoctorOptions withLimits(DoctorLimits others) {
        return new DoctorOptions(others, authorities, http, earlyData, watch, costs);
    }

    /** Returns the same options with other authorities. */
    public DoctorOptions trusting(Path... files) {
        return new DoctorOptions(limits, List.of(files), http, earlyData, watch, costs);
    }

    /** Returns the same options with an unconditional GET. */
    public DoctorOptions withHttp() {
        return new DoctorOptions(limits, authorities, true, earlyData, watch, costs);
    }

    /** Returns the same options with a POST as early data. */
    public DoctorOptions withEarlyData() {
        return new DoctorOptions(limits, authorities, http, true, watch, costs);
    }

    /** Returns the same options with a watch of the ticket key. */
    public DoctorOptions watching(Duration time) {
        return new DoctorOptions(limits, authorities, http, earlyData, time, costs);
    }
}
