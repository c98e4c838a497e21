package dev.sluice.net.internal;

import dev.sluice.simulator.MemorySocket;
import dev.sluice.simulator.Peer;
import dev.sluice.simulator.SimulatedKernel;

/** A peer that sends a byte, awaits the answer, and sends the next. */
final class Asker implements Peer {
    private final SimulatedKernel kernel;
    private final MemorySocket socket;
    private final int messages;
    private final byte[] message = new byte[1];
    private int answered = 1;
    private int answers = -1;
    private long lastNanos;

    Asker(SimulatedKernel kernel, MemorySocket socket, int messages) {
        this.kernel = kernel;
        this.socket = socket;
        this.messages = messages;
    }

    int answers() {
        return answers;
    }

    /** Returns the simulated time of the last answer. */
    long lastNanos() {
        return lastNanos;
    }

    @Override
    public boolean step() {
        if (answered == 1) {
            answered = 0;
            answers++;
            lastNanos = kernel.nanoTime();
            return answers < messages && socket.write(message, 0, 1) == 1;
        }
        answered = Math.max(0, socket.read(message, 0, 1));
        return answered > 0;
    }
}
