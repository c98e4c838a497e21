package dev.sluice.gateway.earlydata;

import dev.sluice.tls.context.EarlyDataOffer;
import java.util.function.Consumer;

/**
 * A check that distinguishes early data that no node of a fleet has seen from copies. The answer takes a round trip, so
 * the handshake does not wait for it: the early data is accepted, held, and forwarded if the answer is {@link
 * ReplayVerdict#FRESH} and precedes the client's Finished.
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
