package dev.sluice.gateway.reload;

import dev.sluice.config.key.ConfigKeys;
import dev.sluice.config.key.RestartKey;
import dev.sluice.config.model.GatewayConfig;
import java.util.ArrayList;
import java.util.List;

/** The notes of a reload on the keys that it cannot change. */
public final class RestartNotes {
    private RestartNotes() {}

    /** Returns one sentence for each key whose change takes a restart. What is turned off is off at once. */
    public static List<String> of(GatewayConfig running, GatewayConfig next) {
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
