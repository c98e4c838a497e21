package dev.sluice.gateway.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A configuration was reloaded, or rejected. */
@Name("dev.sluice.Reload")
@Label("Reload")
@Description("A configuration was reloaded, or rejected.")
@Category({"Sluice"})
@Enabled(false)
@StackTrace(false)
final class ReloadEvent extends Event {
    @Label("Listeners")
    int listeners;

    @Label("Outcome")
    String outcome = "";
}
