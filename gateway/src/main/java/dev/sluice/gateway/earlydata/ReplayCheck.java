package dev.sluice.gateway.earlydata;

import dev.sluice.tls.context.EarlyDataOffer;

/**
 * A check that distinguishes early data that was sent once from early data that was recorded and sent again. Called by
 * all loops, inside handshakes: must not block. Whatever is in doubt is not {@link ReplayVerdict#FRESH}.
 */
interface ReplayCheck {
    /** Checks an offer, and remembers it. */
    ReplayVerdict check(EarlyDataOffer offer);
}
