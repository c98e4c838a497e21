package dev.sluice.transfer.channel;

import dev.sluice.ffi.openssl.PinnedKeys;
import dev.sluice.tls.context.ContextBuilder;
import dev.sluice.tls.failure.TlsFailure;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.KeyFingerprint;
import java.util.List;

/** A peer that proves one of the allowed keys by its certificate. */
final class PinnedPeer implements PeerProof {
    private static final List<String> SUITES =
            List.of("TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256");

    private final PinnedKeys pins;

    PinnedPeer(AllowedKeys allowed) {
        this.pins = new PinnedKeys(
                allowed.keys().stream().map(KeyFingerprint::digest).toList());
    }

    @Override
    public void configure(ContextBuilder<?> context) {
        context.cipherSuites(SUITES).pinnedKeys(pins);
    }

    /** Returns whether the peer presented another key. */
    boolean wasRefused() {
        return pins.refused();
    }

    @Override
    public ChannelException explain(TlsFailure failure) {
        byte[] presented = pins.presented();
        if (presented != null && wasRefused()) {
            return new ChannelException(
                    ChannelFailure.WRONG_KEY,
                    "the peer's key " + KeyFingerprint.of(presented)
                            + " is not allowed; compare it with the key that the peer shows, and allow it if equal");
        }
        return ChannelFailures.ofHandshake(failure);
    }

    @Override
    public KeyFingerprint peer() throws ChannelException {
        byte[] presented = pins.presented();
        if (presented == null || pins.refused()) {
            throw new ChannelException(
                    ChannelFailure.WRONG_KEY, "the peer presented no key; it must use one of those allowed");
        }
        return KeyFingerprint.of(presented);
    }

    /** The handshake is the whole proof. */
    @Override
    public void confirm(SecureChannel channel) {}

    @Override
    public void close() {
        pins.close();
    }
}
