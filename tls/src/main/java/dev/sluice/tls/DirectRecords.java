package dev.sluice.tls;

import dev.sluice.tls.record.RecordChannel;
import org.jspecify.annotations.Nullable;

/**
 * An established connection that has left libssl, for whoever has buffers of their own: records are opened and sealed
 * where they lie, or from one buffer into another, and the states, failures and alerts are those of every engine.
 *
 * <pre>{@code
 * received:  n = records.open(address, available)    a record: what it carried is at channel().payloadAddress()
 *                                                    or NEED_MORE, CLOSED, FAILED
 * to send:   if (records.controlWaits()) send(buffer, records.writeControl(buffer))     before each seal
 *            n = records.seal(payload, length)       send n bytes from payload - headroom on
 * }</pre>
 *
 * <p>Owns the connection's secrets: {@link #close()} wipes and frees them. Holds no buffer. Confined to the thread of its
 * {@link DirectPath}; no call allocates but the one that fails.
 */
public final class DirectRecords implements AutoCloseable {
    private final DirectPath path;
    private final RecordChannel channel;
    private boolean closed;
    private EngineState state = EngineState.OPEN;
    private @Nullable TlsFailure failure;

    /** Takes over the channel's keys, which it frees. */
    DirectRecords(DirectPath path, RecordChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** The record protocol underneath: room that records need, what the last one carried, key updates. */
    public RecordChannel channel() {
        return channel;
    }

    /** The connection's keys. */
    long keys() {
        if (closed) {
            throw new IllegalStateException("records used after their close");
        }
        return channel.keys();
    }

    DirectPath path() {
        return path;
    }

    /** Where the connection stands. */
    public EngineState state() {
        return state;
    }

    /** Why the connection failed; null when it has not. */
    public @Nullable TlsFailure failure() {
        return failure;
    }

    /** Opens the first record of what was received where it lies: see {@link RecordChannel#open}. */
    public int open(long address, int available) {
        return opened(mayOpen() ? channel.open(address, available) : ended());
    }

    /** Opens the first record of what was received into other memory: see {@link RecordChannel#openInto}. */
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
            fail(Failures.of(channel));
        }
        return result;
    }

    /** The stream ended without close_notify: the connection fails, {@link #failure()} says so. No effect after an end. */
    public void truncated() {
        if (mayOpen()) {
            channel.truncated();
            fail(Failures.of(channel));
        }
    }

    /** Seals application data where it lies: see {@link RecordChannel#seal}. */
    public int seal(long payload, int length) {
        on(EngineEvent.WRITE);
        return channel.seal(payload, length);
    }

    /** Seals application data into other memory: see {@link RecordChannel#sealInto}. */
    public int sealInto(long payload, int length, long record) {
        on(EngineEvent.WRITE);
        return channel.sealInto(payload, length, record);
    }

    /** Whether {@link #writeControl} has something to send; nothing can be sealed before. After a failure: its alert. */
    public boolean controlWaits() {
        return channel.controlWaits();
    }

    /** Writes what waits: see {@link RecordChannel#writeControl}. */
    public int writeControl(long address) {
        return channel.writeControl(address);
    }

    /** Ends our side; close_notify then waits for {@link #writeControl}. Again, or after a failure, without effect. */
    public void closeOutput() {
        on(EngineEvent.CLOSE_OUTPUT);
        if (state == EngineState.OPEN || state == EngineState.CLOSING_RECEIVED) {
            channel.closeOutput();
            on(EngineEvent.CLOSE_NOTIFY_SENT);
        }
    }

    /** Fails the connection for a reason that the channel does not know. */
    void fail(TlsFailure why) {
        failure = why;
        on(EngineEvent.FAIL);
    }

    /** @throws IllegalStateException when the event is illegal in this state: names both */
    void on(EngineEvent event) {
        state = StateMachine.next(state, event);
    }

    /** Wipes and frees the secrets. Again without effect. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            on(EngineEvent.CLOSE);
            path.keys().giveBack(channel.keys());
        }
    }
}
