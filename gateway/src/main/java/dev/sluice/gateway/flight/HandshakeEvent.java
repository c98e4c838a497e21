package dev.sluice.gateway.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A TLS handshake with a client is complete. */
@Name("dev.sluice.Handshake")
@Label("TLS Handshake")
@Description("A TLS handshake with a client is complete.")
@Category({"Sluice"})
@Enabled(false)
@StackTrace(false)
final class HandshakeEvent extends Event {
    @Label("Peer")
    String peer = "";

    @Label("Configured Name")
    String host = "";

    @Label("TLS Version")
    String tlsVersion = "";

    @Label("Cipher Suite")
    String cipher = "";

    @Label("Key-Exchange Group")
    String group = "";

    @Label("Signature Algorithm")
    String signature = "";

    @Label("Application Protocol")
    String alpn = "";

    @Label("Kind")
    String kind = "";

    @Label("Why Not Resumed")
    String miss = "";

    @Label("Ticket")
    String ticket = "";

    @Label("Time in the Queue")
    @Timespan(Timespan.MICROSECONDS)
    long queued;

    @Label("Time in the TLS Library")
    @Timespan(Timespan.MICROSECONDS)
    long inLibrary;

    @Label("Time in All")
    @Timespan(Timespan.MICROSECONDS)
    long wall;
}
