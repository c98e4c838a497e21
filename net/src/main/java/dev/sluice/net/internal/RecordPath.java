package dev.sluice.net.internal;

import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.Connection;
import dev.sluice.net.LoopStatistics.Counter;
import dev.sluice.net.internal.TlsStream.Phase;
import dev.sluice.tls.engine.DirectRecords;
import dev.sluice.tls.engine.EngineState;
import dev.sluice.tls.engine.KernelHandover;
import dev.sluice.tls.engine.KernelTls;
import dev.sluice.tls.record.RecordAssembly;
import dev.sluice.tls.record.RecordChannel;
import java.util.Objects;
import java.util.function.Consumer;
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
 *   longer than max_fragment_length allows     the same
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

    /** The phases of the peer's direction. */
    private enum Input {
        OPEN,
        /** Records are being opened and delivered; whatever the handler asks for, none are received meanwhile. */
        OPENING,
        /** The peer's FIN stands behind records that are parked, or is to be reported. */
        FIN_PENDING,
        /** The peer's close_notify was opened. */
        CLOSED,
        /** A {@link KernelPath} goes on where this path stood. */
        LEFT
    }

    private final DirectRecords records;

    /** Plaintext that waits because there was no buffer to seal it into. Nearly always null. */
    private @Nullable SendQueue waiting;

    /**
     * Received records that were not opened, because receiving is off or there was no buffer. The socket rests
     * meanwhile.
     */
    private @Nullable Slab parked;

    /** Told how the kernel takes the records over, at the first chance; null: it is not to, or has. */
    private @Nullable Consumer<KernelHandover> handover;

    private short lastRecordBytes;
    private Input input = Input.OPEN;
    private boolean pumpScheduled;

    /**
     * Creates a record path.
     *
     * @param records owned by the path from now on
     */
    RecordPath(TlsStream stream, StreamConnection tcp, DirectRecords records) {
        super(stream, tcp);
        this.records = records;
        tcp.receiveRecords(1);
    }

    /**
     * Continues where the handshake ended. Delivers nothing from inside.
     *
     * @param tickets sealed records that must leave first; null for none
     * @param unread records that came with the handshake; null for none
     * @param queued plaintext that was to be sent already; emptied
     * @param finReceived whether the socket has met the peer's FIN already
     */
    void takeOver(@Nullable Slab tickets, @Nullable Slab unread, SendQueue queued, boolean finReceived) {
        // What the path holds it frees, should sending fail.
        if (!queued.isEmpty()) {
            waiting = queued;
        }
        parked = unread;
        input = finReceived ? Input.FIN_PENDING : Input.OPEN;
        if (tickets != null) {
            tcp.send(tickets);
        }
        schedulePump();
    }

    // --- what the stream asks ---------------------------------------------------------------------------------------

    @Override
    void startReceiving() {
        switch (input) {
            case OPEN -> {
                if (parked == null) {
                    receive();
                } else {
                    schedulePump();
                }
            }
            case FIN_PENDING -> schedulePump();
            case OPENING, CLOSED, LEFT -> {}
        }
    }

    private void receive() {
        try {
            if (!leavesToKernel()) {
                tcp.startReceiving();
            }
        } catch (IllegalStateException e) {
            loop().execute(() -> stream.threw("the handover to the kernel", e));
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
            stream.threw("sealing of a record", t);
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
        tellHandover(KernelHandover.NEVER_AT_REST);
    }

    // --- to the kernel ----------------------------------------------------------------------------------------------

    @Override
    void handToKernel(Consumer<KernelHandover> outcome) {
        handover = outcome;
    }

    private void tellHandover(KernelHandover outcome) {
        Consumer<KernelHandover> toTell = handover;
        if (toTell != null) {
            handover = null;
            toTell.accept(outcome);
        }
    }

    /**
     * Leaves the records to the kernel when that was asked for and both directions stand between two records, with
     * nothing under way. What came with the handshake is opened here first, up to the end of its last record.
     */
    private boolean leavesToKernel() {
        if (handover == null || !isAtRest()) {
            return false;
        }
        KernelTls kernel =
                KernelTls.handOver(records, tcp.descriptor(), loop().sockets().kernel(), this::tellHandover);
        if (kernel == null) {
            return false;
        }
        input = Input.LEFT;
        tcp.recordsInKernel();
        KernelPath next = new KernelPath(stream, tcp, kernel);
        stream.path(next);
        next.startReceiving();
        return true;
    }

    private boolean isAtRest() {
        return stream.phase() == Phase.OPEN
                && output == Output.OPEN
                && parked == null
                && waiting == null
                && records.state() == EngineState.OPEN
                && !records.controlWaits()
                && tcp.isAtRest();
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
        if (stream.phase().compareTo(Phase.ENDING) >= 0 || input == Input.LEFT) {
            return;
        }
        try {
            openParked();
            sendWaiting();
        } catch (Throwable t) {
            stream.threw("opening or sealing of records that waited", t);
        }
    }

    private void openParked() {
        Slab buffer = parked;
        if (buffer != null && stream.isReceiving()) {
            parked = null;
            open(buffer);
        }
        if (parked == null && input == Input.FIN_PENDING) {
            onEndOfStream(tcp);
        } else if (parked == null && input == Input.OPEN && stream.isReceiving()) {
            receive();
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
        if (output != Output.OPEN) {
            if (input == Input.CLOSED) {
                tcp.endsWithNextSend();
            }
            records.closeOutput();
        }
        if (sendControl()) {
            allSent(input == Input.CLOSED);
        } else {
            pumpWhenBuffersAreFree();
        }
    }

    // --- receiving --------------------------------------------------------------------------------------------------

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        if (stream.phase() != Phase.OPEN || input == Input.CLOSED) {
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
            stream.threw("opening of a record", t);
        }
    }

    /** Opens what a buffer holds. The buffer is gone afterwards, whatever is thrown, as with all that follows. */
    private void open(Slab from) {
        if (input == Input.OPEN) {
            input = Input.OPENING;
        }
        int record = RecordAssembly.recordBytes(from);
        if (record != 0 && record < from.length()) {
            openSeveral(from);
        } else {
            openOne(from);
        }
        if (input == Input.OPENING) {
            input = Input.OPEN;
            if (parked == null && stream.isReceiving()) {
                receive();
            }
        }
        if (records.controlWaits()) {
            if (records.state() == EngineState.FAILED) {
                sendWaiting(); // the alert
            } else {
                answer();
            }
        }
    }

    /**
     * Sends answers, to a key update or to a wish to renegotiate, as long as the peer takes what we send. Else they are
     * owed, one of a kind, until the socket has taken what is queued ({@link #onSent}) or data is sent, which they
     * precede: so a peer that does not read cannot make them pile up.
     */
    private void answer() {
        if (tcp.queuedBytes() == 0 && !sendControl()) {
            pumpWhenBuffersAreFree();
        }
    }

    /** Opens the one record, or part of one, that a buffer holds. */
    private void openOne(Slab buffer) {
        int opened = openInPlace(buffer);
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

    private int openInPlace(Slab buffer) {
        try {
            return records.open(buffer.payloadAddress(), buffer.length());
        } catch (Throwable t) {
            buffer.release();
            throw t;
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

    /** Has the next receive put the rest of a record behind its begin. */
    private void awaitRest(Slab buffer) {
        int missing = RecordAssembly.missingBytes(buffer);
        int moved = RecordAssembly.makeRoom(buffer, BufferGeometry.HEADROOM, missing);
        loop().statistics().add(Counter.BYTES_COPIED, moved);
        tcp.receiveMore(buffer, missing);
    }

    private void openSeveral(Slab from) {
        Slab into = null;
        int opened = 1;
        int last = lastRecordBytes;
        try {
            int record = RecordAssembly.recordBytes(from);
            while (record != 0 && record <= from.length() && stream.isReceiving()) {
                if (into != null && record > into.capacity() - into.end()) {
                    Slab full = into;
                    into = null;
                    stream.deliver(full);
                    continue;
                }
                into = into != null ? into : leaseFor(from.length());
                opened = into == null ? 0 : records.openInto(from.payloadAddress(), from.length(), endOf(into));
                if (into == null || opened <= 0) {
                    break;
                }
                last = opened;
                from.consume(opened);
                into.window(into.start(), into.end() + records.channel().payloadLength());
                record = RecordAssembly.recordBytes(from);
            }
        } catch (Throwable t) {
            releaseBoth(from, into);
            throw t;
        }
        openedSeveral(from, into, opened, last);
    }

    private static long endOf(Slab slab) {
        return slab.address() + slab.end();
    }

    private static void releaseBoth(Slab from, @Nullable Slab into) {
        from.release();
        if (into != null) {
            into.release();
        }
    }

    /**
     * Gives away what was opened.
     *
     * @param opened what the last call returned
     * @param last bytes of the last record that was opened
     */
    private void openedSeveral(Slab from, @Nullable Slab into, int opened, int last) {
        if (into == null) {
            boolean noBuffer = stream.isReceiving();
            park(from);
            if (noBuffer) {
                pumpWhenBuffersAreFree();
            }
        } else if (opened <= 0) {
            from.release();
            deliverOrRelease(into, into.start(), into.length());
            stopped(opened);
        } else {
            alignReceives(last);
            keepRest(from, into);
        }
    }

    /** Delivers the whole records, and keeps the begin of one that is not complete. */
    private void keepRest(Slab from, Slab into) {
        boolean rest = from.length() > 0;
        if (!rest) {
            from.release();
        }
        deliverOrRelease(into, into.start(), into.length());
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
        lastRecordBytes = (short) recordBytes;
        tcp.receiveRecords(recordBytes >= ALIGN_FROM_BYTES ? recordBytes : 1);
    }

    private void stopped(int status) {
        if (status == RecordChannel.CLOSED) {
            input = Input.CLOSED;
            tcp.stopReceiving();
            stream.deliverEnd();
            if (output == Output.SHUT) {
                stream.end();
            }
        } else {
            failed();
        }
    }

    @Override
    public void onEndOfStream(Connection connection) {
        if (stream.phase() == Phase.OPEN && input != Input.CLOSED) {
            records.truncated();
            failed();
        }
    }

    /** Reports the end behind records that are parked. */
    @Override
    void onPeerEnded() {
        if (parked == null) {
            onEndOfStream(tcp);
        } else if (input != Input.CLOSED) {
            input = Input.FIN_PENDING;
        }
    }

    /** Reports the failure, and lets the alert leave. */
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
        if (waiting != null || records.controlWaits()) {
            sendOwed();
        }
        stream.deliverSent();
    }

    /**
     * Sends what waited for the socket: an answer, or buffers that need others to be sealed into, since what has been
     * sent may have freed a spare one, which nobody is told of.
     */
    private void sendOwed() {
        try {
            if (waiting == null) {
                answer();
            } else {
                sendWaiting();
            }
        } catch (Throwable t) {
            stream.threw("sealing of what waited", t);
        }
    }

    /**
     * Seals a buffer and sends it; false when there was no buffer to seal the rest into, which stays in it. Else the
     * buffer is gone, whatever is thrown.
     */
    private boolean seal(Slab buffer) {
        RecordChannel channel = records.channel();
        boolean inPlace = buffer.length() <= channel.maxPayloadBytes()
                && buffer.start() >= channel.headroom()
                && buffer.end() + channel.tailroom() <= buffer.capacity();
        return inPlace ? sealInPlace(buffer) : sealIntoOthers(buffer);
    }

    private boolean sealInPlace(Slab buffer) {
        try {
            if (!sendControl()) {
                return false;
            }
            int start = buffer.start() - records.channel().headroom();
            int sealed = records.seal(buffer.payloadAddress(), buffer.length());
            buffer.window(start, start + sealed);
        } catch (Throwable t) {
            buffer.release();
            throw t;
        }
        tcp.send(buffer);
        return true;
    }

    private boolean sealIntoOthers(Slab from) {
        try {
            while (from.length() > 0) {
                Slab into = sendControl() ? leaseToSeal(from.length()) : null;
                if (into == null) {
                    return false;
                }
                fill(from, into);
                tcp.send(into);
            }
        } catch (Throwable t) {
            from.release();
            throw t;
        }
        from.release();
        return true;
    }

    /** Seals as many records as fit; releases what it was to fill when that fails. */
    private void fill(Slab from, Slab into) {
        try {
            do {
                sealOne(from, into);
            } while (from.length() > 0 && hasRoom(into, from.length()) && !records.controlWaits());
        } catch (Throwable t) {
            into.release();
            throw t;
        }
    }

    /**
     * Leases a buffer to seal into. All ordinary ones may be parked, or hold plaintext that waits for one, and none of
     * them would ever leave: then a spare one serves.
     */
    private @Nullable Slab leaseToSeal(int bytes) {
        Slab slab = leaseFor(bytes);
        if (slab == null) {
            slab = loop().loopCrypto().leaseSpare();
            if (slab != null) {
                slab.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM);
            }
        }
        return slab;
    }

    private boolean hasRoom(Slab into, int length) {
        RecordChannel channel = records.channel();
        int payload = Math.min(length, channel.maxPayloadBytes());
        return into.end() + channel.headroom() + payload + channel.tailroom() <= into.capacity();
    }

    private void sealOne(Slab from, Slab into) {
        int payload = Math.min(from.length(), records.channel().maxPayloadBytes());
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
        Slab buffer = leaseToSeal(RecordChannel.MAX_CONTROL_BYTES);
        if (buffer == null) {
            return false;
        }
        writeControl(buffer);
        tcp.send(buffer);
        return true;
    }

    private void writeControl(Slab buffer) {
        try {
            int length = records.writeControl(buffer.address() + BufferGeometry.HEADROOM);
            buffer.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + length);
        } catch (Throwable t) {
            buffer.release();
            throw t;
        }
    }
}
