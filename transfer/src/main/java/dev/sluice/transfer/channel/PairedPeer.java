package dev.sluice.transfer.channel;

import dev.sluice.ffi.openssl.ExternalPsk;
import dev.sluice.ffi.openssl.PinnedKeys;
import dev.sluice.tls.context.ContextBuilder;
import dev.sluice.tls.engine.HandshakeInfo;
import dev.sluice.tls.failure.TlsFailure;
import dev.sluice.transfer.identity.KeyFingerprint;
import dev.sluice.transfer.pairing.CodeSpentException;
import dev.sluice.transfer.pairing.Pairing;
import dev.sluice.transfer.pairing.PairingCode;
import dev.sluice.transfer.pairing.PairingException;
import java.util.List;

/** A stranger who proves knowledge of a pairing code by a PSK made from it, and whose key the PSK confirms. */
final class PairedPeer implements PeerProof {
    /** An external PSK belongs to one hash, and ours to this suite. */
    private static final List<String> SUITES = List.of("TLS_AES_256_GCM_SHA384");

    private final KeyFingerprint claimed;
    private final ExternalPsk psk;

    /** Nobody: without the PSK a handshake fails. */
    private final PinnedKeys nobody = new PinnedKeys(List.of());

    private PairedPeer(KeyFingerprint claimed, ExternalPsk psk) {
        this.claimed = claimed;
        this.psk = psk;
    }

    /** Exchanges the messages of pairing as the side that was given the code. */
    static PairedPeer initiate(HandshakeSocket socket, KeyFingerprint own, PairingCode code) throws ChannelException {
        try (Pairing pairing = Pairing.initiator(code, own)) {
            socket.send(pairing.message());
            return of(pairing, receive(socket));
        } catch (CodeSpentException e) {
            throw spent(e);
        } catch (PairingException e) {
            throw broken(e);
        }
    }

    /** Exchanges the messages of pairing as the side that made the code, which is spent by a whole message only. */
    static PairedPeer respond(HandshakeSocket socket, KeyFingerprint own, PairingCode code) throws ChannelException {
        try {
            byte[] message = receive(socket);
            try (Pairing pairing = Pairing.responder(code, own)) {
                socket.send(pairing.message());
                return of(pairing, message);
            }
        } catch (CodeSpentException e) {
            throw spent(e);
        } catch (PairingException e) {
            throw broken(e);
        }
    }

    private static byte[] receive(HandshakeSocket socket) throws ChannelException, PairingException {
        byte[] message = socket.receive(Pairing.MESSAGE_BYTES);
        Pairing.requireMessage(message);
        return message;
    }

    private static PairedPeer of(Pairing pairing, byte[] message) throws PairingException {
        return new PairedPeer(Pairing.fingerprint(message), pairing.psk(message));
    }

    private static ChannelException spent(CodeSpentException cause) {
        return new ChannelException(ChannelFailure.CODE_SPENT, "pairing failed: " + cause.getMessage(), cause);
    }

    private static ChannelException broken(PairingException cause) {
        return new ChannelException(ChannelFailure.PROTOCOL, "pairing failed: " + cause.getMessage(), cause);
    }

    private static ChannelException wrongCode(String detail) {
        return new ChannelException(
                ChannelFailure.WRONG_CODE,
                "pairing failed: the codes differ, or somebody guessed (" + detail
                        + "); the code is void, ask for another one");
    }

    @Override
    public void configure(ContextBuilder<?> context) {
        context.cipherSuites(SUITES).pinnedKeys(nobody).externalPsk(psk);
    }

    /** The code is the only thing in which two sides of this handshake can differ. */
    @Override
    public ChannelException explain(TlsFailure failure) {
        return switch (failure.reason()) {
            case CLOSED_IN_HANDSHAKE, CONNECTION_RESET -> ChannelFailures.ofHandshake(failure);
            default -> wrongCode(failure.reason().label());
        };
    }

    @Override
    public KeyFingerprint peer(HandshakeInfo handshake) throws ChannelException {
        if (!handshake.resumed()) {
            throw wrongCode("the peer did not use it");
        }
        return claimed;
    }

    @Override
    public void close() {
        psk.close();
        nobody.close();
    }
}
