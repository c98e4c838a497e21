package dev.sluice.gateway.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A TLS handshake with a client has failed. */
@Name("dev.sluice.HandshakeFailure")
@Label("TLS Handshake Failure")
@Description("A TLS handshake with a client has failed.")
@Category({"Sluice"})
@Enabled(false)
@StackTrace(false)
final class HandshakeFailureEvent extends Event {
    @Label("Peer")
    String peer = "";

    @Label("Server Name")
    String serverName = "";

    @Label("Reason")
    String reason = "";

    @Label("Fault")
    String fault = "";

    @Label("Message")
    String message = "";
}
