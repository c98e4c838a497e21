package dev.sluice.transfer.channel;

import dev.sluice.tls.context.ContextBuilder;
import dev.sluice.tls.engine.HandshakeInfo;
import dev.sluice.tls.failure.TlsFailure;
import dev.sluice.transfer.identity.KeyFingerprint;

/** The way in which the peer of one handshake proves who it is. */
sealed interface PeerProof extends AutoCloseable permits PinnedPeer, PairedPeer {
    /** Configures the TLS context of the handshake. */
    void configure(ContextBuilder<?> context);

    /** Returns the exception for a failed handshake. */
    ChannelException explain(TlsFailure failure);

    /**
     * Returns the peer's key after a handshake.
     *
     * @throws ChannelException when the handshake did not prove it
     */
    KeyFingerprint peer(HandshakeInfo handshake) throws ChannelException;

    /** Wipes and frees the native state, after the context. */
    @Override
    void close();
}
