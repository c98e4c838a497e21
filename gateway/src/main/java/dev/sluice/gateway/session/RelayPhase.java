package dev.sluice.gateway.session;

import dev.sluice.gateway.backend.PoolServer;
import dev.sluice.gateway.outcome.EndSide;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import org.jspecify.annotations.Nullable;

/**
 * The last phase: the relay between client and backend, which counts for its session. Where early data went ahead, the
 * client joins when its handshake is complete.
 *
 * <p>It is a {@link Relay} rather than having one, since each idle connection holds both.
 */
final class RelayPhase extends Relay implements SessionPhase {
    private final Session session;
    private final PoolServer server;
    /** The handshake, until the client joins. */
    private @Nullable Forerunner handshake;

    private byte idleSweeps;

    /**
     * Makes the phase.
     *
     * @param handshake under way or complete; what it holds is given back by this phase
     * @param server the one connected to; {@link PoolServer#closed} is called when the connection is over
     */
    RelayPhase(Session session, Connection client, Connection backend, Forerunner handshake, PoolServer server) {
        super(client, backend, session.loop().limits().heldBytes());
        this.session = session;
        this.handshake = handshake;
        this.server = server;
    }

    @Override
    public Session session() {
        return session;
    }

    /** Starts to relay: both directions, or what the backend sends when the handshake is not complete. */
    void begin() {
        startBackend();
        Forerunner before = handshake;
        if (before != null && before.isComplete()) {
            join(before);
        } else if (before != null) {
            before.forwardTo(backend());
        }
    }

    @Override
    public void onHandshakeComplete() {
        if (handshake != null) {
            join(handshake);
        }
    }

    private void join(Forerunner complete) {
        handshake = null;
        complete.join(backend());
        if (complete.hasClientEnded() && !session.isEnding()) {
            endClient();
        }
        startClient();
    }

    /** Ends the backend's side: nobody is left to have its answer. */
    @Override
    public void onHandshakeFailed() {
        abortBackend();
    }

    @Override
    public void onSweep() {
        if (takeTouched()) {
            idleSweeps = 0;
        } else if (++idleSweeps > GatewayLoop.SWEEPS_PER_IDLE_TIMEOUT) {
            session.abort(SessionEnd.idleTimeout(session.loop().limits().idleTimeout()));
        }
    }

    @Override
    public void release(SessionEnd end) {
        if (handshake != null) {
            if (!handshake.isComplete()) {
                server.countUnused(session.loop().counters());
            }
            handshake.release(end);
        }
    }

    // --- what the relay reports -------------------------------------------------------------------------------------

    public @Override void onBytesToBackend(int count) {
        session.countToBackend(count);
    }

    public @Override void onBytesToClient(int count) {
        session.countToClient(count);
    }

    public @Override void onClientFailed(ConnectionFailure failure) {
        session.endWith(SessionEnd.client(failure));
    }

    public @Override void onBackendFailed(ConnectionFailure failure) {
        session.endWith(SessionEnd.backend(server.backend(), EndSide.BACKEND, failure));
    }

    public @Override void onClientClosed() {
        endWhenClosed();
    }

    public @Override void onBackendClosed() {
        server.closed();
        endWhenClosed();
    }

    private void endWhenClosed() {
        if (isClosed()) {
            session.endWith(isComplete() ? SessionEnd.COMPLETED : SessionEnd.BROKEN);
            session.over();
        }
    }
}
