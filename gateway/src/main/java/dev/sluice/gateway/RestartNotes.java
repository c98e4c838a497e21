package dev.sluice.gateway;

import dev.sluice.gateway.config.ConfigKeys;
import dev.sluice.gateway.config.GatewayConfig;
import dev.sluice.gateway.config.RestartKey;
import java.util.ArrayList;
import java.util.List;

/** The notes of a reload on the keys that it cannot change. */
final class RestartNotes {
    private RestartNotes() {}

    /** Returns one sentence for each key whose change takes a restart. What is turned off is off at once. */
    static List<String> of(GatewayConfig running, GatewayConfig next) {
        List<String> notes = new ArrayList<>();
        for (RestartKey key : ConfigKeys.restartKeys()) {
            Object now = key.part().apply(next);
            if (now != null && !now.equals(key.part().apply(running))) {
                notes.add(key.path() + " has changed; restart the gateway to apply it");
            }
        }
        return notes;
    }
}
