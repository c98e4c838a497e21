package dev.sluice.net.internal.peer;

import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.loop.EventLoops;
import dev.sluice.net.peer.PeerLimits;
import java.util.ArrayList;
import java.util.List;

/** The event loops of one server or client, which owns them. May be used from any thread. */
public final class LoopGroup implements AutoCloseable {
    private final List<PeerLoop> loops = new ArrayList<>();

    /**
     * Starts loops.
     *
     * @param config the settings of each; its number is added to the name
     * @throws dev.sluice.net.BackendUnavailableException when the required transport cannot run here
     */
    public LoopGroup(int count, EventLoopConfig config, PeerLimits limits) {
        try {
            for (int i = 0; i < count; i++) {
                loops.add(new PeerLoop(EventLoops.start(config.withName(config.name() + '-' + i)), limits));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Returns the loops. */
    public List<PeerLoop> loops() {
        return List.copyOf(loops);
    }

    /**
     * Rejects a call that waits for the loops from one of them.
     *
     * @param call its name, for the message
     */
    public void requireOutside(String call) {
        for (PeerLoop each : loops) {
            if (each.eventLoop().inLoop()) {
                throw new IllegalStateException(call + " waits for the event loop "
                        + each.eventLoop().name() + " and was called on it; call it from another thread");
            }
        }
    }

    /** Aborts all connections, and ends the loops. */
    @Override
    public void close() {
        loops.forEach(each -> each.eventLoop().close());
    }
}
