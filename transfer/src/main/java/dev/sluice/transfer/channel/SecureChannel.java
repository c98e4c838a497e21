package dev.sluice.transfer.channel;

import dev.sluice.memory.NativeAllocator;
import dev.sluice.tls.engine.HandshakeInfo;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.KeyFingerprint;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.pairing.PairingCode;
import java.nio.channels.ByteChannel;

/**
 * One TLS 1.3 connection with an authenticated peer: one ordered stream of bytes in each direction.
 *
 * <pre>{@code
 * OutgoingBatch out = channel.outgoing();             IncomingBatch in = channel.incoming();
 * out.gather(out.room());                             while (in.await()) {
 * n = preadv(file, out.iovecAddress(), ...);              in.scatter(in.available());
 * out.filled(n);                                          n = pwritev(file, in.iovecAddress(), ...);
 * channel.send();                                         in.taken(n);
 * ...                                                 }
 * channel.finish();                                   // the authenticated end
 * }</pre>
 *
 * <p>One platform thread at a time may send and one may receive, independently of each other; calls block. A silent
 * peer is an error after the limit of the settings. After a failure every call fails. A stream that ends without {@link
 * #finish} of the peer is a failure ({@link ChannelFailure#TRUNCATED}); so end a conversation with {@code finish()},
 * then read until the peer's end, then {@link #close()}.
 */
public final class SecureChannel implements AutoCloseable {
    private final ChannelSocket socket;
    private final HandshakeInfo handshake;
    private final KeyFingerprint peer;
    private final Sending sending;
    private final Receiving receiving;

    /**
     * Takes over a socket and copies the keys of a connection whose handshake is complete.
     *
     * @param allocator the source of all memory of the channel
     */
    SecureChannel(
            NativeAllocator allocator,
            ChannelSocket socket,
            RecordChannel records,
            HandshakeInfo handshake,
            KeyFingerprint peer,
            ChannelSettings settings) {
        this.socket = socket;
        this.handshake = handshake;
        this.peer = peer;
        int descriptor = socket.descriptor();
        this.sending = new Sending(allocator, descriptor, records, settings);
        try {
            this.receiving = new Receiving(allocator, descriptor, records, sending, settings);
        } catch (Throwable t) {
            sending.close();
            throw t;
        }
    }

    /**
     * Makes the handshake of the connecting side with a known peer.
     *
     * @param socket owned from now on, also when this throws
     * @param own kept by the caller
     * @param allowed the keys that the peer may have
     * @return the caller closes it
     * @throws ChannelException when the handshake fails
     */
    public static SecureChannel connect(ChannelSocket socket, OwnKey own, AllowedKeys allowed, ChannelSettings settings)
            throws ChannelException {
        return new Handshake(socket, settings).run(Handshake.Role.CLIENT, own, allowed);
    }

    /** Makes the handshake of the accepting side with a known peer; otherwise as {@code connect}. */
    public static SecureChannel accept(ChannelSocket socket, OwnKey own, AllowedKeys allowed, ChannelSettings settings)
            throws ChannelException {
        return new Handshake(socket, settings).run(Handshake.Role.SERVER, own, allowed);
    }

    /**
     * Makes the handshake of the connecting side with a stranger who made the code; {@link #peer()} is the stranger's
     * key afterwards, confirmed by the code.
     *
     * @param socket owned from now on, also when this throws
     * @param own kept by the caller; the stranger learns its fingerprint
     * @param code void afterwards, whatever the result
     * @return the caller closes it
     * @throws ChannelException when the handshake fails, in particular as {@link ChannelFailure#WRONG_CODE}
     */
    public static SecureChannel connect(ChannelSocket socket, OwnKey own, PairingCode code, ChannelSettings settings)
            throws ChannelException {
        return new Handshake(socket, settings).run(Handshake.Role.CLIENT, own, code);
    }

    /**
     * Makes the handshake of the side that made the code. The code is void as soon as a stranger has tried it; one that
     * only connects does not count.
     */
    public static SecureChannel accept(ChannelSocket socket, OwnKey own, PairingCode code, ChannelSettings settings)
            throws ChannelException {
        return new Handshake(socket, settings).run(Handshake.Role.SERVER, own, code);
    }

    /** Returns the fingerprint of the peer's key. */
    public KeyFingerprint peer() {
        return peer;
    }

    /** Returns the properties of the handshake: suite, group, duration. */
    public HandshakeInfo handshake() {
        return handshake;
    }

    /** Returns the number of updates of our key, for the sending thread. */
    public long keyUpdates() {
        return sending.keyUpdates();
    }

    /** Returns the batch that {@link #send} sends, for the sending thread. */
    public OutgoingBatch outgoing() {
        return sending.batch();
    }

    /** Returns the received plaintext, for the receiving thread. */
    public IncomingBatch incoming() {
        return receiving.batch();
    }

    /**
     * Seals the records of {@link #outgoing()} in place, sends them with one system call, and clears the batch. Blocks
     * until the kernel has all of it.
     *
     * @throws ChannelException when the channel has failed, or fails now
     */
    public void send() throws ChannelException {
        sending.send();
    }

    /**
     * Ends our stream with close_notify; nothing can be sent afterwards. Idempotent.
     *
     * @throws ChannelException when the channel has failed, or fails now
     */
    public void finish() throws ChannelException {
        sending.finish();
    }

    /**
     * Ends the connection at once, so that calls of other threads fail. The peer sees a truncation unless our stream
     * has ended. May be called from any thread, before {@link #close()}. Idempotent.
     */
    public void abort() {
        socket.interrupt();
    }

    /**
     * Returns the channel as bytes, for code that knows no batches: one copy each way, and nothing may wait in {@link
     * #outgoing()}. Its close ends our stream in order and closes this channel, without waiting for the peer's end.
     */
    public ByteChannel bytes() {
        return new ChannelBytes(this);
    }

    Receiving receiving() {
        return receiving;
    }

    /**
     * Ends the connection and frees it; wipes its keys. Waits for calls of other threads, which fail. The batches must
     * not be used any more. Idempotent.
     */
    @Override
    public void close() {
        abort();
        sending.close();
        if (receiving.close()) {
            socket.close();
        }
    }
}
