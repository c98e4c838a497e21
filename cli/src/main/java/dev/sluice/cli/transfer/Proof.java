package dev.sluice.cli.transfer;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelSettings;
import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.pairing.PairingCode;
import dev.sluice.transfer.protocol.ChannelWire;
import org.jspecify.annotations.Nullable;

/** The proof of a peer that a command demands: a known key, or a code for the first stream and its key afterwards. */
final class Proof {
    /** The side of the handshake. */
    enum Side {
        CONNECTS,
        ACCEPTS
    }

    private final Side side;
    private final OwnKey own;
    private final @Nullable PairingCode code;
    private final ChannelSettings settings;
    private volatile @Nullable AllowedKeys allowed;

    private Proof(
            Side side,
            OwnKey own,
            @Nullable PairingCode code,
            @Nullable AllowedKeys allowed,
            ChannelSettings settings) {
        this.side = side;
        this.settings = settings;
        this.own = own;
        this.code = code;
        this.allowed = allowed;
    }

    /** Demands a key, for a transfer. */
    static Proof byKey(Side side, OwnKey own, AllowedKeys allowed) {
        return byKey(side, own, allowed, ChannelWire.SETTINGS);
    }

    /** Demands a key. */
    static Proof byKey(Side side, OwnKey own, AllowedKeys allowed, ChannelSettings settings) {
        return new Proof(side, own, null, allowed, settings);
    }

    /** Demands a code, and the key that came with it for all further streams, for a transfer. */
    static Proof byCode(Side side, OwnKey own, PairingCode code) {
        return new Proof(side, own, code, null, ChannelWire.SETTINGS);
    }

    /** Makes a channel of a socket, which it owns from now on, also when this throws. Thread-safe. */
    SecureChannel open(ChannelSocket socket) throws ChannelException {
        AllowedKeys known = allowed;
        if (known != null) {
            return side == Side.CONNECTS
                    ? SecureChannel.connect(socket, own, known, settings)
                    : SecureChannel.accept(socket, own, known, settings);
        }
        PairingCode guess = code;
        if (guess == null) {
            throw new IllegalStateException("neither keys nor a code");
        }
        SecureChannel channel = side == Side.CONNECTS
                ? SecureChannel.connect(socket, own, guess, settings)
                : SecureChannel.accept(socket, own, guess, settings);
        allowed = AllowedKeys.of(channel.peer());
        return channel;
    }

    /** Demands the key of a peer from now on. */
    void pin(SecureChannel channel) {
        allowed = AllowedKeys.of(channel.peer());
    }

    /** Returns the name of a peer: that of the list of keys, or its fingerprint. */
    String nameOf(SecureChannel channel) {
        AllowedKeys known = allowed;
        String name = known == null ? "" : known.nameOf(channel.peer());
        return name.isEmpty() ? channel.peer().toString() : name;
    }

    /** Returns whether the code was tried, and nobody proved to have it. */
    boolean isLost() {
        PairingCode guess = code;
        return guess != null && guess.isLost();
    }
}
