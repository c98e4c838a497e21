package dev.sluice.transfer.channel;

import dev.sluice.tls.context.ContextBuilder;
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
    KeyFingerprint peer() throws ChannelException;

    /**
     * Completes the proof inside the new channel, before anybody else uses it.
     *
     * @throws ChannelException when the peer did not prove who it is; the caller closes the channel
     */
    void confirm(SecureChannel channel) throws ChannelException;

    /** Wipes and frees the native state, after the context. */
    @Override
    void close();
}
