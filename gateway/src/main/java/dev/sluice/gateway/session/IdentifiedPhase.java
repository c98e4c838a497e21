package dev.sluice.gateway.session;

import dev.sluice.memory.Slab;

/** The first phase of a client that is known: after the PROXY header of its proxy, if there is one. */
sealed interface IdentifiedPhase extends OpeningPhase permits HelloPhase, PeekPhase, PlainPhase, RedirectPhase {
    /**
     * Takes the first bytes of the client, which came before this phase was entered. Receiving is off.
     *
     * @param first the phase's from now on; the caller's when this throws
     */
    void take(Slab first);
}
