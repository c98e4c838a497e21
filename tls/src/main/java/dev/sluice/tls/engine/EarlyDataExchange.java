package dev.sluice.tls.engine;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.OpenSslError;
import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.tls.context.EarlyDataOffer;
import dev.sluice.tls.context.EarlyDataPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The early-data state of one server connection, until its handshake is complete. */
final class EarlyDataExchange {
    private final EarlyDataPolicy policy;
    private boolean offered;
    private long binderStart;
    private long binderNext;
    private @Nullable EarlyDataOffer asked;
    private @Nullable EarlyData accepted;
    private boolean over;
    private List<OpenSslError> errorsAtEnd = List.of();
    private int recordsSent;

    EarlyDataExchange(EarlyDataPolicy policy) {
        this.policy = policy;
    }

    /** Records the binder, which is available only inside the ClientHello callback. */
    void onClientHello(Ssl ssl) {
        long binder = ssl.clientHelloEarlyDataBinder();
        if (binder != 0) {
            offered = true;
            binderStart = RawMemory.getLong(binder);
            binderNext = RawMemory.getLong(binder + Long.BYTES);
        }
    }

    /**
     * Decides about early data that libssl would accept. libssl checks server name and protocol, but only the hash of
     * the suite (RFC 8446 section 4.2.10).
     */
    boolean decide(Ssl ssl) {
        if (!ssl.keepsSuiteOfSession()) {
            return false;
        }
        EarlyDataOffer offer = new EarlyDataOffer(binderStart, binderNext, ssl.ticketIsMarked(policy.mark()));
        asked = offer;
        return policy.gate().accept(offer);
    }

    /** Records that libssl accepts the data, after the gate agreed. */
    void accepted(HandshakeInfo info) {
        EarlyDataOffer offer = asked;
        if (offer == null) {
            throw new IllegalStateException("early data accepted without a decision");
        }
        accepted = new EarlyData(info, offer);
    }

    /** Returns the accepted early data; null when there is none. */
    @Nullable
    EarlyData accepted() {
        return accepted;
    }

    /**
     * Ends the early data.
     *
     * @param errors what libssl complained about: it tells of the end even if what followed has failed, and of the
     *     failure only when the handshake continues, then without its cause
     */
    void end(List<OpenSslError> errors) {
        over = true;
        errorsAtEnd = errors;
        if (offered && asked == null) {
            policy.gate().unfit();
        }
    }

    /** Returns the errors at the end of the early data, root cause first. */
    List<OpenSslError> errorsAtEnd() {
        return errorsAtEnd;
    }

    boolean isOver() {
        return over;
    }

    /** Counts one record sent before the client's Finished. */
    void recordSent() {
        recordsSent++;
    }

    int recordsSent() {
        return recordsSent;
    }
}
