package dev.sluice.tls.engine;

import dev.sluice.tls.failure.TlsFailure;
import dev.sluice.tls.record.KeyingMaterial;
import dev.sluice.tls.record.RecordChannel;
import org.jspecify.annotations.Nullable;

/**
 * An established, detached connection for an owner with its own buffers: records are opened and sealed in place, or
 * from one buffer into another, with the states, failures and alerts of every engine.
 *
 * <pre>{@code
 * received:  n = records.open(address, available)    a record: what it carried is at channel().payloadAddress()
 *                                                    or NEED_MORE, CLOSED, FAILED
 * to send:   if (records.controlWaits()) send(buffer, records.writeControl(buffer))     before each seal
 *            n = records.seal(payload, length)       send n bytes from payload - headroom on
 * }</pre>
 *
 * <p>Owns the connection's secrets: {@link #close()} wipes and frees them. Holds no buffer. Confined to the thread of
 * its {@link LoopCrypto}; only a failing call allocates.
 */
public final class DirectRecords implements AutoCloseable {
    private final LoopCrypto crypto;
    private final RecordChannel channel;
    private boolean closed;
    private EngineState state = EngineState.OPEN;
    private @Nullable TlsFailure failure;

    /** Takes ownership of the channel's keys. */
    DirectRecords(LoopCrypto crypto, RecordChannel channel) {
        this.crypto = crypto;
        this.channel = channel;
    }

    /** Returns the underlying record protocol: record overhead, content of the last record, key updates. */
    public RecordChannel channel() {
        return channel;
    }

    /** Returns the connection's keys. */
    long keys() {
        if (closed) {
            throw new IllegalStateException("records used after their close");
        }
        return channel.keys();
    }

    LoopCrypto crypto() {
        return crypto;
    }

    /** Returns the state of the connection. */
    public EngineState state() {
        return state;
    }

    /** Returns the failure of the connection; null when it has not failed. */
    public @Nullable TlsFailure failure() {
        return failure;
    }

    /** Opens the first received record in place: see {@link RecordChannel#open}. */
    public int open(long address, int available) {
        return opened(mayOpen() ? channel.open(address, available) : ended());
    }

    /** Opens the first received record into other memory: see {@link RecordChannel#openInto}. */
    public int openInto(long address, int available, long destination) {
        return opened(mayOpen() ? channel.openInto(address, available, destination) : ended());
    }

    private boolean mayOpen() {
        on(EngineEvent.READ);
        return state == EngineState.OPEN || state == EngineState.CLOSING_SENT;
    }

    private int ended() {
        return state == EngineState.FAILED ? RecordChannel.FAILED : RecordChannel.CLOSED;
    }

    private int opened(int result) {
        if (result == RecordChannel.CLOSED && mayOpen()) {
            on(EngineEvent.CLOSE_NOTIFY_RECEIVED);
        } else if (result == RecordChannel.FAILED && failure == null) {
            fail(TlsFailures.of(channel));
        }
        return result;
    }

    /**
     * Fails the connection for a stream that ended without close_notify; see {@link #failure()}. No effect after an
     * end.
     */
    public void truncated() {
        if (mayOpen()) {
            channel.truncated();
            fail(TlsFailures.of(channel));
        }
    }

    /** Seals application data in place: see {@link RecordChannel#seal}. */
    public int seal(long payload, int length) {
        on(EngineEvent.WRITE);
        return channel.seal(payload, length);
    }

    /** Seals application data into other memory: see {@link RecordChannel#sealInto}. */
    public int sealInto(long payload, int length, long record) {
        on(EngineEvent.WRITE);
        return channel.sealInto(payload, length, record);
    }

    /**
     * Returns whether {@link #writeControl} has a record to send, which must precede sealing. After a failure: its
     * alert.
     */
    public boolean controlWaits() {
        return channel.controlWaits();
    }

    /** Writes the waiting control records: see {@link RecordChannel#writeControl}. */
    public int writeControl(long address) {
        return channel.writeControl(address);
    }

    /**
     * Closes our direction; close_notify then waits for {@link #writeControl}. Idempotent; no effect after a failure.
     */
    public void closeOutput() {
        on(EngineEvent.CLOSE_OUTPUT);
        if (state == EngineState.OPEN || state == EngineState.CLOSING_RECEIVED) {
            channel.closeOutput();
            on(EngineEvent.CLOSE_NOTIFY_SENT);
        }
    }

    /**
     * Returns keying material, see {@link KeyingMaterial}.
     *
     * @param context null for none, which TLS 1.2 distinguishes from an empty one
     * @throws IllegalStateException when the connection has kept no secret for it
     */
    public byte[] export(byte[] label, byte @Nullable [] context, int length) {
        return KeyingMaterial.export(channel.suite(), keys(), label, context, length);
    }

    /** Fails the connection for a reason outside the channel. */
    void fail(TlsFailure why) {
        failure = why;
        on(EngineEvent.FAIL);
    }

    /**
     * Applies an event.
     *
     * @throws IllegalStateException when the event is illegal in this state; the message names both
     */
    void on(EngineEvent event) {
        state = StateMachine.next(state, event);
    }

    /** Wipes and frees the secrets. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            on(EngineEvent.CLOSE);
            crypto.keys().giveBack(channel.keys());
        }
    }
}
