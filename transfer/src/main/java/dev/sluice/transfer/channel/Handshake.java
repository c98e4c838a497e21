package dev.sluice.transfer.channel;

import dev.sluice.ffi.libc.AccountedAllocator;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.MmapAllocator;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.memory.Slab;
import dev.sluice.tls.context.ContextBuilder;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.DirectEngine;
import dev.sluice.tls.engine.DirectRecords;
import dev.sluice.tls.engine.EngineStatus;
import dev.sluice.tls.engine.HandshakeInfo;
import dev.sluice.tls.engine.LoopCrypto;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.KeyFingerprint;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.pairing.PairingCode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The handshake of one channel: TLS 1.3 by libssl over the blocking socket, then the detach. With a pairing code, two
 * messages precede it, and two follow inside the channel. Confined to one thread.
 */
final class Handshake {
    private static final Ledger.Account MEMORY = Ledger.process().account("secure channels");
    private static final int MAX_BUFFERS = 4;

    /** The side of the TLS handshake. */
    enum Role {
        CLIENT,
        SERVER
    }

    /** A source of a peer's proof; it may exchange messages first. */
    @FunctionalInterface
    interface Proofs {
        PeerProof open(HandshakeSocket wire) throws ChannelException;
    }

    private final ChannelSocket socket;
    private final ChannelSettings settings;
    private final NativeAllocator allocator;
    private @Nullable Slab unread;

    /** Takes ownership of the socket. */
    Handshake(ChannelSocket socket, ChannelSettings settings) {
        this(socket, settings, new AccountedAllocator(new MallocAllocator(), MEMORY));
    }

    /**
     * Takes ownership of the socket.
     *
     * @param allocator the source of the channel's memory
     */
    Handshake(ChannelSocket socket, ChannelSettings settings, NativeAllocator allocator) {
        this.allocator = allocator;
        this.socket = socket;
        this.settings = settings;
    }

    /** Makes the handshake with a known peer. */
    SecureChannel run(Role role, OwnKey own, AllowedKeys allowed) throws ChannelException {
        return run(role, own, wire -> new PinnedPeer(allowed));
    }

    /** Makes the handshake with a stranger. */
    SecureChannel run(Role role, OwnKey own, PairingCode code) throws ChannelException {
        return run(
                role,
                own,
                wire -> role == Role.CLIENT
                        ? PairedPeer.initiate(wire, own.fingerprint(), code)
                        : PairedPeer.respond(wire, own.fingerprint(), code));
    }

    /** Makes the handshake with a peer that proves who it is. */
    SecureChannel run(Role role, OwnKey own, Proofs proofs) throws ChannelException {
        boolean complete = false;
        try (HandshakeSocket wire = new HandshakeSocket(socket, settings.handshakeLimit());
                PeerProof proof = proofs.open(wire);
                TlsContext context = context(role, own, proof);
                LoopCrypto crypto = new LoopCrypto(
                        new MallocAllocator(), new MmapAllocator(), LoopCrypto.MIN_BUFFER_BYTES, MAX_BUFFERS)) {
            SecureChannel channel = establish(wire, engine(role, context, crypto), proof);
            try {
                confirm(wire, channel, proof);
                complete = true;
                return channel;
            } finally {
                if (!complete) {
                    channel.close();
                }
            }
        } finally {
            if (!complete) {
                socket.close();
            }
        }
    }

    private static TlsContext context(Role role, OwnKey own, PeerProof proof) {
        ContextBuilder<?> builder =
                role == Role.CLIENT ? TlsContext.client() : TlsContext.server().sessionTickets(0);
        builder.versions(ProtocolVersion.TLS_1_3, ProtocolVersion.TLS_1_3).certificate(own.identity());
        proof.configure(builder);
        return builder.build();
    }

    private static DirectEngine engine(Role role, TlsContext context, LoopCrypto crypto) {
        return role == Role.CLIENT
                ? DirectEngine.client(context, "", null, null, crypto)
                : DirectEngine.server(context, crypto);
    }

    private SecureChannel establish(HandshakeSocket wire, DirectEngine engine, PeerProof proof)
            throws ChannelException {
        try (engine) {
            exchange(wire, engine, proof);
            HandshakeInfo info = Objects.requireNonNull(engine.handshakeInfo());
            KeyFingerprint peer = proof.peer();
            DirectRecords records = engine.handOff(Slab::release, slab -> unread = slab);
            if (records == null) {
                throw new ChannelException(
                        ChannelFailure.MACHINE,
                        "OpenSSL did not release the connection (" + engine.detached() + "); use another OpenSSL");
            }
            try (records) {
                return channel(records, info, peer);
            }
        }
    }

    private void confirm(HandshakeSocket wire, SecureChannel channel, PeerProof proof) throws ChannelException {
        socket.timeLimits(wire.timeLeft());
        proof.confirm(channel);
        socket.timeLimits(settings.silenceLimit());
    }

    private SecureChannel channel(DirectRecords records, HandshakeInfo info, KeyFingerprint peer) {
        Slab early = unread;
        try {
            SecureChannel channel = new SecureChannel(allocator, socket, records.channel(), info, peer, settings);
            if (early != null) {
                channel.receiving().inherit(early.payloadAddress(), early.length());
            }
            return channel;
        } finally {
            if (early != null) {
                early.release();
            }
        }
    }

    private static void exchange(HandshakeSocket wire, DirectEngine engine, PeerProof proof) throws ChannelException {
        int status = EngineStatus.WANT_WRITE;
        while (status != EngineStatus.DONE) {
            status = engine.handshake();
            if (status == EngineStatus.FAILED) {
                sendAlert(wire, engine);
                throw proof.explain(Objects.requireNonNull(engine.failure()));
            }
            flush(wire, engine);
            if (status == EngineStatus.WANT_READ) {
                receive(wire, engine);
            }
        }
    }

    /** A courtesy to a peer that may be gone. */
    private static void sendAlert(HandshakeSocket wire, DirectEngine engine) {
        try {
            flush(wire, engine);
            wire.linger();
        } catch (ChannelException ignored) {
            // The failure that the alert reports is the one that counts.
        }
    }

    private static void flush(HandshakeSocket wire, DirectEngine engine) throws ChannelException {
        for (int length = engine.sendLength(); length > 0; length = engine.sendLength()) {
            wire.send(engine.sendAddress(), length);
            engine.sent(length);
        }
    }

    private static void receive(HandshakeSocket wire, DirectEngine engine) throws ChannelException {
        int count = wire.receive(engine.receiveAddress(), engine.receiveCapacity());
        if (count == 0) {
            engine.received(0);
            engine.receivedEndOfStream();
        } else {
            engine.received(count);
        }
    }
}
