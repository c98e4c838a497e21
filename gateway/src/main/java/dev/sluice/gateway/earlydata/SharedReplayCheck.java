package dev.sluice.gateway.earlydata;

import dev.sluice.tls.context.EarlyDataOffer;
import java.util.function.Consumer;

/**
 * Tells early data that no node of a fleet has seen from copies. The answer takes a journey, so it is not waited for
 * inside the handshake: the early data is taken, waits, and goes ahead if the answer comes before the client's Finished
 * and says {@link ReplayVerdict#FRESH}.
 */
public interface SharedReplayCheck extends AutoCloseable {
    /**
     * Asks, and has all nodes remember. May be called from any thread, and does not block.
     *
     * @param answer told once, on any thread, within a short budget; whatever is in doubt is not fresh
     */
    void ask(EarlyDataOffer offer, Consumer<ReplayVerdict> answer);

    /** Asks no more. Again without effect. */
    @Override
    void close();
}
