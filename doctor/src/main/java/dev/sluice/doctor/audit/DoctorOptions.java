package dev.sluice.doctor.audit;

import dev.sluice.doctor.probe.DoctorLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What an audit does besides what every audit does.
 *
 * @param limits how far it goes
 * @param authorities PEM files of the authorities that the chain must lead to; empty for the system's
 * @param http whether to send a GET where no ALPN tells that this is HTTP
 * @param earlyData whether to send a POST as early data where the server allows it
 * @param watch for how long to watch the ticket key; zero: not at all
 * @param costs what handshakes take a server
 */
public record DoctorOptions(
        DoctorLimits limits,
        List<Path> authorities,
        boolean http,
        boolean earlyData,
        Duration watch,
        ServerCosts costs) {
    /** Nothing more. */
    public static final DoctorOptions DEFAULT =
            new DoctorOptions(DoctorLimits.DEFAULT, List.of(), false, false, Duration.ZERO, ServerCosts.OF_BENCHMARKS);

    /** Copies the list. */
    public DoctorOptions {
        authorities = List.copyOf(authorities);
    }

    /** Other limits. */
    public DoctorOptions withLimits(DoctorLimits others) {
        return new DoctorOptions(others, authorities, http, earlyData, watch, costs);
    }

    /** Other authorities. */
    public DoctorOptions trusting(Path... files) {
        return new DoctorOptions(limits, List.of(files), http, earlyData, watch, costs);
    }

    /** With a GET in any case. */
    public DoctorOptions withHttp() {
        return new DoctorOptions(limits, authorities, true, earlyData, watch, costs);
    }

    /** With a POST as early data. */
    public DoctorOptions withEarlyData() {
        return new DoctorOptions(limits, authorities, http, true, watch, costs);
    }

    /** With a watch over the ticket key. */
    public DoctorOptions watching(Duration time) {
        return new DoctorOptions(limits, authorities, http, earlyData, time, costs);
    }
}
