package dev.sluice.gateway.config;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/**
 * Whom a listener lets in.
 *
 * @param proxiedFrom who tells by a PROXY header for whom it connects; empty: nobody
 * @param connections at most so many at once; 0: as many as {@link LimitsConfig} allows
 * @param keepAlive after so long without a byte the kernel asks whether the client is still there; zero: never
 * @param namesRequired whether clients must ask for a server name that a certificate, or an entry of {@code hosts}, is for
 * @param alpnRequired whether clients that offer no protocol by ALPN are refused
 */
public record Intake(
        List<AddressRange> proxiedFrom,
        int connections,
        Duration keepAlive,
        boolean namesRequired,
        boolean alpnRequired) {
    /** Everybody. */
    public static final Intake DEFAULT = new Intake(List.of(), 0, Duration.ZERO, false, false);

    /** Copies the list. */
    public Intake {
        proxiedFrom = List.copyOf(proxiedFrom);
    }

    /** Whether connections from an address begin with a PROXY header. */
    public boolean isProxy(InetAddress address) {
        for (AddressRange range : proxiedFrom) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }
}
