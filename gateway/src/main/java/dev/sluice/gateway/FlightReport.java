package dev.sluice.gateway;

import dev.sluice.gateway.config.BackendConfig;
import dev.sluice.gateway.flight.Flight;
import dev.sluice.gateway.flight.FlightEvents;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.tls.Detach;
import java.net.InetSocketAddress;
import java.util.Locale;

/** The events of loops for Flight Recorder. No text, such as an address, is made unless the event is being recorded. */
final class FlightReport {
    private FlightReport() {}

    /** Records a complete handshake with a client. */
    static void handshake(Session session, HandshakeFacts facts) {
        FlightEvents events = Flight.events();
        if (events == null) {
            return;
        }
        if (events.recordsHandshakes()) {
            events.handshake(text(session.peer()), facts.host(), facts.queueMicros(), facts.info());
        }
        Detach outcome = facts.detached();
        if (outcome != null && events.recordsDetaches()) {
            events.detach(text(session.peer()), lower(outcome), facts.info().cipher());
        }
    }

    /** Records a failed handshake with a client. */
    static void handshakeFailed(Session session, String serverName, ConnectionFailure failure) {
        FlightEvents events = Flight.events();
        if (events != null && events.recordsHandshakeFailures()) {
            events.handshakeFailed(
                    text(session.peer()), serverName, failure.reason(), lower(failure.fault()), failure.message());
        }
    }

    /** Records the refusal of a client. */
    static void refused(InetSocketAddress peer, SessionEnd why) {
        FlightEvents events = Flight.events();
        if (events != null && events.recordsRefusals()) {
            events.refused(text(peer), why.reason(), why.message());
        }
    }

    private static String text(InetSocketAddress address) {
        return BackendConfig.text(address);
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
