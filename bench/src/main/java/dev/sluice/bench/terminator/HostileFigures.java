package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.BenchException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The gateway's resources at one time.
 *
 * @param sessions client connections
 * @param backendConnections connections to the backend
 * @param buffers leased buffers of the event loop
 * @param handles native regions and handles by owner from the ledger, including connection keys
 * @param resident resident memory in bytes
 * @param descriptors open descriptors
 * @param logLines lines logged since its start
 */
record HostileFigures(
        long sessions,
        long backendConnections,
        long buffers,
        Map<String, Long> handles,
        long resident,
        long descriptors,
        long logLines) {
    private static final Pattern SERIES = Pattern.compile("(?m)^(\\w+)(?:\\{(.*)\\})? ([0-9.eE+-]+)$");
    private static final Pattern OWNER = Pattern.compile("owner=\"([^\"]*)\"");

    /**
     * Parses the figures of a metrics page.
     *
     * @param page in Prometheus's format
     */
    static HostileFigures of(String page, long resident, long descriptors, long logLines) {
        long sessions = sum(page, "sluice_connections");
        return new HostileFigures(
                sessions,
                sum(page, "sluice_loop_connections") - sessions,
                sum(page, "sluice_loop_buffers_leased"),
                handles(page),
                resident,
                descriptors,
                logLines);
    }

    private static long sum(String page, String name) {
        boolean found = false;
        double sum = 0;
        Matcher series = SERIES.matcher(page);
        while (series.find()) {
            if (series.group(1).equals(name)) {
                found = true;
                sum += Double.parseDouble(series.group(3));
            }
        }
        if (!found) {
            throw new BenchException("the gateway's metrics lack " + name);
        }
        return (long) sum;
    }

    private static Map<String, Long> handles(String page) {
        Map<String, Long> handles = new TreeMap<>();
        Matcher series = SERIES.matcher(page);
        while (series.find()) {
            Matcher owner = OWNER.matcher(series.group(2) == null ? "" : series.group(2));
            if (series.group(1).equals("sluice_memory_handles") && owner.find()) {
                handles.put(owner.group(1), (long) Double.parseDouble(series.group(3)));
            }
        }
        return handles;
    }
}
