package dev.sluice.gateway.flight;

import dev.sluice.net.TurnWatcher;
import dev.sluice.tls.engine.HandshakeInfo;
import dev.sluice.tls.engine.ResumptionMiss;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;

/**
 * The source of Flight Recorder events, for kinds that are being recorded; allocates nothing otherwise. May be used
 * from any thread, except that of {@link #watcher}.
 */
public final class FlightEvents {
    private final EventType handshake = type(HandshakeEvent.class);
    private final EventType handshakeFailure = type(HandshakeFailureEvent.class);
    private final EventType detach = type(DetachEvent.class);
    private final EventType refusal = type(RefusalEvent.class);
    private final EventType keyRotation = type(KeyRotationEvent.class);
    private final EventType reload = type(ReloadEvent.class);
    private final EventType slowTurn = type(SlowTurnEvent.class);

    FlightEvents() {}

    private static EventType type(Class<? extends jdk.jfr.Event> event) {
        FlightRecorder.register(event);
        return EventType.getEventType(event);
    }

    /** Returns true when completed handshakes are recorded. */
    public boolean recordsHandshakes() {
        return handshake.isEnabled();
    }

    /** A handshake with a client is complete. */
    public void handshake(String peer, String host, long queueMicros, HandshakeInfo info) {
        HandshakeEvent event = new HandshakeEvent();
        if (!event.shouldCommit()) {
            return;
        }
        ResumptionMiss miss = info.miss();
        event.peer = peer;
        event.host = host;
        event.tlsVersion = info.version();
        event.cipher = info.cipher();
        event.group = info.group();
        event.signature = info.signature();
        event.alpn = info.alpn();
        event.kind = info.kind().label();
        event.miss = miss == null ? "" : miss.label();
        event.ticket = info.ticket().label();
        event.queued = queueMicros;
        event.inLibrary = info.handshakeMicros();
        event.wall = info.wallMicros();
        event.commit();
    }

    /** Returns true when failed handshakes are recorded. */
    public boolean recordsHandshakeFailures() {
        return handshakeFailure.isEnabled();
    }

    /** A handshake with a client has failed. */
    public void handshakeFailed(String peer, String serverName, String reason, String fault, String message) {
        HandshakeFailureEvent event = new HandshakeFailureEvent();
        if (event.shouldCommit()) {
            event.peer = peer;
            event.serverName = serverName;
            event.reason = reason;
            event.fault = fault;
            event.message = message;
            event.commit();
        }
    }

    /** Returns true when connections that detach from libssl are recorded. */
    public boolean recordsDetaches() {
        return detach.isEnabled();
    }

    /** A connection has detached from the TLS library behind its handshake, or stays there. */
    public void detach(String peer, String outcome, String cipher) {
        DetachEvent event = new DetachEvent();
        if (event.shouldCommit()) {
            event.peer = peer;
            event.outcome = outcome;
            event.cipher = cipher;
            event.commit();
        }
    }

    /** Returns true when refused connections are recorded. */
    public boolean recordsRefusals() {
        return refusal.isEnabled();
    }

    /** A client was not let in. */
    public void refused(String peer, String reason, String message) {
        RefusalEvent event = new RefusalEvent();
        if (event.shouldCommit()) {
            event.peer = peer;
            event.reason = reason;
            event.message = message;
            event.commit();
        }
    }

    /** The keys that tickets are sealed with have changed. */
    public void keysRotated(String current, int generation, int keys) {
        if (!keyRotation.isEnabled()) {
            return;
        }
        KeyRotationEvent event = new KeyRotationEvent();
        if (event.shouldCommit()) {
            event.current = current;
            event.generation = generation;
            event.keys = keys;
            event.commit();
        }
    }

    /** Runs a reload, and records how long it took and what came of it. */
    public void reload(int listeners, Runnable work) {
        if (!reload.isEnabled()) {
            work.run();
            return;
        }
        ReloadEvent event = new ReloadEvent();
        event.listeners = listeners;
        event.begin();
        try {
            work.run();
            event.outcome = "done";
        } catch (RuntimeException e) {
            event.outcome = String.valueOf(e.getMessage());
            throw e;
        } finally {
            event.commit();
        }
    }

    /** Returns true when slow turns of loops are recorded. */
    public boolean recordsSlowTurns() {
        return slowTurn.isEnabled();
    }

    /** Watches the turns of one loop, on its thread. */
    public TurnWatcher watcher(String loop) {
        return new SlowTurns(loop);
    }

    /** One event for all turns of a loop: the recorder copies it when it is committed. */
    private static final class SlowTurns implements TurnWatcher {
        private final SlowTurnEvent event = new SlowTurnEvent();

        SlowTurns(String loop) {
            event.loop = loop;
        }

        @Override
        public void turnBegins() {
            event.begin();
        }

        @Override
        public void turnEnds(int done) {
            event.end();
            if (event.shouldCommit()) {
                event.done = done;
                event.commit();
            }
        }
    }
}
