package dev.sluice.gateway;

import dev.sluice.gateway.config.EarlyDataMode;
import dev.sluice.gateway.config.GatewayConfig;
import dev.sluice.gateway.config.HandshakeLimits;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a running gateway cannot take up from another configuration. */
final class RestartNotes {
    private RestartNotes() {}

    /** One sentence for each difference that takes a restart. */
    static List<String> of(GatewayConfig running, GatewayConfig next) {
        List<String> notes = new ArrayList<>();
        note(notes, "loops", running.loops(), next.loops());
        note(notes, "transport", running.transport(), next.transport());
        HandshakeLimits before = running.limits().handshakes();
        HandshakeLimits now = next.limits().handshakes();
        note(notes, "limits.handshake-queue", before.queue(), now.queue());
        note(notes, "limits.handshake-wait", before.longestWait(), now.longestWait());
        note(notes, "tickets", running.tickets(), next.tickets());
        note(notes, "admin", running.admin(), next.admin());
        Set<EarlyDataMode> more = earlyData(next);
        more.removeAll(earlyData(running));
        more.remove(EarlyDataMode.OFF);
        more.forEach(mode -> notes.add("early-data is " + mode.name().toLowerCase(Locale.ROOT)
                + " where no listener had that at the start; it is off until the next one"));
        return notes;
    }

    private static Set<EarlyDataMode> earlyData(GatewayConfig config) {
        return config.listeners().stream()
                .map(listener -> listener.tls().earlyData())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(EarlyDataMode.class)));
    }

    private static void note(List<String> notes, String key, @Nullable Object running, @Nullable Object next) {
        if (!Objects.equals(running, next)) {
            notes.add(key + " has changed, and takes effect at the next start");
        }
    }
}
