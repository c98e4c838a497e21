package dev.sluice.gateway.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A connection has detached from the TLS library behind its handshake, or tells why it stays there. */
@Name("dev.sluice.Detach")
@Label("Detach")
@Description("A connection has detached from the TLS library behind its handshake, or tells why it stays there.")
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
