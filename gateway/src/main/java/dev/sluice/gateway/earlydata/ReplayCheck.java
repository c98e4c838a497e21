package dev.sluice.gateway.earlydata;

import dev.sluice.tls.context.EarlyDataOffer;

/**
 * Tells early data that was sent once from early data that was recorded and sent again. Asked by all loops, inside
 * handshakes: must not block. Whatever it is in doubt about is not {@link ReplayVerdict#FRESH}.
 */
interface ReplayCheck {
    /** Checks an offer, and remembers it. */
    ReplayVerdict check(EarlyDataOffer offer);
}
