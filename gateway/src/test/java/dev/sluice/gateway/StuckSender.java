package dev.sluice.gateway;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.Channel;
import dev.sluice.simulator.Pattern;
import dev.sluice.simulator.Peer;
import dev.sluice.simulator.SimulatedKernel;
import org.jspecify.annotations.Nullable;

/** A peer that sends as much as it can, reads nothing, and resets the connection in the end. */
final class StuckSender implements Peer {
    private static final int MOST_AT_ONCE = 40_000;

    private final SimulatedKernel kernel;
    private final Chance chance;
    private final byte[] piece = new byte[MOST_AT_ONCE];
    private final long stream;
    private @Nullable Channel channel;
    private int sent;
    private boolean leaving;
    private boolean left;
    private long leftNanos;

    /**
     * Creates a stuck sender.
     *
     * @param stream the {@link Pattern} stream that it sends
     */
    StuckSender(SimulatedKernel kernel, Chance chance, long stream) {
        this.kernel = kernel;
        this.chance = chance;
        this.stream = stream;
        kernel.add(this);
    }

    /** Begins to send, or resets at once when it was to leave already. */
    void send(Channel newChannel) {
        channel = newChannel;
        if (leaving) {
            leave();
        }
    }

    /** Resets the connection as soon as there is one. */
    void leave() {
        leaving = true;
        Channel to = channel;
        if (to != null && !left) {
            left = true;
            leftNanos = kernel.nanoTime();
            to.reset();
        }
    }

    /** True when it has reset the connection. */
    boolean hasLeft() {
        return left;
    }

    /** Returns the simulated time since then. */
    long nanosSince() {
        return kernel.nanoTime() - leftNanos;
    }

    @Override
    public boolean step() {
        Channel to = channel;
        if (to == null || left) {
            return false;
        }
        int length = chance.sized(1, MOST_AT_ONCE);
        Pattern.fill(stream, sent, piece, 0, length);
        int count = to.write(piece, 0, length);
        sent += Math.max(0, count);
        if (count <= 0 && count != -Errno.EAGAIN) {
            leave();
        }
        return count > 0;
    }
}
