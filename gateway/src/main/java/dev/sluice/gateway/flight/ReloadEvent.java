package dev.sluice.gateway.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Another configuration was taken up, or refused. */
@Name("dev.sluice.Reload")
@Label("Reload")
@Description("Another configuration was taken up, or refused.")
@Category({"Sluice"})
@Enabled(false)
@StackTrace(false)
final class ReloadEvent extends Event {
    @Label("Listeners")
    int listeners;

    @Label("Outcome")
    String outcome = "";
}
