package dev.sluice.net.internal;

import dev.sluice.memory.Slab;
import dev.sluice.net.AcceptHandler;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.EventLoop;
import dev.sluice.net.TcpConnection;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.SimulationFailure;
import java.net.SocketAddress;

/**
 * Echoes with back-pressure, now and then resting, and checks that it is told what {@link ConnectionHandler} promises.
 */
final class SimulatedEcho implements AcceptHandler {
    private final EventLoop loop;
    private final Chance chance;
    private final int maxLateBuffers;
    int opened;
    int closed;
    int failed;

    SimulatedEcho(EventLoop loop, Chance chance, int maxLateBuffers) {
        this.loop = loop;
        this.chance = chance;
        this.maxLateBuffers = maxLateBuffers;
    }

    @Override
    public void onAccepted(TcpConnection connection, SocketAddress peer) {
        opened++;
        connection.handler(new Side());
        connection.startReceiving();
    }

    @Override
    public void onAcceptFailed(ConnectionFailure failure) {
        // The listener goes on by itself.
    }

    private final class Side implements ConnectionHandler {
        private final long mostQueued = chance.sized(1, 100_000);
        private final int restsOneIn = chance.oneIn(2) ? 0 : 5;
        private boolean stopped;
        private int late;
        private boolean endTold;
        private boolean failureTold;
        private boolean closedTold;

        @Override
        public void onReceived(Connection connection, Slab buffer) {
            require(!endTold && !failureTold && !closedTold, "bytes after the end");
            require(!stopped || ++late <= maxLateBuffers, "more late buffers than the configuration allows");
            require(buffer.length() > 0, "a delivery of nothing");
            connection.send(buffer);
            require(
                    connection.queuedBytes() <= mostQueued + (1L + maxLateBuffers) * BufferGeometry.BULK_ROOM,
                    "more bytes are held than back-pressure allows");
            if (connection.queuedBytes() > mostQueued) {
                stop(connection);
            } else if (chance.oneIn(restsOneIn)) {
                stop(connection);
                loop.schedule(chance.below(3), () -> resume(connection));
            }
        }

        private void stop(Connection connection) {
            connection.stopReceiving();
            stopped = true;
        }

        private void resume(Connection connection) {
            if (!closedTold && connection.queuedBytes() <= mostQueued) {
                stopped = false;
                late = 0;
                connection.startReceiving();
            }
        }

        @Override
        public void onSent(Connection connection) {
            require(!failureTold && !closedTold, "sent after the end");
            resume(connection);
        }

        @Override
        public void onEndOfStream(Connection connection) {
            require(!endTold && !failureTold && !closedTold, "a second end");
            endTold = true;
            if (chance.oneIn(2)) {
                connection.shutdownOutput();
            } else {
                connection.close();
            }
        }

        @Override
        public void onFailed(Connection connection, ConnectionFailure failure) {
            require(!failureTold && !closedTold, "a second failure");
            failureTold = true;
            failed++;
        }

        @Override
        public void onClosed(Connection connection) {
            require(!closedTold, "a second onClosed");
            closedTold = true;
            closed++;
        }
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new SimulationFailure(what);
        }
    }
}
