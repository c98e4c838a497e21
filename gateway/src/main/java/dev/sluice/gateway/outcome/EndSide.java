package dev.sluice.gateway.outcome;

import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.Fault;
import java.util.function.Function;

/**
 * The side of a session that an end came from, which is the beginning of its label: {@code client_connection_reset}.
 *
 * <p>The labels of all pairs of side and reason are made once, so that an end allocates none.
 */
public enum EndSide {
    /** The gateway itself decided; no prefix. */
    GATEWAY("", EndReason::label),
    /** The client, before its TLS handshake was complete. */
    HANDSHAKE("handshake_", EndReason::labelInHandshake),
    /** The client, after the handshake. */
    CLIENT("client_", EndReason::label),
    /** The backend: its connect, or its connection. */
    BACKEND("backend_", EndReason::label),
    /** The backend, before its TLS handshake was complete. */
    BACKEND_HANDSHAKE("backend_handshake_", EndReason::labelInHandshake);

    private final String prefix;

    @SuppressWarnings("ImmutableEnumChecker") // written once, never handed out
    private final String[] labels;

    EndSide(String prefix, Function<EndReason, String> rest) {
        this.prefix = prefix;
        EndReason[] reasons = EndReason.values();
        this.labels = new String[reasons.length];
        for (EndReason reason : reasons) {
            labels[at(reason)] = prefix + rest.apply(reason);
        }
    }

    /** Returns the beginning of the labels; "" for {@link #GATEWAY}. */
    String prefix() {
        return prefix;
    }

    /** Returns the label of an end in metrics and logs, such as {@code client_connection_reset}. */
    String label(EndReason reason) {
        return labels[at(reason)];
    }

    /** Returns the label among failed handshakes with clients: as {@link #label}, without {@code handshake_}. */
    String labelInHandshake(EndReason reason) {
        return this == GATEWAY || this == HANDSHAKE ? reason.labelInHandshake() : label(reason);
    }

    /** Returns the party to blame: a backend that misbehaves is part of the client's environment. */
    Fault fault(EndReason reason) {
        boolean ofClient = this != BACKEND && this != BACKEND_HANDSHAKE;
        return ofClient || reason.fault() == Fault.OURS ? reason.fault() : Fault.ENVIRONMENT;
    }

    @SuppressWarnings("EnumOrdinal") // a place in memory, never stored or sent
    private static int at(EndReason reason) {
        return reason.ordinal();
    }
}
