package dev.sluice.bench.record.path;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.engine.BufferedEngine;
import dev.sluice.tls.engine.EngineStatus;

/**
 * The two ends of a connection.
 *
 * @param client sends the measured records
 * @param server receives them
 */
record EnginePair(BufferedEngine client, BufferedEngine server) implements AutoCloseable {
    private static final int MAX_FLIGHTS = 10;

    /** Completes the handshake, and delivers the server's tickets to the client. */
    void connect() {
        int clientStatus = client.handshake();
        int serverStatus = EngineStatus.WANT_READ;
        for (int flight = 0; flight < MAX_FLIGHTS && !(isDone(clientStatus) && isDone(serverStatus)); flight++) {
            move(client, server);
            serverStatus = server.handshake();
            move(server, client);
            clientStatus = client.handshake();
        }
        RecordPath.require(isDone(clientStatus) && isDone(serverStatus), "the handshake");
        readTickets();
    }

    private void readTickets() {
        move(server, client);
        long nowhere = client.receiveAddress(); // any memory will do: there is no output
        client.received(0);
        RecordPath.require(client.read(nowhere, 1) == EngineStatus.WANT_READ, "reading the tickets");
    }

    private static boolean isDone(int status) {
        return status == EngineStatus.DONE;
    }

    /** Carries all output of one end to the other, as a network would. */
    static void move(BufferedEngine from, BufferedEngine to) {
        while (from.sendLength() > 0) {
            int count = Math.min(from.sendLength(), to.receiveCapacity());
            RawMemory.copy(from.sendAddress(), to.receiveAddress(), count);
            from.sent(count);
            to.received(count);
        }
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
