package dev.sluice.tls.engine;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Slab;
import dev.sluice.tls.failure.TlsFailure;
import dev.sluice.tls.record.RecordAssembly;
import dev.sluice.tls.record.RecordChannel;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An established connection detached from libssl, with the interface of the other engines.
 *
 * <p>Holds its secrets, and a buffer per direction only while it has bytes in transit. {@link #read} and {@link #write}
 * copy each byte once, between the caller's memory and the buffer where its record is opened or sealed.
 */
final class RecordEngine implements BufferedEngine {
    private final LoopCrypto crypto;
    private final DirectRecords records;
    private final HandshakeInfo info;

    /** Received bytes, in the slab's window. Null when there are none and none are awaited. */
    private @Nullable Slab incoming;

    private boolean lent;
    private boolean endOfStream;

    /**
     * The unread part of the last opened record: it ends where the channel's payload ends, inside {@link #incoming}.
     */
    private int plaintextLength;

    /** Records waiting to be sent, in the slab's window. Null when there are none. */
    private @Nullable Slab outgoing;

    private boolean closed;

    /** Takes ownership of the records. */
    RecordEngine(LoopCrypto crypto, DirectRecords records, HandshakeInfo info) {
        this.crypto = crypto;
        this.records = records;
        this.info = info;
    }

    /**
     * Takes ownership of the records and of buffers with content.
     *
     * @param incoming the buffer of received bytes; null for none
     * @param lent true if a receive into it may be pending
     * @param outgoing the buffer of bytes to send; null for none
     */
    RecordEngine(
            LoopCrypto crypto,
            DirectRecords records,
            HandshakeInfo info,
            @Nullable Slab incoming,
            boolean lent,
            @Nullable Slab outgoing) {
        this(crypto, records, info);
        this.incoming = incoming;
        this.lent = lent;
        this.outgoing = outgoing;
    }

    RecordChannel channel() {
        return records.channel();
    }

    @Override
    public EngineState state() {
        return records.state();
    }

    // ---- transfer to an owner with its own buffers

    /** Transfers the records and the buffers with content; this engine must not be used again. */
    DirectRecords handOff(Consumer<Slab> unsent, Consumer<Slab> unread) {
        closed = true;
        if (outgoing != null) {
            unsent.accept(outgoing);
            outgoing = null;
        }
        if (incoming != null && incoming.length() > 0) {
            unread.accept(incoming);
            incoming = null;
        }
        releaseBuffers();
        return records;
    }

    /** Releases the buffers but not the records: the detach failed. */
    void abandon() {
        closed = true;
        releaseBuffers();
    }

    @Override
    public HandshakeInfo handshakeInfo() {
        return info;
    }

    @Override
    public @Nullable TlsSession session() {
        throw new IllegalStateException("a server has no sessions to resume; only clients do");
    }

    @Override
    public @Nullable TlsFailure failure() {
        return records.failure();
    }

    @Override
    public int handshake() {
        records.on(EngineEvent.HANDSHAKE);
        return state() == EngineState.FAILED ? EngineStatus.FAILED : EngineStatus.DONE;
    }

    // ---- received bytes

    @Override
    public int receiveCapacity() {
        if (closed) {
            return 0;
        }
        Slab slab = lend();
        return slab.capacity() - slab.end();
    }

    @Override
    public long receiveAddress() {
        if (closed) {
            return 0;
        }
        Slab slab = lend();
        return slab.address() + slab.end();
    }

    private Slab lend() {
        Slab slab = incoming;
        if (slab == null) {
            slab = crypto.lease();
            incoming = slab;
        } else if (!lent && plaintextLength == 0) {
            RecordAssembly.makeRoom(slab, 0, Math.max(1, RecordAssembly.missingBytes(slab)));
        }
        lent = slab.end() < slab.capacity();
        return slab;
    }

    @Override
    public void received(int count) {
        Slab slab = incoming;
        if (closed || slab == null) {
            return;
        }
        if (count < 0 || count > slab.capacity() - slab.end()) {
            throw new IllegalArgumentException("received more than the room, count=" + count + ", capacity="
                    + (slab.capacity() - slab.end()) + "; check receiveCapacity() before each receive");
        }
        lent = false;
        slab.window(slab.start(), slab.end() + count);
        if (!mayRead()) {
            dropIncoming(slab);
        }
        releaseIncomingIfEmpty();
    }

    /** Returns whether received bytes count: those after close_notify (RFC 8446 section 6.1) or a failure do not. */
    private boolean mayRead() {
        return state() == EngineState.OPEN || state() == EngineState.CLOSING_SENT;
    }

    private void dropIncoming(Slab slab) {
        plaintextLength = 0;
        slab.window(slab.end(), slab.end());
        releaseIncomingIfEmpty();
    }

    @Override
    public void receivedEndOfStream() {
        endOfStream = true;
        lent = false;
        releaseIncomingIfEmpty();
    }

    /** Appends bytes that libssl had received but not read, in order. */
    void inherit(long address, int count) {
        RawMemory.copy(address, receiveAddress(), count);
        received(count);
    }

    private void releaseIncomingIfEmpty() {
        Slab slab = incoming;
        if (slab != null && !lent && plaintextLength == 0 && slab.length() == 0) {
            incoming = null;
            slab.release();
        }
    }

    // ---- reading

    @Override
    public boolean hasPendingPlaintext() {
        Slab slab = incoming;
        return plaintextLength > 0 || (slab != null && slab.length() > 0);
    }

    @Override
    public int read(long address, int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("read requires room for at least one byte, capacity=" + capacity);
        }
        if (!mayRead()) {
            return state() == EngineState.FAILED ? EngineStatus.FAILED : EngineStatus.CLOSED;
        }
        int status = plaintextLength > 0 ? EngineStatus.DONE : openUntilPlaintext();
        return status == EngineStatus.DONE ? handOut(address, capacity) : status;
    }

    private int handOut(long address, int capacity) {
        int count = Math.min(capacity, plaintextLength);
        long end = channel().payloadAddress() + channel().payloadLength();
        RawMemory.copy(end - plaintextLength, address, count);
        plaintextLength -= count;
        releaseIncomingIfEmpty();
        return count;
    }

    /** Opens records until one carries data; returns DONE then. */
    private int openUntilPlaintext() {
        while (true) {
            Slab slab = incoming;
            if (slab == null || slab.length() == 0) {
                return exhausted();
            }
            int opened = records.open(slab.payloadAddress(), slab.length());
            if (opened == RecordChannel.NEED_MORE) {
                return exhausted();
            }
            if (opened == RecordChannel.CLOSED) {
                return peerClosed(slab);
            }
            if (opened == RecordChannel.FAILED) {
                return failed();
            }
            slab.consume(opened);
            flushControl();
            if (channel().payloadLength() > 0) {
                plaintextLength = channel().payloadLength();
                return EngineStatus.DONE;
            }
        }
    }

    private int exhausted() {
        if (endOfStream) {
            records.truncated();
            return failed();
        }
        releaseIncomingIfEmpty();
        return EngineStatus.WANT_READ;
    }

    private int peerClosed(Slab slab) {
        dropIncoming(slab);
        return EngineStatus.CLOSED;
    }

    // ---- writing

    @Override
    public int write(long address, int length) {
        records.on(EngineEvent.WRITE);
        if (state() == EngineState.FAILED) {
            return EngineStatus.FAILED;
        }
        if (length == 0) {
            return EngineStatus.DONE;
        }
        RecordChannel channel = channel();
        int payload = Math.min(length, channel.maxPayloadBytes());
        if (!flushControl() || outgoingRoom() < channel.headroom() + payload + channel.tailroom()) {
            return EngineStatus.WANT_WRITE;
        }
        Slab slab = outgoing();
        long to = slab.address() + slab.end() + channel.headroom();
        RawMemory.copy(address, to, payload);
        slab.window(slab.start(), slab.end() + records.seal(to, payload));
        return payload;
    }

    @Override
    public int closeOutput() {
        boolean toBeSent = state() == EngineState.OPEN || state() == EngineState.CLOSING_RECEIVED;
        if (toBeSent && (!flushControl() || outgoingRoom() < RecordChannel.MAX_CONTROL_BYTES)) {
            return EngineStatus.WANT_WRITE; // nothing is closed yet: writing may continue
        }
        records.closeOutput();
        flushControl();
        return state() == EngineState.FAILED ? EngineStatus.FAILED : EngineStatus.DONE;
    }

    /** Appends waiting key updates, alerts and close_notify; returns false when there is no room for them now. */
    private boolean flushControl() {
        if (!records.controlWaits()) {
            return true;
        }
        if (outgoingRoom() < RecordChannel.MAX_CONTROL_BYTES) {
            return false;
        }
        Slab slab = outgoing();
        slab.window(slab.start(), slab.end() + records.writeControl(slab.address() + slab.end()));
        return true;
    }

    private int outgoingRoom() {
        Slab slab = outgoing;
        return slab == null ? crypto.bufferBytes() : slab.capacity() - slab.end();
    }

    private Slab outgoing() {
        Slab slab = outgoing;
        if (slab == null) {
            slab = crypto.lease();
            outgoing = slab;
        }
        return slab;
    }

    /** Appends bytes that libssl had written but not sent, in order. */
    void inheritOutgoing(long address, int count) {
        Slab slab = outgoing();
        RawMemory.copy(address, slab.address() + slab.end(), count);
        slab.window(slab.start(), slab.end() + count);
    }

    @Override
    public int sendLength() {
        Slab slab = outgoing;
        return slab == null ? 0 : slab.length();
    }

    @Override
    public long sendAddress() {
        Slab slab = outgoing;
        return slab == null ? 0 : slab.payloadAddress();
    }

    @Override
    public void sent(int count) {
        Slab slab = outgoing;
        if (slab == null) {
            return;
        }
        slab.consume(count);
        if (slab.length() == 0) {
            outgoing = null;
            slab.release();
            flushControl(); // records that did not fit before must not depend on another write
        }
    }

    // ---- close

    private int failed() {
        Slab slab = incoming;
        if (slab != null) {
            dropIncoming(slab);
        }
        flushControl();
        return EngineStatus.FAILED;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            releaseBuffers();
        }
        records.close();
    }

    private void releaseBuffers() {
        release(incoming);
        release(outgoing);
        incoming = null;
        outgoing = null;
        plaintextLength = 0;
    }

    private static void release(@Nullable Slab slab) {
        if (slab != null) {
            slab.release();
        }
    }
}
