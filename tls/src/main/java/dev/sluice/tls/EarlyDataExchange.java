package dev.sluice.tls;

import dev.sluice.ffi.RawMemory;
import dev.sluice.ffi.openssl.Ssl;
import org.jspecify.annotations.Nullable;

/** What one server connection knows of its client's early data, until its handshake is complete. */
final class EarlyDataExchange {
    private final EarlyDataPolicy policy;
    private boolean offered;
    private long binderStart;
    private long binderNext;
    private @Nullable EarlyDataOffer asked;
    private @Nullable EarlyData accepted;
    private boolean over;
    private int recordsSent;

    EarlyDataExchange(EarlyDataPolicy policy) {
        this.policy = policy;
    }

    /** Inside the ClientHello callback, where alone the binder can be had. */
    void onClientHello(Ssl ssl) {
        long binder = ssl.clientHelloEarlyDataBinder();
        if (binder != 0) {
            offered = true;
            binderStart = RawMemory.getLong(binder);
            binderNext = RawMemory.getLong(binder + Long.BYTES);
        }
    }

    /** libssl would take it. It looks at server name and protocol, but of the suite only at its hash (RFC 8446 section 4.2.10). */
    boolean decide(Ssl ssl) {
        if (!ssl.keepsSuiteOfSession()) {
            return false;
        }
        EarlyDataOffer offer = new EarlyDataOffer(binderStart, binderNext, ssl.ticketIsMarked(policy.mark()));
        asked = offer;
        return policy.gate().accept(offer);
    }

    /** libssl takes it, after the gate agreed. */
    void accepted(HandshakeInfo info) {
        EarlyDataOffer offer = asked;
        if (offer == null) {
            throw new IllegalStateException("early data was taken that nobody decided about");
        }
        accepted = new EarlyData(info, offer);
    }

    /** What was taken; null while nothing was. */
    @Nullable
    EarlyData accepted() {
        return accepted;
    }

    /** None of it will come any more. */
    void end() {
        over = true;
        if (offered && asked == null) {
            policy.gate().unfit();
        }
    }

    boolean isOver() {
        return over;
    }

    /** One record was sent before the client's Finished. */
    void recordSent() {
        recordsSent++;
    }

    int recordsSent() {
        return recordsSent;
    }
}
