package dev.sluice.transfer.meet;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The places where a guest looks for its host.
 *
 * @param addresses the host's own, if they are known: resolved
 * @param lan null not to search the local network
 * @param relay resolved; null for none
 * @param nearLimit the time after which the relay is tried, too; earlier when everything else has failed
 */
public record MeetPlaces(
        List<InetSocketAddress> addresses,
        @Nullable LanSettings lan,
        @Nullable InetSocketAddress relay,
        Duration nearLimit) {
    /** The default of {@code nearLimit}: some round trips, and two repeated queries in the local network. */
    public static final Duration NEAR_LIMIT = Duration.ofMillis(700);

    /** Copies the list and checks that there is a place. */
    public MeetPlaces {
        addresses = List.copyOf(addresses);
        if (addresses.isEmpty() && lan == null && relay == null) {
            throw new IllegalArgumentException("no place to meet; give an address, the local network or a relay");
        }
    }
}
