package dev.sluice.config.model;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * The resolution of the names of a backend's servers.
 *
 * @param longest the longest time from one lookup of a name to the next, however long its records may be kept
 * @param nameservers the DNS servers to ask; empty: those of the system, after its hosts file
 */
public record ResolveConfig(Duration longest, List<InetSocketAddress> nameservers) {
    /** The longest time that a record is used for, whatever its time to live: 1 h. */
    public static final Duration LONGEST = Duration.ofHours(1);

    /** The DNS servers of the system, and the time to live of the records. */
    public static final ResolveConfig DEFAULT = new ResolveConfig(LONGEST, List.of());

    /** Copies the list. */
    public ResolveConfig {
        nameservers = List.copyOf(nameservers);
    }
}
