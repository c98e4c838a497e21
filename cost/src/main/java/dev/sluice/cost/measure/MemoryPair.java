package dev.sluice.cost.measure;

import dev.sluice.ffi.RawMemory;
import dev.sluice.tls.BufferedEngine;
import dev.sluice.tls.EngineStatus;

/** Carries what two engines send between them, without a network. */
final class MemoryPair {
    private MemoryPair() {}

    /** Lets one receive what the other has to send, all of it. */
    static void carry(BufferedEngine from, BufferedEngine to) {
        for (int length = from.sendLength(); length > 0; length = from.sendLength()) {
            int count = Math.min(length, to.receiveCapacity());
            RawMemory.copy(from.sendAddress(), to.receiveAddress(), count);
            from.sent(count);
            to.received(count);
        }
    }

    /** Handshakes until both are through; what the server sends last is not carried yet. */
    static void handshake(BufferedEngine client, BufferedEngine server) {
        while (client.handshakeInfo() == null || server.handshakeInfo() == null) {
            step(client);
            carry(client, server);
            step(server);
            carry(server, client);
        }
    }

    /** Goes on with one end's handshake. */
    static void step(BufferedEngine engine) {
        if (engine.handshake() == EngineStatus.FAILED) {
            throw new IllegalStateException("a handshake in memory failed: " + engine.failure());
        }
    }
}
