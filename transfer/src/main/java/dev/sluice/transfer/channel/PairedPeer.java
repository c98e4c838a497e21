package dev.sluice.transfer.channel;

import dev.sluice.tls.context.ContextBuilder;
import dev.sluice.tls.failure.TlsFailure;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.KeyFingerprint;
import dev.sluice.transfer.pairing.CodeSpentException;
import dev.sluice.transfer.pairing.Pairing;
import dev.sluice.transfer.pairing.PairingCode;
import dev.sluice.transfer.pairing.PairingException;
import org.jspecify.annotations.Nullable;

/** A stranger who proves in the handshake the key that it claimed, and inside the channel knowledge of a code. */
final class PairedPeer implements PeerProof {
    private final Pairing pairing;
    private final PinnedPeer claimed;

    /** Takes ownership of a pairing whose messages are exchanged. */
    private PairedPeer(Pairing pairing, KeyFingerprint claimed) {
        this.pairing = pairing;
        this.claimed = new PinnedPeer(AllowedKeys.of(claimed));
    }

    /** Exchanges the messages of pairing as the side that was given the code. */
    static PairedPeer initiate(HandshakeSocket socket, KeyFingerprint own, PairingCode code) throws ChannelException {
        try {
            Pairing pairing = Pairing.initiator(code, own);
            try {
                socket.send(pairing.message());
                return of(pairing, receive(socket));
            } catch (Throwable t) {
                pairing.close();
                throw t;
            }
        } catch (PairingException e) {
            throw failed(e);
        }
    }

    /** Exchanges the messages of pairing as the side that made the code, which is spent by a whole message only. */
    static PairedPeer respond(HandshakeSocket socket, KeyFingerprint own, PairingCode code) throws ChannelException {
        try {
            byte[] message = receive(socket);
            Pairing pairing = Pairing.responder(code, own);
            try {
                socket.send(pairing.message());
                return of(pairing, message);
            } catch (Throwable t) {
                pairing.close();
                throw t;
            }
        } catch (PairingException e) {
            throw failed(e);
        }
    }

    private static byte[] receive(HandshakeSocket socket) throws ChannelException, PairingException {
        byte[] message = socket.receive(Pairing.MESSAGE_BYTES);
        Pairing.requireMessage(message);
        return message;
    }

    private static PairedPeer of(Pairing pairing, byte[] message) throws PairingException {
        pairing.received(message);
        return new PairedPeer(pairing, Pairing.fingerprint(message));
    }

    private static ChannelException failed(PairingException cause) {
        return new ChannelException(
                cause instanceof CodeSpentException ? ChannelFailure.CODE_SPENT : ChannelFailure.PROTOCOL,
                "pairing failed: " + cause.getMessage(),
                cause);
    }

    @Override
    public void configure(ContextBuilder<?> context) {
        claimed.configure(context);
    }

    @Override
    public ChannelException explain(TlsFailure failure) {
        return claimed.wasRefused() ? unproven(null) : ofPairing(ChannelFailures.ofHandshake(failure));
    }

    /** The peer's alert for our key means that it got another claim than we sent. */
    private static ChannelException ofPairing(ChannelException why) {
        return why.failure() == ChannelFailure.WRONG_KEY ? unproven(why) : why;
    }

    private static ChannelException unproven(@Nullable ChannelException cause) {
        return new ChannelException(
                ChannelFailure.WRONG_KEY,
                "pairing failed: a side did not prove the key that it claimed, or somebody altered the claim;"
                        + " the code is void, ask for another one",
                cause);
    }

    @Override
    public KeyFingerprint peer() throws ChannelException {
        return claimed.peer();
    }

    /** Both sides send before they receive, so that each learns of different codes by itself. */
    @Override
    public void confirm(SecureChannel channel) throws ChannelException {
        byte[] received = new byte[Pairing.CONFIRMATION_BYTES];
        try {
            channel.outgoing().put(pairing.confirmation(), 0, Pairing.CONFIRMATION_BYTES);
            channel.send();
            channel.incoming().get(received, 0, received.length);
        } catch (ChannelException e) {
            throw ofPairing(e);
        }
        if (!pairing.confirm(received)) {
            throw new ChannelException(
                    ChannelFailure.WRONG_CODE,
                    "pairing failed: the codes differ, or somebody guessed; the code is void, ask for another one");
        }
    }

    @Override
    public void close() {
        pairing.close();
        claimed.close();
    }
}
