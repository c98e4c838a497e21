package dev.sluice.tls;

import static dev.sluice.ffi.openssl.HandshakeCallbacks.Target.NO_TICKET;
import static dev.sluice.ffi.openssl.HandshakeCallbacks.Target.TICKET_OK;
import static dev.sluice.ffi.openssl.HandshakeCallbacks.Target.TICKET_TO_RENEW;

import dev.sluice.ffi.openssl.OfferedSession;
import dev.sluice.ffi.openssl.OpenSslConstants;
import dev.sluice.ffi.openssl.Ssl;
import org.jspecify.annotations.Nullable;

/** What one server connection knows of the tickets that its client offers, until its handshake is complete. */
final class TicketExchange {
    private static final long MILLIS_PER_SECOND = 1_000;

    private boolean offersTicket;
    private boolean offersPsk;
    private TicketResult result = TicketResult.NONE;

    /** Whether a ticket was opened. */
    private boolean opened;

    /** Why the session in it cannot be resumed here; null when that is not known. */
    private @Nullable ResumptionMiss obstacle;

    /** Inside the ClientHello callback, once for each ClientHello. */
    void onClientHello(Ssl ssl) {
        offersTicket = ssl.clientHelloHasTicket();
        offersPsk = ssl.clientHelloHasPsk();
        result = TicketResult.NONE;
        opened = false;
        obstacle = null;
    }

    /** A ticket is to be opened: see {@link dev.sluice.ffi.openssl.HandshakeCallbacks.Target#onTicketKey}. */
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

    /** A ticket was opened. libssl makes the same comparisons next, and does not tell what came of them. */
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

    /** What became of the client's ticket. */
    TicketResult result() {
        return result;
    }

    /**
     * Why nothing was resumed, of a handshake that is complete.
     *
     * @param policy of the context that the client came to
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

    /** Each version has a place of its own for tickets, and looks at no other. */
    private ResumptionMiss missOfNoKey(Ssl ssl) {
        boolean offersOfVersion = isTls13(ssl) ? offersPsk : offersTicket;
        return offersOfVersion ? ResumptionMiss.UNKNOWN : ResumptionMiss.OTHER_VERSION;
    }

    private static boolean isTls13(Ssl ssl) {
        return ssl.version().equals("TLSv1.3");
    }
}
