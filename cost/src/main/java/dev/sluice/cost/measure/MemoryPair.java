package dev.sluice.cost.measure;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.engine.BufferedEngine;
import dev.sluice.tls.engine.EngineStatus;

/** A transport between two engines in memory, without a network. */
final class MemoryPair {
    private MemoryPair() {}

    /** Carries all of one engine's output to the other. */
    static void carry(BufferedEngine from, BufferedEngine to) {
        for (int length = from.sendLength(); length > 0; length = from.sendLength()) {
            int count = Math.min(length, to.receiveCapacity());
            RawMemory.copy(from.sendAddress(), to.receiveAddress(), count);
            from.sent(count);
            to.received(count);
        }
    }

    /** Completes a handshake; the server's last output is not carried yet. */
    static void handshake(BufferedEngine client, BufferedEngine server) {
        while (client.handshakeInfo() == null || server.handshakeInfo() == null) {
            step(client);
            carry(client, server);
            step(server);
            carry(server, client);
        }
    }

    /** Continues one end's handshake. */
    static void step(BufferedEngine engine) {
        if (engine.handshake() == EngineStatus.FAILED) {
            throw new IllegalStateException("handshake in memory failed: " + engine.failure());
        }
    }
}
