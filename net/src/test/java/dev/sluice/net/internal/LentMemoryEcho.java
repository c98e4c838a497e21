package dev.sluice.net.internal;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.memory.Slab;
import dev.sluice.net.AcceptHandler;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.EventLoop;
import dev.sluice.net.TcpConnection;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.SimulationFailure;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;

/**
 * Echoes through memory of its own, and now and then through a buffer of the loop, as TLS does around its handshake.
 */
final class LentMemoryEcho implements AcceptHandler {
    private static final int MEMORY_BYTES = 5_000;

    private final EventLoop loop;
    private final Chance chance;
    int opened;
    int closed;

    LentMemoryEcho(EventLoop loop, Chance chance) {
        this.loop = loop;
        this.chance = chance;
    }

    @Override
    public void onAccepted(TcpConnection connection, SocketAddress peer) {
        opened++;
        Side side = new Side(connection);
        connection.handler(side);
        side.next();
    }

    @Override
    public void onAcceptFailed(ConnectionFailure failure) {
        // The listener goes on by itself.
    }

    /** The ways in which a side receives. */
    private enum Way {
        NOT,
        INTO_BUFFERS,
        DIRECTLY
    }

    private final class Side implements ConnectionHandler {
        private final TcpConnection connection;
        private final MallocAllocator allocator = new MallocAllocator();
        private final MemorySegment memory = allocator.allocate(MEMORY_BYTES, 8);
        private Way way = Way.NOT;
        private int length;
        private boolean over;

        Side(TcpConnection connection) {
            this.connection = connection;
        }

        /** Receives, one way or the other, or the other way after all while the first is under way. */
        void next() {
            if (chance.oneIn(2)) {
                receiveDirectly();
                return;
            }
            way = Way.INTO_BUFFERS;
            connection.startReceiving();
            if (chance.oneIn(3)) {
                loop.schedule(chance.below(2), this::changeWay);
            }
        }

        private void changeWay() {
            if (!over && way == Way.INTO_BUFFERS) {
                connection.stopReceiving();
                receiveDirectly();
            }
        }

        private void receiveDirectly() {
            way = Way.DIRECTLY;
            connection.receiveInto(memory.address(), chance.sized(1, MEMORY_BYTES), this::received);
        }

        private void received(int count) {
            if (count == 0) {
                over = true;
                connection.close();
                return;
            }
            way = Way.NOT;
            length = count;
            sendRest(0);
        }

        private void sendRest(int from) {
            if (from == length) {
                next();
            } else {
                connection.sendFrom(memory.address() + from, length - from, count -> sendRest(from + count));
            }
        }

        @Override
        public void onReceived(Connection from, Slab buffer) {
            connection.send(buffer);
            if (way == Way.INTO_BUFFERS) {
                connection.stopReceiving();
                next();
            }
        }

        @Override
        public void onSent(Connection to) {
            // What is sent from buffers needs no answer.
        }

        @Override
        public void onEndOfStream(Connection from) {
            over = true;
            connection.close();
        }

        @Override
        public void onFailed(Connection from, ConnectionFailure failure) {
            over = true;
        }

        @Override
        public void onClosed(Connection from) {
            if (closed == opened) {
                throw new SimulationFailure("a second onClosed");
            }
            over = true;
            closed++;
            allocator.free(memory);
        }
    }
}
