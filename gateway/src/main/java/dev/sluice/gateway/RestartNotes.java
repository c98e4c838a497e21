package dev.sluice.gateway;

import dev.sluice.gateway.config.GatewayConfig;
import dev.sluice.gateway.config.HandshakeLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
        if (next.tickets() != null) {
            note(notes, "tickets", running.tickets(), next.tickets());
        }
        note(notes, "admin", running.admin(), next.admin());
        return notes;
    }

    private static void note(List<String> notes, String key, @Nullable Object running, @Nullable Object next) {
        if (!Objects.equals(running, next)) {
            notes.add(key + " has changed, and takes effect at the next start");
        }
    }
}
