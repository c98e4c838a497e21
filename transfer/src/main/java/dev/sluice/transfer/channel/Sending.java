package dev.sluice.transfer.channel;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.TcpInfo;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.tls.record.RecordProtector;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The sending direction of a channel. One thread at a time uses it; {@link #oweKeyUpdate} and {@link #fail}
 * are for the thread of the receiving direction.
 */
final class Sending {
    private final Claim claim = new Claim();
    private final Owned owned;
    private final LibC libc;
    private final int descriptor;
    private final RecordChannel records;
    private final MemorySegment control;
    private final OutgoingBatch batch;
    private final long keyBytes;
    private final long keyNanos;
    private final long silenceMillis;
    private final long info;
    private final long infoLength;
    private final AtomicReference<@Nullable Owed> owed = new AtomicReference<>();
    private long keyUpdates;
    private long bytesUnderKey;
    private long keySince = System.nanoTime();
    private boolean finished;
    private @Nullable ChannelException failure;

    /**
     * The control record that the receiving direction has found to be due.
     *
     * @param reason non-null for an alert
     */
    private record Owed(
            boolean keyUpdate, int alert, @Nullable EndReason reason) {
        static final Owed KEY_UPDATE = new Owed(true, -1, null);
    }

    /**
     * Copies the keys that seal our records.
     *
     * @param of kept by the caller
     */
    Sending(NativeAllocator allocator, int descriptor, RecordChannel of, ChannelSettings settings) {
        this.owned = new Owned(allocator);
        this.descriptor = descriptor;
        try {
            this.libc = owned.libc();
            this.records = DirectionKeys.sealing(owned, of);
            this.control = owned.allocate(RecordChannel.MAX_CONTROL_BYTES);
            this.batch = new OutgoingBatch(owned, settings.records());
            this.info = owned.allocate(TcpInfo.BYTES + Long.BYTES).address();
        } catch (Throwable t) {
            owned.close();
            throw t;
        }
        this.keyBytes = settings.keyBytes();
        this.keyNanos = settings.keyTime().toNanos();
        this.silenceMillis = settings.silenceLimit().toMillis();
        this.infoLength = info + TcpInfo.BYTES;
    }

    OutgoingBatch batch() {
        return batch;
    }

    long keyUpdates() {
        return keyUpdates;
    }

    /** Seals the records of the batch in place, sends them, and clears the batch. */
    void send() throws ChannelException {
        take();
        try {
            requireOpen();
            updateKeyIfDue();
            sealAndSend();
            batch.clear();
        } finally {
            release();
        }
    }

    /** Sends close_notify, the authenticated end of the stream. Idempotent. */
    void finish() throws ChannelException {
        take();
        try {
            if (!finished) {
                requireOpen();
                records.closeOutput();
                sendControl(0);
                libc.shutdown(descriptor, Constants.SHUT_WR);
                finished = true;
            }
        } finally {
            release();
        }
    }

    /** Schedules a key update, from the receiving direction. */
    void oweKeyUpdate() {
        owed.compareAndSet(null, Owed.KEY_UPDATE);
    }

    /** Fails this direction, too, from the receiving direction: sends its alert now or after the send under way. */
    void fail(int alert, EndReason reason) {
        owed.set(new Owed(false, alert, reason));
        sendAlert();
    }

    /** The thread that sends does this at the end of its call if it was inside one. */
    private void sendAlert() {
        if (claim.tryTake()) {
            try {
                applyOwed();
                sendControl(Constants.MSG_DONTWAIT);
            } catch (ChannelException e) {
                // The alert is a courtesy to a peer that may be gone.
                failure = e;
            } finally {
                claim.release();
            }
        }
    }

    private void release() {
        claim.release();
        Owed late = owed.get();
        if (late != null && late.reason() != null) {
            sendAlert();
        }
    }

    private void take() throws ChannelException {
        if (!claim.tryTake()) {
            if (claim.isClosed()) {
                throw new ChannelException(ChannelFailure.ABORTED, "channel is closed; open another one");
            }
            throw new IllegalStateException("two threads send on one channel at once; use a channel per thread");
        }
    }

    private void requireOpen() throws ChannelException {
        if (failure != null) {
            throw failure;
        }
        if (finished) {
            throw new IllegalStateException("sending after the end of the stream; finish() must be last");
        }
        applyOwed();
        EndReason reason = records.reason();
        if (reason != null) {
            sendControl(0);
            throw failed(ChannelFailures.of(reason));
        }
    }

    private void applyOwed() {
        Owed now = owed.get() == null ? null : owed.getAndSet(null);
        if (now == null) {
            return;
        }
        if (now.reason() != null) {
            records.failed(now.alert(), now.reason());
        } else if (now.keyUpdate()) {
            records.updateKey();
        }
    }

    private void updateKeyIfDue() {
        if (bytesUnderKey >= keyBytes || System.nanoTime() - keySince >= keyNanos) {
            records.updateKey();
        }
    }

    private void sealAndSend() throws ChannelException {
        int count = batch.records();
        long begin = 0;
        long end = 0;
        for (int i = 0; i < count; i++) {
            if (records.controlWaits()) {
                transmit(begin, end - begin, 0);
                sendControl(Constants.MSG_MORE);
                begin = end = 0;
                bytesUnderKey = 0;
                keyUpdates++;
                keySince = System.nanoTime();
            }
            long payload = batch.recordAddress(i);
            int length = batch.recordLength(i);
            long record = payload - RecordProtector.HEADER_BYTES;
            begin = begin == 0 ? record : begin;
            end = record + records.seal(payload, length);
            bytesUnderKey += length;
        }
        transmit(begin, end - begin, 0);
    }

    private void sendControl(int flags) throws ChannelException {
        int bytes = records.writeControl(control.address());
        transmit(control.address(), bytes, flags);
    }

    private void transmit(long address, long length, int flags) throws ChannelException {
        long done = 0;
        while (done < length) {
            long sent = libc.send(descriptor, address + done, length - done, flags | Constants.MSG_NOSIGNAL);
            if (sent > 0) {
                done += sent;
            } else if (sent != -Errno.EINTR && !(sent == -Errno.EAGAIN && peerIsAlive())) {
                throw failed(ChannelFailures.ofSend((int) sent));
            }
        }
    }

    /**
     * Returns whether bytes of the peer arrived within the limit of silence: it accepts nothing, since it waits for its
     * disk or its user, but it is there.
     */
    private boolean peerIsAlive() {
        RawMemory.putInt(infoLength, TcpInfo.BYTES);
        int result = libc.getsockopt(descriptor, Constants.IPPROTO_TCP, Constants.TCP_INFO, info, infoLength);
        return result >= 0 && TcpInfo.millisSinceReceived(info) < silenceMillis;
    }

    private ChannelException failed(ChannelException why) {
        failure = why;
        return why;
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
