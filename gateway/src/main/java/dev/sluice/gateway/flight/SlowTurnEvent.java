package dev.sluice.gateway.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** One turn of an event loop, behind its wait for the kernel, took longer than the threshold. */
@Name("dev.sluice.SlowTurn")
@Label("Slow Turn")
@Description("One turn of an event loop, behind its wait for the kernel, took longer than the threshold.")
@Category({"Sluice"})
@Enabled(false)
@StackTrace(false)
@Threshold("5 ms")
final class SlowTurnEvent extends Event {
    @Label("Event Loop")
    String loop = "";

    @Label("Things Done")
    int done;
}
