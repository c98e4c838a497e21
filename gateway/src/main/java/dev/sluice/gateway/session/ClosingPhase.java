package dev.sluice.gateway.session;

import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.net.Connection;

/** The phase in which nothing is left but the client's connection, which closes. Its successor is the session's end. */
final class ClosingPhase implements SessionPhase {
    private final Session session;
    private final Connection client;

    ClosingPhase(Session session, Connection client) {
        this.session = session;
        this.client = client;
    }

    @Override
    public Session session() {
        return session;
    }

    @Override
    public void attach() {
        client.handler(this);
    }

    @Override
    public void abort() {
        client.abort();
    }

    /** Ignored: this phase holds nothing. */
    @Override
    public void release(SessionEnd end) {}
}
