package dev.sluice.gateway.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A client was not let in because of a limit, or was refused before its handshake. */
@Name("dev.sluice.Refusal")
@Label("Refused Connection")
@Description("A client was not let in because of a limit, or was refused before its handshake.")
@Category({"Sluice"})
@Enabled(false)
@StackTrace(false)
final class RefusalEvent extends Event {
    @Label("Peer")
    String peer = "";

    @Label("Reason")
    String reason = "";

    @Label("Message")
    String message = "";
}
