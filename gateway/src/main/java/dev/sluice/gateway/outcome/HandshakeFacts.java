package dev.sluice.gateway.outcome;

import dev.sluice.tls.ech.EchOutcome;
import dev.sluice.tls.engine.Detach;
import dev.sluice.tls.engine.HandshakeInfo;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The properties of one complete handshake with a client.
 *
 * @param info the TLS library's report
 * @param host the configured name that matches the client's server name, such as {@code *.example.com}; "" when none
 *     does. Unlike the server name itself it is one of a few, whatever clients send
 * @param detached the outcome of the detach from the TLS library; null when that is not known
 * @param outerName the name that the client sent in the clear, on a listener with Encrypted ClientHello
 * @param queueMicros the time from the ClientHello to the start of the handshake, in microseconds
 */
public record HandshakeFacts(
        HandshakeInfo info, String host, @Nullable Detach detached, OuterName outerName, long queueMicros) {
    /** Kinds of names sent in the clear. */
    public enum OuterName {
        /** The listener's public name. */
        PUBLIC,
        /** Another name. */
        OTHER,
        /** No name. */
        NONE;

        private final String label = name().toLowerCase(Locale.ROOT);

        /** Returns the label in metrics. */
        String label() {
            return label;
        }

        /**
         * Returns the kind of the name of a handshake.
         *
         * @param publicName the listener's; "" without Encrypted ClientHello
         */
        public static OuterName of(HandshakeInfo info, String publicName) {
            boolean inside = info.ech().state() == EchOutcome.State.ACCEPTED;
            String name = inside ? info.ech().outerName() : info.serverName();
            if (name.isEmpty()) {
                return NONE;
            }
            return name.equalsIgnoreCase(publicName) ? PUBLIC : OTHER;
        }
    }
}
