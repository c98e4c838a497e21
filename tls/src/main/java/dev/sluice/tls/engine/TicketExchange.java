package dev.sluice.tls.engine;

import static dev.sluice.ffi.openssl.HandshakeCallbacks.Target.NO_TICKET;
import static dev.sluice.ffi.openssl.HandshakeCallbacks.Target.TICKET_OK;
import static dev.sluice.ffi.openssl.HandshakeCallbacks.Target.TICKET_TO_RENEW;

import dev.sluice.ffi.openssl.OfferedSession;
import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import dev.sluice.tls.context.SessionContext;
import dev.sluice.tls.ticket.TicketKeyRing;
import dev.sluice.tls.ticket.TicketPolicy;
import dev.sluice.tls.ticket.TicketResult;
import org.jspecify.annotations.Nullable;

/** The ticket state of one server connection, until its handshake is complete. */
final class TicketExchange {
    private static final long MILLIS_PER_SECOND = 1_000;

    private boolean offersTicket;
    private boolean offersPsk;
    private TicketResult result = TicketResult.NONE;

    /** True if a ticket was opened. */
    private boolean opened;

    /** The reason why the ticket's session cannot be resumed here; null if unknown. */
    private @Nullable ResumptionMiss obstacle;

    /** Handles a ClientHello; called inside its callback, once for each ClientHello. */
    void onClientHello(Ssl ssl) {
        offersTicket = ssl.clientHelloHasTicket();
        offersPsk = ssl.clientHelloHasPsk();
        result = TicketResult.NONE;
        opened = false;
        obstacle = null;
    }

    /** Opens a ticket: see {@link dev.sluice.ffi.openssl.HandshakeCallbacks.Target#onTicketKey}. */
    int open(TicketKeyRing keys, long name, long iv, long cipherContext, long macContext) {
        TicketResult found = keys.open(name, iv, cipherContext, macContext);
        if (found.compareTo(result) > 0) {
            result = found;
        }
        return switch (found) {
            case CURRENT -> TICKET_OK;
            case PREVIOUS -> TICKET_TO_RENEW;
            case NONE, UNKNOWN, EXPIRED -> NO_TICKET;
        };
    }

    /**
     * Compares an opened ticket's session with the context. libssl makes the same comparisons next, but does not report
     * the result.
     */
    void onOpened(OfferedSession session, Ssl ssl, SessionContext context, String serverName) {
        opened = true;
        boolean tls13 = isTls13(ssl);
        if (tls13 != (session.version() == OpenSslConstants.TLS1_3_VERSION)) {
            obstacle = ResumptionMiss.OTHER_VERSION;
        } else if (!context.isOf(session)) {
            obstacle = session.hostName().equalsIgnoreCase(serverName)
                    ? ResumptionMiss.OTHER_CONTEXT
                    : ResumptionMiss.OTHER_HOST;
        } else if (session.endSeconds() <= System.currentTimeMillis() / MILLIS_PER_SECOND) {
            obstacle = ResumptionMiss.EXPIRED;
        } else if (tls13 && !session.fitsSuite()) {
            obstacle = ResumptionMiss.OTHER_SUITE;
        } else {
            obstacle = null;
        }
    }

    /** Returns the result of the client's ticket. */
    TicketResult result() {
        return result;
    }

    /**
     * Returns the reason of a completed full handshake.
     *
     * @param policy of the context selected for the client
     */
    ResumptionMiss miss(Ssl ssl, TicketPolicy policy) {
        if (policy.count() == 0) {
            return ResumptionMiss.TICKETS_OFF;
        }
        if (!offersTicket && !offersPsk) {
            return ResumptionMiss.NONE_OFFERED;
        }
        return switch (result) {
            case UNKNOWN -> ResumptionMiss.UNKNOWN_KEY;
            case EXPIRED -> ResumptionMiss.EXPIRED;
            case CURRENT, PREVIOUS -> missOfKnownKey();
            case NONE -> missOfNoKey(ssl);
        };
    }

    private ResumptionMiss missOfKnownKey() {
        if (!opened) {
            return ResumptionMiss.DAMAGED;
        }
        return obstacle == null ? ResumptionMiss.UNKNOWN : obstacle;
    }

    /** Returns the reason when no key was used; each version has its own place for tickets and ignores the other. */
    private ResumptionMiss missOfNoKey(Ssl ssl) {
        boolean offersOfVersion = isTls13(ssl) ? offersPsk : offersTicket;
        return offersOfVersion ? ResumptionMiss.UNKNOWN : ResumptionMiss.OTHER_VERSION;
    }

    private static boolean isTls13(Ssl ssl) {
        return ssl.version().equals("TLSv1.3");
    }
}
