package dev.sluice.transfer.meet;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The answers of a relay to a request: one byte each. Everything but the first two is followed by the end. */
public enum RelayAnswer {
    /** The peer is not there yet; another answer follows. */
    WAITING(1, "waiting for the peer"),
    /** The peer is there; what follows are its bytes. */
    JOINED(2, "joined"),
    /** The request is not one, or bytes came before the peer was there. */
    BAD_REQUEST(16, "request not understood; update the older side"),
    /** The request did not arrive in time. */
    REQUEST_TOO_SLOW(17, "the request took too long; check the network"),
    /** A peer of the same role waits under this id. */
    ID_IN_USE(18, "another peer waits under this code; use another code"),
    /** The relay has as many peers or pairs as it takes. */
    RELAY_FULL(19, "the relay is full; try again later, or use another relay"),
    /** This address has as many peers or pairs as one may have. */
    ADDRESS_FULL(20, "too many connections from this address; end some of them first"),
    /** This address has sent too many requests. */
    TOO_MANY_REQUESTS(21, "too many requests from this address; try again in a minute"),
    /** This address, or the relay as a whole, has used up the bytes of the day. */
    QUOTA_USED_UP(22, "the bytes of this day are used up; use a direct connection or another relay"),
    /** The peer did not come in time. */
    WAITED_TOO_LONG(23, "the peer did not come in time; ask again"),
    /** The relay is about to stop. */
    DRAINING(24, "the relay is about to stop; try again later, or use another relay");

    private static final byte FIRST_REFUSAL = 16;

    private final byte code;
    private final String text;

    RelayAnswer(int code, String text) {
        this.code = (byte) code;
        this.text = text;
    }

    /** Returns the byte on the wire. */
    byte code() {
        return code;
    }

    /** Returns the answer of a byte on the wire, null for an unknown one. */
    static @Nullable RelayAnswer of(byte code) {
        for (RelayAnswer answer : values()) {
            if (answer.code == code) {
                return answer;
            }
        }
        return null;
    }

    /** Returns true for an answer that ends the connection. */
    public boolean isRefusal() {
        return code >= FIRST_REFUSAL;
    }

    /** Returns cause and remedy, for people. */
    public String text() {
        return text;
    }

    /** Returns the name in metrics: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
