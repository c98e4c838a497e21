package dev.sluice.gateway.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Another key has begun to seal session tickets, or the list of keys has changed. */
@Name("dev.sluice.KeyRotation")
@Label("Ticket Key Rotation")
@Description("Another key has begun to seal session tickets, or the list of keys has changed.")
@Category({"Sluice"})
@Enabled(false)
@StackTrace(false)
final class KeyRotationEvent extends Event {
    @Label("Current Key")
    String current = "";

    @Label("Generation")
    int generation;

    @Label("Keys")
    int keys;
}
