package dev.sluice.transfer.channel;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.record.RecordAssembly;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.tls.record.RecordProtector;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The receiving direction of a channel.
 *
 * <pre>
 *   0                opened              received        limit                end of the slab
 *   | taken records  | part of a record  | free          | room for the rest of one record |
 * </pre>
 *
 * <p>A receive never reads beyond the limit, except for the rest of the record that spans it; so the last record is
 * always complete at the latest in front of the end, and nothing is ever moved to the front.
 */
final class Receiving implements IncomingBatch.Receiver {
    /** A direction of the stream. */
    private enum State {
        OPEN,
        /** The peer's close_notify has arrived. */
        ENDED,
        FAILED
    }

    private final Claim claim = new Claim();
    private final Owned owned;
    private final LibC libc;
    private final int descriptor;
    private final RecordChannel records;
    private final IncomingBatch batch;
    private final Sending sending;
    private State state = State.OPEN;
    private @Nullable ChannelException failure;
    private int opened;
    private int received;

    /**
     * Copies the keys that open the peer's records.
     *
     * @param of kept by the caller
     */
    Receiving(NativeAllocator allocator, int descriptor, RecordChannel of, Sending sending, ChannelSettings settings) {
        this.owned = new Owned(allocator);
        this.descriptor = descriptor;
        this.sending = sending;
        try {
            this.libc = owned.libc();
            this.records = DirectionKeys.opening(owned, of);
            this.batch = new IncomingBatch(owned, settings.records(), this);
        } catch (Throwable t) {
            owned.close();
            throw t;
        }
    }

    IncomingBatch batch() {
        return batch;
    }

    /** Takes over bytes that were received with the end of the handshake. */
    void inherit(long address, int length) {
        RawMemory.copy(address, batch.slab().address() + received, length);
        received += length;
    }

    @Override
    public boolean receive() throws ChannelException {
        take();
        try {
            batch.clear();
            openReceived();
            while (batch.available() == 0 && state == State.OPEN) {
                receiveMore();
                openReceived();
            }
            if (batch.available() == 0 && failure != null) {
                throw failure;
            }
            return batch.available() > 0;
        } finally {
            claim.release();
        }
    }

    private void take() throws ChannelException {
        if (!claim.tryTake()) {
            if (claim.isClosed()) {
                throw new ChannelException(ChannelFailure.ABORTED, "channel is closed; open another one");
            }
            throw new IllegalStateException("two threads receive on one channel at once; use a channel per thread");
        }
    }

    private void openReceived() {
        while (state == State.OPEN && opened < received && !batch.isFull()) {
            int result = records.open(batch.slab().address() + opened, received - opened);
            if (result == RecordChannel.NEED_MORE) {
                break;
            }
            opened(result);
        }
        if (records.takeKeyUpdate()) {
            sending.oweKeyUpdate();
        }
    }

    private void opened(int result) {
        if (result == RecordChannel.CLOSED) {
            state = State.ENDED;
        } else if (result == RecordChannel.FAILED) {
            failedRecord();
        } else {
            opened += result;
            if (records.payloadLength() > 0) {
                batch.add(records.payloadAddress(), records.payloadLength());
            }
        }
    }

    /** Fails the channel. Records opened before are authentic and are delivered first. */
    private void failedRecord() {
        EndReason reason = Objects.requireNonNull(records.reason());
        fail(ChannelFailures.of(reason));
        sending.fail(records.alert(), reason);
    }

    private void receiveMore() {
        long capacity = roomAhead();
        long count = libc.recv(descriptor, batch.slab().address() + received, capacity, 0);
        if (count > 0) {
            received += (int) count;
        } else if (count == 0) {
            records.truncated();
            failedRecord();
        } else if (count != -Errno.EINTR) {
            fail(ChannelFailures.ofReceive((int) count));
        }
    }

    /** Returns the bytes to receive next; at the limit, only the rest of the record that spans it. */
    private int roomAhead() {
        if (opened == received) {
            opened = 0;
            received = 0;
        }
        if (received < batch.receiveLimit()) {
            return batch.receiveLimit() - received;
        }
        int part = received - opened;
        return part < RecordProtector.HEADER_BYTES
                ? RecordProtector.HEADER_BYTES - part
                : RecordAssembly.recordBytes(batch.slab().address() + opened) - part;
    }

    private void fail(ChannelException why) {
        state = State.FAILED;
        failure = why;
    }

    /** Frees everything once no thread is inside; returns false if that was done before. */
    boolean close() {
        if (!claim.close()) {
            return false;
        }
        owned.close();
        return true;
    }
}
