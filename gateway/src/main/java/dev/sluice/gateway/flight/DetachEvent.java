package dev.sluice.gateway.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A connection detached from the TLS library after its handshake, or the reason why it did not. */
@Name("dev.sluice.Detach")
@Label("Detach")
@Description("A connection detached from the TLS library after its handshake, or the reason why it did not.")
@Category({"Sluice"})
@Enabled(false)
@StackTrace(false)
final class DetachEvent extends Event {
    @Label("Peer")
    String peer = "";

    @Label("Outcome")
    String outcome = "";

    @Label("Cipher Suite")
    String cipher = "";
}
