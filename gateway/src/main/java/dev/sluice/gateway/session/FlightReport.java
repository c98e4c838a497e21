package dev.sluice.gateway.session;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.gateway.flight.Flight;
import dev.sluice.gateway.flight.FlightEvents;
import dev.sluice.gateway.outcome.HandshakeFacts;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.tls.engine.Detach;
import java.net.InetSocketAddress;
import java.util.Locale;

/** The events of loops for Flight Recorder. Nothing is made, not even an address's text, unless it is recorded. */
final class FlightReport {
    private FlightReport() {}

    /** Records a client's handshake that is complete. */
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

    /** Records a client's handshake that has failed. */
    static void handshakeFailed(Session session, String serverName, ConnectionFailure failure) {
        FlightEvents events = Flight.events();
        if (events != null && events.recordsHandshakeFailures()) {
            events.handshakeFailed(
                    text(session.peer()),
                    serverName,
                    failure.reason().label(),
                    lower(failure.fault()),
                    failure.message());
        }
    }

    /** Records a client that was not let in. */
    static void refused(InetSocketAddress peer, SessionEnd why) {
        FlightEvents events = Flight.events();
        if (events != null && events.recordsRefusals()) {
            events.refused(text(peer), why.label(), why.message());
        }
    }

    private static String text(InetSocketAddress address) {
        return BackendConfig.text(address);
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
