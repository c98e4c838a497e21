package dev.sluice.net.internal;

import dev.sluice.ffi.RawMemory;
import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.Connection;
import dev.sluice.net.internal.TlsStream.Phase;
import dev.sluice.tls.DirectRecords;
import dev.sluice.tls.EngineState;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.tls.record.RecordProtector;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The way of an established connection's bytes without libssl.
 *
 * <pre>
 *   one record in a buffer       opened where it lies, delivered in the same buffer
 *   several                      opened into another buffer, one payload behind the other: one delivery
 *   the begin of a record        the next receive continues the buffer
 *   a payload to be sent         sealed where it lies, sent from the same buffer
 *   a bulk buffer to be sent     sealed into another one, several records long: one send
 * </pre>
 *
 * <p>So no byte is copied but by the cipher, except the begin of a record that does not fit behind what came before it.
 * Receives end where records do as long as the peer keeps to one size of record, which makes that rare.
 *
 * <p>At rest it holds the records and nothing else. When the loop has no buffer left, received records are
 * {@link #parked}, and what is to be sent waits, until there is one.
 */
final class RecordPath extends TlsPath {
    /** Records shorter than this come in many sizes: it is not tried to end a receive where they end. */
    private static final int ALIGN_FROM_BYTES = 2048;

    private static final int LENGTH_OFFSET = 3;

    private final DirectRecords records;

    /** Plaintext that waits because there was no buffer to seal it into. Nearly always null. */
    private @Nullable SendQueue waiting;

    /** Received records that were not opened, because receiving is off or there was no buffer. The socket rests meanwhile. */
    private @Nullable Slab parked;

    private int lastRecordBytes;
    private boolean pumpScheduled;
    private boolean endOfStream;
    private boolean finPending;
    private boolean closeNotifySent;

    /** @param records owned by the path from now on */
    RecordPath(TlsStream stream, StreamConnection tcp, DirectRecords records) {
        super(stream, tcp);
        this.records = records;
        tcp.receiveRecords(1);
    }

    /**
     * Goes on where the handshake ended. Delivers nothing from inside.
     *
     * @param tickets sealed records that must leave first; null for none
     * @param unread records that came with the handshake; null for none
     * @param queued plaintext that was to be sent already; emptied
     * @param finReceived whether the socket has met the peer's FIN already
     */
    void takeOver(@Nullable Slab tickets, @Nullable Slab unread, SendQueue queued, boolean finReceived) {
        if (tickets != null) {
            tcp.send(tickets);
        }
        if (!queued.isEmpty()) {
            waiting = queued;
        }
        parked = unread;
        finPending = finReceived;
        schedulePump();
    }

    // --- what the stream asks ---------------------------------------------------------------------------------------

    @Override
    void startReceiving() {
        if (parked != null) {
            schedulePump();
        } else if (!endOfStream) {
            tcp.startReceiving();
        }
    }

    @Override
    void stopReceiving() {
        tcp.stopReceiving();
    }

    @Override
    void send(Slab buffer) {
        try {
            if (records.state() == EngineState.FAILED) {
                buffer.release(); // an answer to what came before the record that broke the connection
            } else if (waiting != null || !seal(buffer)) {
                hold(buffer);
            }
        } catch (Throwable t) {
            if (buffer.isLeased()) {
                buffer.release();
            }
            stream.threw("the TLS connection itself", t);
        }
    }

    private void hold(Slab buffer) {
        SendQueue queue = waiting;
        if (queue == null) {
            queue = new SendQueue();
            waiting = queue;
            pumpWhenBuffersAreFree();
        }
        queue.add(buffer, false, loop().statistics());
    }

    @Override
    long queuedBytes() {
        return tcp.queuedBytes() + (waiting == null ? 0 : waiting.bytes());
    }

    @Override
    void shutdownOutput() {
        schedulePump();
    }

    @Override
    void close() {
        schedulePump();
    }

    @Override
    void release() {
        if (parked != null) {
            parked.release();
            parked = null;
        }
        if (waiting != null) {
            waiting.clear();
            waiting = null;
        }
        records.close();
    }

    private Loop loop() {
        return stream.loop();
    }

    // --- what could not be done at once -----------------------------------------------------------------------------

    private void schedulePump() {
        if (!pumpScheduled && stream.phase().compareTo(Phase.ENDING) < 0) {
            pumpScheduled = true;
            loop().execute(this::pump);
        }
    }

    private void pumpWhenBuffersAreFree() {
        if (!pumpScheduled) {
            pumpScheduled = true;
            loop().whenBuffersAreFree(this::pump);
        }
    }

    private void pump() {
        pumpScheduled = false;
        if (stream.phase().compareTo(Phase.ENDING) >= 0) {
            return;
        }
        try {
            openParked();
            sendWaiting();
        } catch (Throwable t) {
            stream.threw("the TLS connection itself", t);
        }
    }

    private void openParked() {
        Slab buffer = parked;
        if (buffer != null && stream.isReceiving()) {
            parked = null;
            open(buffer);
        }
        if (parked == null && stream.isReceiving() && !endOfStream) {
            if (finPending) {
                onEndOfStream(tcp);
            } else {
                tcp.startReceiving();
            }
        }
    }

    /** Seals what waits; then ends our side if that was asked for, or everything. */
    private void sendWaiting() {
        SendQueue queue = waiting;
        while (queue != null && !queue.isEmpty()) {
            Slab head = queue.takeHead();
            if (!seal(head)) {
                queue.putBack(head);
                pumpWhenBuffersAreFree();
                return;
            }
        }
        waiting = null;
        if (stream.isShutdownWanted()) {
            if (endOfStream) {
                tcp.endsWithNextSend();
            }
            records.closeOutput();
        }
        if (sendControl()) {
            allSent();
        } else {
            pumpWhenBuffersAreFree();
        }
    }

    /** What was to come after the last byte comes now. */
    private void allSent() {
        Phase phase = stream.phase();
        if (phase == Phase.FAILING || phase == Phase.CLOSING) {
            stream.end();
        } else if (phase == Phase.OPEN && stream.isShutdownWanted()) {
            if (endOfStream) {
                stream.end();
            } else if (!closeNotifySent) {
                closeNotifySent = true;
                tcp.shutdownOutput();
            }
        }
    }

    // --- receiving --------------------------------------------------------------------------------------------------

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        if (stream.phase() != Phase.OPEN || endOfStream) {
            buffer.release();
            return;
        }
        if (!stream.isReceiving()) {
            park(buffer); // it was under way when receiving stopped
            return;
        }
        try {
            open(buffer);
        } catch (Throwable t) {
            stream.threw("the TLS connection itself", t);
        }
    }

    private void open(Slab from) {
        int record = recordBytes(from);
        if (record != 0 && record < from.length()) {
            openSeveral(from);
        } else {
            openOne(from);
        }
        if (records.controlWaits()) {
            sendWaiting(); // an answer to a key update, or the alert of a failure
        }
    }

    /** The first record's length by its header, which is not checked here; 0 when the header is not complete. */
    private static int recordBytes(Slab from) {
        if (from.length() < RecordProtector.HEADER_BYTES) {
            return 0;
        }
        int body = RawMemory.getShortBigEndian(from.payloadAddress() + LENGTH_OFFSET) & 0xFFFF;
        return RecordProtector.HEADER_BYTES + body;
    }

    /** The buffer holds one record, or a part of one. */
    private void openOne(Slab buffer) {
        int opened = records.open(buffer.payloadAddress(), buffer.length());
        if (opened > 0) {
            alignReceives(opened);
            RecordChannel channel = records.channel();
            int start = (int) (channel.payloadAddress() - buffer.address());
            deliverOrRelease(buffer, start, channel.payloadLength());
        } else if (opened == RecordChannel.NEED_MORE) {
            awaitRest(buffer);
        } else {
            buffer.release();
            stopped(opened);
        }
    }

    private void deliverOrRelease(Slab buffer, int start, int length) {
        if (length > 0) {
            buffer.window(start, start + length);
            stream.deliver(buffer);
        } else {
            buffer.release();
        }
    }

    /** Has the next receive put the rest of a record behind its begin: the one place where received bytes may move. */
    private void awaitRest(Slab buffer) {
        int missing = records.channel().missingBytes();
        if (buffer.end() + missing > buffer.capacity()) {
            int length = buffer.length();
            long front = buffer.address() + BufferGeometry.HEADROOM;
            Copies.copy(loop().statistics(), buffer.payloadAddress(), front, length);
            buffer.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + length);
        }
        tcp.receiveMore(buffer, missing);
    }

    private void openSeveral(Slab from) {
        Slab into = null;
        int last = lastRecordBytes;
        for (int record = recordBytes(from); record != 0 && record <= from.length(); record = recordBytes(from)) {
            if (into != null && record > into.capacity() - into.end()) {
                stream.deliver(into);
                into = null;
                if (!stream.isReceiving()) {
                    park(from);
                    return;
                }
            }
            into = into != null ? into : leaseFor(from.length());
            if (into == null) {
                park(from);
                pumpWhenBuffersAreFree();
                return;
            }
            int opened = records.openInto(from.payloadAddress(), from.length(), into.address() + into.end());
            if (opened <= 0) {
                from.release();
                deliverOrRelease(into, into.start(), into.length());
                stopped(opened);
                return;
            }
            last = opened;
            from.consume(opened);
            into.window(into.start(), into.end() + records.channel().payloadLength());
            if (records.controlWaits() && !sendControl()) {
                pumpWhenBuffersAreFree();
            }
        }
        alignReceives(last);
        keepRest(from, into);
    }

    /** After the whole records: delivers them, and keeps the begin of one that is not complete. */
    private void keepRest(Slab from, @Nullable Slab into) {
        boolean rest = from.length() > 0;
        if (!rest) {
            from.release();
        }
        if (into != null) {
            deliverOrRelease(into, into.start(), into.length());
        }
        if (rest) {
            if (stream.phase() == Phase.OPEN) {
                openOne(from);
            } else {
                from.release();
            }
        }
    }

    private @Nullable Slab leaseFor(int bytes) {
        Slab slab = loop().allBuffers().lease(bytes);
        if (slab != null) {
            slab.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM);
        }
        return slab;
    }

    private void park(Slab from) {
        if (stream.phase() == Phase.OPEN) {
            parked = from;
            tcp.stopReceiving();
        } else {
            from.release();
        }
    }

    /** Lets receives end where records of this size do. */
    private void alignReceives(int recordBytes) {
        if (recordBytes == lastRecordBytes) {
            return;
        }
        lastRecordBytes = recordBytes;
        tcp.receiveRecords(recordBytes >= ALIGN_FROM_BYTES ? recordBytes : 1);
    }

    private void stopped(int status) {
        if (status == RecordChannel.CLOSED) {
            endOfStream = true;
            tcp.stopReceiving();
            stream.deliverEnd();
            if (closeNotifySent) {
                stream.end();
            }
        } else {
            failed();
        }
    }

    @Override
    public void onEndOfStream(Connection connection) {
        if (stream.phase() == Phase.OPEN && !endOfStream) {
            records.truncated();
            failed();
        }
    }

    /** Tells, and lets the alert leave. */
    private void failed() {
        if (waiting != null) {
            waiting.clear();
        }
        stream.failed(Objects.requireNonNull(records.failure()));
        schedulePump();
    }

    // --- sending ----------------------------------------------------------------------------------------------------

    @Override
    public void onSent(Connection connection) {
        stream.deliverSent();
    }

    /** Seals a buffer and sends it; false when there was no buffer to seal the rest into, which stays in it. */
    private boolean seal(Slab buffer) {
        RecordChannel channel = records.channel();
        boolean inPlace = buffer.length() <= RecordProtector.MAX_PAYLOAD_BYTES
                && buffer.start() >= channel.headroom()
                && buffer.end() + channel.tailroom() <= buffer.capacity();
        if (!inPlace) {
            return sealIntoOthers(buffer);
        }
        if (!sendControl()) {
            return false;
        }
        int start = buffer.start() - channel.headroom();
        int sealed = records.seal(buffer.payloadAddress(), buffer.length());
        buffer.window(start, start + sealed);
        tcp.send(buffer);
        return true;
    }

    private boolean sealIntoOthers(Slab from) {
        while (from.length() > 0) {
            Slab into = sendControl() ? leaseFor(from.length()) : null;
            if (into == null) {
                return false;
            }
            do {
                sealOne(from, into);
            } while (from.length() > 0 && hasRoom(into, from.length()) && !records.controlWaits());
            tcp.send(into);
        }
        from.release();
        return true;
    }

    private boolean hasRoom(Slab into, int length) {
        RecordChannel channel = records.channel();
        int payload = Math.min(length, RecordProtector.MAX_PAYLOAD_BYTES);
        return into.end() + channel.headroom() + payload + channel.tailroom() <= into.capacity();
    }

    private void sealOne(Slab from, Slab into) {
        int payload = Math.min(from.length(), RecordProtector.MAX_PAYLOAD_BYTES);
        long record = into.address() + into.end();
        int sealed;
        if (from.start() + payload < from.capacity()) {
            sealed = records.sealInto(from.payloadAddress(), payload, record);
        } else {
            // Sealing needs a byte behind the payload, and the buffer has none: somebody filled it to the brim.
            long copy = record + records.channel().headroom();
            Copies.copy(loop().statistics(), from.payloadAddress(), copy, payload);
            sealed = records.seal(copy, payload);
        }
        from.consume(payload);
        into.window(into.start(), into.end() + sealed);
    }

    /** Sends what must leave before anything else; false when there is no buffer for it. */
    private boolean sendControl() {
        if (!records.controlWaits()) {
            return true;
        }
        Slab buffer = loop().buffers().lease();
        if (buffer == null) {
            return false;
        }
        int length = records.writeControl(buffer.address() + BufferGeometry.HEADROOM);
        buffer.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + length);
        tcp.send(buffer);
        return true;
    }
}
