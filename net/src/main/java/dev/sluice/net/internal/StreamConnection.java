package dev.sluice.net.internal;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.ConnectHandler;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.EventLoop;
import dev.sluice.net.HandshakeHandler;
import dev.sluice.net.LoopStatistics.Counter;
import dev.sluice.net.PendingConnect;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.Timer;
import dev.sluice.net.TlsConnection;
import dev.sluice.tls.engine.BufferedEngine;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stream socket on either transport.
 *
 * <pre>
 *   CONNECTING ──▶ OPEN ──close()──▶ DRAINING ──FIN sent──▶ LINGERING ──peer's end, time──▶ ENDING ──▶ CLOSED
 *       │            └──────────────── failure, abort(), both directions ended ──────────────▲            ▲
 *       └───────────────── refused, timed out ──────────────────────────────▶ UNCONNECTED ────────────────┘
 * </pre>
 *
 * In ENDING and UNCONNECTED the transport takes back what the kernel holds; CLOSED is reached once, from
 * {@link #onDetached()}. Within that life each direction has phases of its own, {@link ReceivePhase} and
 * {@link SendPhase}, and each event a defined outcome in each of them.
 */
final class StreamConnection extends Endpoint implements TcpConnection, PendingConnect {
    private enum Phase {
        CONNECTING,
        OPEN,
        DRAINING,
        LINGERING,
        ENDING,
        /** Likewise for a connection that was never made. */
        UNCONNECTED,
        CLOSED
    }

    /** For {@link #receiveUnit}: payloads, each of which can be sealed as one record. */
    private static final short PLAIN = 0;

    private final Loop loop;
    /** Packed where it is the other side that connected; many accepted connections rest for long. */
    private final SocketAddress peer;

    private final SendQueue queue = new SendQueue();
    private ConnectionHandler handler = NoHandler.INSTANCE;
    private @Nullable ConnectHandler connecting;
    private @Nullable Timer timer;
    private Phase phase;
    private ReceivePhase receiving = ReceivePhase.OFF;
    private SendPhase sending = SendPhase.IDLE;

    /** Size of receives: {@link #PLAIN}, or the length of records that they are to end with; a short to save space. */
    private short receiveUnit = PLAIN;

    /** True when the last receive took all that it could: there may be much more. */
    private boolean busy;

    /** A buffer that the next receive continues to fill. */
    private @Nullable Slab partial;

    /** Bytes that receive may take: less than a record has. */
    private short partialMissing;

    /** Memory that the caller lends; null for a connection that never did, or has gone over to buffers. */
    private @Nullable LentMemory lent;

    private StreamConnection(Loop loop, SocketAddress peer, Phase phase) {
        this.loop = loop;
        this.peer = peer;
        this.phase = phase;
    }

    /** Makes a connection that was accepted; to be attached by the caller. */
    static StreamConnection accepted(Loop loop, SocketAddress peer) {
        return new StreamConnection(loop, PackedAddress.pack(peer), Phase.OPEN);
    }

    /** Prepares a connection to be made; to be attached and {@link #connect}ed by the caller. */
    static StreamConnection toBeConnected(Loop loop, SocketAddress peer, ConnectHandler outcome) {
        StreamConnection connection = new StreamConnection(loop, peer, Phase.CONNECTING);
        connection.connecting = FaultyHandlers.of(outcome);
        return connection;
    }

    // --- making -----------------------------------------------------------------------------------------------------

    void connect(long timeoutMillis) {
        try {
            loop.transport().connect(this, peer);
        } catch (Throwable t) {
            loop.report("connect", t);
            // Later, as every outcome: the caller expects none from inside the call.
            loop.execute(() -> connectFailed(Failures.internal(peer, "connect")));
            return;
        }
        timer = loop.schedule(timeoutMillis, () -> connectFailed(Failures.connectTimeout(peer, timeoutMillis + " ms")));
    }

    @Override
    void onConnected(int result) {
        if (phase != Phase.CONNECTING) {
            return;
        }
        if (result < 0) {
            connectFailed(Failures.ofConnect(result, peer));
            return;
        }
        ConnectHandler outcome = takeConnecting();
        phase = Phase.OPEN;
        loop.statistics().increment(Counter.CONNECTED);
        try {
            outcome.onConnected(this);
            requireHandler("onConnected");
        } catch (Throwable t) {
            connectThrew(outcome, t);
        }
    }

    /** Reports to whoever asked for the connection, unless a handler took it before. */
    private void connectThrew(ConnectHandler outcome, Throwable thrown) {
        if (handler == NoHandler.INSTANCE) {
            loop.report("onConnected", thrown);
            end(true);
            loop.tellConnectFailed(outcome, Failures.internal(peer, "onConnected"));
        } else {
            threw("onConnected", thrown);
        }
    }

    private void connectFailed(ConnectionFailure failure) {
        if (phase != Phase.CONNECTING) {
            return;
        }
        ConnectHandler outcome = takeConnecting();
        loop.statistics().increment(Counter.CONNECT_FAILURES);
        end(true);
        loop.tellConnectFailed(outcome, failure);
    }

    @Override
    public void abandon() {
        connectFailed(Failures.connectAbandoned(peer));
    }

    private ConnectHandler takeConnecting() {
        ConnectHandler outcome = Objects.requireNonNull(connecting);
        connecting = null;
        cancelTimer();
        return outcome;
    }

    /** Aborts a connection that was given away and has no handler, unless it was ended. */
    void requireHandler(String where) {
        if (phase == Phase.OPEN && handler == NoHandler.INSTANCE) {
            loop.report(where, new IllegalStateException("no ConnectionHandler was set in " + where + " for " + peer));
            abort();
        }
    }

    // --- what describes it ------------------------------------------------------------------------------------------

    @Override
    public EventLoop loop() {
        return loop;
    }

    @Override
    public int descriptor() {
        return fd;
    }

    @Override
    public SocketAddress localAddress() {
        SocketAddress address = phase == Phase.CLOSED ? null : loop.sockets().localAddress(fd);
        if (address == null) {
            throw new IllegalStateException("the connection to " + peer + " has ended; ask for its address before");
        }
        return address;
    }

    @Override
    public SocketAddress peerAddress() {
        return PackedAddress.unpack(peer);
    }

    @Override
    public void keepAlive(Duration idle) {
        if (phase != Phase.CLOSED) {
            loop.sockets().keepAlive(fd, idle);
        }
    }

    @Override
    public void handler(ConnectionHandler newHandler) {
        handler = FaultyHandlers.of(newHandler);
    }

    // --- receiving --------------------------------------------------------------------------------------------------

    @Override
    public void startReceiving() {
        if (phase != Phase.OPEN) {
            return;
        }
        switch (receiving) {
            case OFF, STOPPED -> {
                forgetLent();
                receiveStream();
            }
            case LATE -> receiving = ReceivePhase.ON;
            case LENT, LENT_NEXT, LENT_DUE ->
                throw new IllegalStateException(
                        "startReceiving while a receive into lent memory from " + peer + " is under way");
            case ON, DELIVERING, DROPPING, END_MET, END_TOLD, OVER -> {}
        }
    }

    @Override
    public void stopReceiving() {
        switch (receiving) {
            case ON -> receiving = ReceivePhase.LATE;
            case DELIVERING -> receiving = ReceivePhase.STOPPED;
            case OFF, STOPPED, LATE, LENT, LENT_NEXT, LENT_DUE, DROPPING, END_MET, END_TOLD, OVER -> {}
        }
    }

    @Override
    public void receiveInto(long address, int capacity, TransferHandler receiver) {
        if (phase != Phase.OPEN) {
            return;
        }
        switch (receiving) {
            case OFF, STOPPED, END_MET, END_TOLD -> {
                lendToReceive(address, capacity, receiver);
                receiveLent();
            }
            case LATE -> {
                // A late receive into a pool buffer holds the kernel's order of bytes: it has to be over first.
                lendToReceive(address, capacity, receiver);
                receiving = ReceivePhase.LENT_NEXT;
                loop.transport().cancelReceive(this);
            }
            case ON, DELIVERING -> throw illegalReceive("receiving is on");
            case LENT, LENT_NEXT, LENT_DUE -> throw illegalReceive("another receive into lent memory is under way");
            case DROPPING, OVER -> throw illegalReceive("the peer's direction is over");
        }
    }

    private IllegalStateException illegalReceive(String obstacle) {
        return new IllegalStateException("receiveInto while " + obstacle + ", peer=" + peer);
    }

    /**
     * Receives records from now on, and not payloads: as many as fit into a buffer, so that a receive ends where a
     * record does.
     *
     * @param recordBytes length of each; 1 when they have many lengths
     */
    void receiveRecords(int recordBytes) {
        receiveUnit = (short) recordBytes;
    }

    /** Returns true when neither this connection nor the kernel holds anything that is to be received or sent. */
    boolean isAtRest() {
        boolean receives = switch (receiving) {
            case OFF, STOPPED, DELIVERING -> false;
            case ON, LATE, LENT, LENT_NEXT, LENT_DUE, DROPPING, END_MET, END_TOLD, OVER -> true;
        };
        boolean holdsBack = heldBack != null && !heldBack.holdsNothing();
        boolean inTransport = (inKernel & (Operation.RECEIVE | Operation.SEND)) != 0;
        return phase == Phase.OPEN
                && !receives
                && !holdsBack
                && !inTransport
                && partial == null
                && sending == SendPhase.IDLE
                && queue.isEmpty()
                && !sendsLent();
    }

    /** Notes that the kernel protects the records of TLS from now on: payloads are received. */
    void recordsInKernel() {
        recordsInKernel = true;
        receiveUnit = PLAIN;
    }

    private int receiveLimit() {
        return receiveUnit == PLAIN ? BufferGeometry.PAYLOAD : BufferGeometry.ROOM / receiveUnit * receiveUnit;
    }

    private int bulkLimit() {
        return receiveUnit == PLAIN
                ? BufferGeometry.BULK_PAYLOAD
                : BufferGeometry.BULK_ROOM / receiveUnit * receiveUnit;
    }

    /**
     * Gives a delivered buffer back to have the next receive put its bytes behind those that it holds. It is delivered
     * again then; receiving stays on or off as it is.
     *
     * @param missing bytes to receive at most, for which the buffer has room; less than 32 KiB
     * @throws IllegalStateException while a receive is under way; the buffer is released then
     */
    void receiveMore(Slab buffer, int missing) {
        switch (receiving) {
            // Behind the peer's end nothing follows, and the buffer is released with the connection.
            case OFF, STOPPED, DELIVERING, END_MET, END_TOLD -> {
                partial = buffer;
                partialMissing = (short) missing;
            }
            case ON, LATE, LENT, LENT_NEXT, LENT_DUE, DROPPING, OVER -> {
                buffer.release();
                throw new IllegalStateException("receiveMore in phase " + receiving + ", peer=" + peer);
            }
        }
    }

    private void lendToReceive(long address, int capacity, TransferHandler receiver) {
        LentMemory memory = lentMemory();
        memory.receiver = FaultyHandlers.of(receiver);
        memory.receiveAddress = address;
        memory.receiveCapacity = capacity;
    }

    /**
     * Withdraws the receive into lent memory that follows a late one, inside of the delivery of what that brought: for
     * who keeps those bytes in the memory that was lent. No effect elsewhere.
     */
    void withdrawReceive() {
        switch (receiving) {
            case LENT_DUE -> {
                lentMemory().receiver = null;
                receiving = ReceivePhase.OFF;
            }
            case OFF, STOPPED, ON, DELIVERING, LATE, LENT, LENT_NEXT, DROPPING, END_MET, END_TOLD, OVER -> {}
        }
    }

    private LentMemory lentMemory() {
        LentMemory memory = lent;
        if (memory == null) {
            memory = new LentMemory();
            lent = memory;
        }
        return memory;
    }

    /** Drops what a connection that receives into buffers needs no more. */
    private void forgetLent() {
        if (!sendsLent()) {
            lent = null;
        }
    }

    /** Returns true from a call of {@link #sendFrom} until its handler is told. */
    boolean sendsLent() {
        return lent != null && lent.sender != null;
    }

    /** Returns true from a call of {@link #receiveInto} until its handler is told. */
    boolean receivesLent() {
        return receiving == ReceivePhase.LENT
                || receiving == ReceivePhase.LENT_NEXT
                || receiving == ReceivePhase.LENT_DUE;
    }

    private void receiveStream() {
        receiving = ReceivePhase.ON;
        receiveIntoBuffer();
    }

    private void receiveLent() {
        LentMemory memory = Objects.requireNonNull(lent);
        receiving = ReceivePhase.LENT;
        loop.transport().receiveInto(this, memory.receiveAddress, memory.receiveCapacity);
    }

    private void receiveToDrop() {
        receiving = ReceivePhase.DROPPING;
        receiveIntoBuffer();
    }

    private void receiveIntoBuffer() {
        Slab continued = partial;
        if (continued != null) {
            loop.transport().receiveInto(this, continued.address() + continued.end(), partialMissing);
        } else {
            loop.transport().receive(this, busy ? bulkLimit() : receiveLimit());
        }
    }

    @Override
    void onReceived(int result, @Nullable Slab buffer) {
        if (result > 0) {
            loop.statistics().add(Counter.BYTES_RECEIVED, result);
        }
        if (result < 0 && recordsInKernel && recordFailed(-result)) {
            receiving = receiving.received();
        } else if (phase != Phase.OPEN) {
            drop(result, buffer);
        } else if (result < 0 && result != -Errno.ECANCELED) {
            fail(Failures.ofConnection(result, peer));
        } else {
            deliver(result, buffer);
        }
        receiveNext();
    }

    /**
     * Has the path take an error that tells of a record; behind close() only the control records, which are dropped as
     * all that comes then.
     */
    private boolean recordFailed(int errno) {
        if (!(handler instanceof TlsPath path) || (phase != Phase.OPEN && errno != Errno.EIO)) {
            return false;
        }
        try {
            return path.onReceiveFailed(errno);
        } catch (Throwable t) {
            threw("a record of another type", t);
            return true;
        }
    }

    /**
     * Asks for the next receive. What fails here is this connection's end and nobody else's: it must not come out of
     * the transport's turn.
     */
    private void receiveNext() {
        try {
            if (phase == Phase.OPEN) {
                receiveWhatIsDue();
            } else if (phase == Phase.LINGERING && receiving == ReceivePhase.OFF) {
                receiveToDrop();
            }
        } catch (Throwable t) {
            threw("the next receive", t);
        }
    }

    private void receiveWhatIsDue() {
        switch (receiving) {
            case DELIVERING -> receiveStream();
            case LENT_DUE -> receiveLent();
            case OFF, STOPPED, ON, LATE, LENT, LENT_NEXT, DROPPING, END_MET, END_TOLD, OVER -> {}
        }
    }

    private void deliver(int result, @Nullable Slab buffer) {
        switch (receiving) {
            case ON, LATE, OVER -> {
                Slab filled = filled(result, buffer);
                if (result == 0) {
                    deliverEnd();
                } else {
                    receiving = receiving.received();
                    deliverIfAny(filled);
                }
            }
            // An end is met again by the receive that follows.
            case LENT_NEXT -> {
                receiving = receiving.received();
                deliverIfAny(filled(result, buffer));
            }
            case LENT -> deliverLent(result);
            case OFF, STOPPED, DELIVERING, LENT_DUE, DROPPING, END_MET, END_TOLD -> releaseIfAny(buffer);
        }
    }

    /** Returns what a receive into a buffer filled: the one that it was to continue, or the transport's. */
    private @Nullable Slab filled(int result, @Nullable Slab buffer) {
        Slab continued = partial;
        if (continued == null) {
            busy = buffer != null && result >= receiveLimit();
            return buffer;
        }
        if (result <= 0) {
            return null;
        }
        partial = null;
        continued.window(continued.start(), continued.end() + result);
        return continued;
    }

    private void deliverLent(int result) {
        LentMemory memory = Objects.requireNonNull(lent);
        if (result < 0) { // a cancel of the receive before it came late
            receiveLent();
            return;
        }
        TransferHandler receiver = Objects.requireNonNull(memory.receiver);
        memory.receiver = null;
        receiving = result == 0 ? ReceivePhase.END_MET : ReceivePhase.OFF;
        try {
            receiver.onTransferred(result);
        } catch (Throwable t) {
            threw("onTransferred", t);
        }
    }

    private void deliverIfAny(@Nullable Slab buffer) {
        if (buffer == null) {
            return;
        }
        Custody custody = loop.custody();
        custody.delivering(buffer);
        try {
            handler.onReceived(this, buffer);
        } catch (Throwable t) {
            custody.takeBack();
            threw("onReceived", t);
        }
    }

    private void deliverEnd() {
        receiving = ReceivePhase.END_TOLD;
        try {
            handler.onEndOfStream(this);
        } catch (Throwable t) {
            threw("onEndOfStream", t);
        }
        endWhenBothDirectionsHave();
    }

    @Override
    void onBroken(int result) {
        broken(result);
    }

    /**
     * Reports the peer's end. Whoever has not begun to receive, or receives into lent memory, meets the end in the next
     * receive.
     */
    @Override
    void onPeerEnded() {
        if (phase != Phase.OPEN) {
            return;
        }
        boolean idle = receiving == ReceivePhase.OFF || receiving == ReceivePhase.STOPPED;
        if (idle && handler instanceof TlsPath path) {
            tellPath(path);
        } else if (receiving == ReceivePhase.STOPPED) {
            deliverEnd();
        }
    }

    private void tellPath(TlsPath path) {
        try {
            path.onPeerEnded();
        } catch (Throwable t) {
            threw("the end of the stream", t);
        }
    }

    /** Drops what comes after close(), which is read so that the kernel need not reset the connection. */
    private void drop(int result, @Nullable Slab buffer) {
        releaseIfAny(buffer);
        if (result > 0 || result == -Errno.ECANCELED) {
            receiving = receiving.received();
        } else if (result < 0) {
            end(false);
        } else {
            receiving = ReceivePhase.END_MET;
            if (phase == Phase.LINGERING) {
                end(false);
            }
        }
    }

    private static void releaseIfAny(@Nullable Slab buffer) {
        if (buffer != null) {
            buffer.release();
        }
    }

    // --- sending ----------------------------------------------------------------------------------------------------

    @Override
    public void send(Slab buffer) {
        if (phase == Phase.OPEN && sending.isOpen() && !sendsLent()) {
            loop.custody().sent(buffer);
            queue.add(buffer, sending == SendPhase.BUFFER, loop.statistics());
            flush();
            return;
        }
        buffer.release();
        if (phase == Phase.OPEN) {
            throw new IllegalStateException(
                    "send " + (sending.isOpen() ? "during a send from lent memory" : "after shutdownOutput") + ", peer="
                            + peer);
        }
    }

    @Override
    public void sendFrom(long address, int length, TransferHandler sender) {
        if (phase != Phase.OPEN) {
            return;
        }
        LentMemory memory = lentMemory();
        if (!sending.isOpen() || memory.sender != null) {
            throw new IllegalStateException(
                    "sendFrom " + (sending.isOpen() ? "during another send from lent memory" : "after shutdownOutput")
                            + ", peer=" + peer);
        }
        memory.sender = FaultyHandlers.of(sender);
        memory.sendAddress = address;
        memory.sendLength = length;
        flush();
    }

    @Override
    public TlsConnection startTls(BufferedEngine engine, long handshakeTimeoutMillis, HandshakeHandler handshake) {
        return TlsStream.start(this, engine, handshakeTimeoutMillis, handshake);
    }

    @Override
    public TlsConnection startTls(
            BufferedEngine engine, long handshakeTimeoutMillis, HandshakeHandler handshake, Slab firstBytes) {
        TlsStream stream = TlsStream.start(this, engine, handshakeTimeoutMillis, handshake);
        stream.begin(firstBytes);
        return stream;
    }

    @Override
    public long queuedBytes() {
        LentMemory memory = lent;
        return queue.bytes() + (memory == null || memory.sender == null ? 0 : memory.sendLength);
    }

    @Override
    public void shutdownOutput() {
        if (phase == Phase.OPEN && sending.isOpen()) {
            sending = sending.finishing();
            flush();
        }
    }

    /**
     * Notes that the protocol above has ended in both directions but for what is sent next, and the caller closes after
     * that: FIN travels with it, and the peer's is not waited for. What the peer should send all the same resets the
     * connection.
     */
    void endsWithNextSend() {
        receiving = switch (receiving) {
            case OFF, STOPPED, ON, DELIVERING, LATE, END_MET, END_TOLD, OVER -> ReceivePhase.OVER;
            case LENT, LENT_NEXT, LENT_DUE, DROPPING -> receiving;
        };
    }

    private void flush() {
        if (phase != Phase.OPEN && phase != Phase.DRAINING) {
            return;
        }
        switch (sending) {
            case IDLE -> sendQueued();
            case FINISHING -> {
                if (!sendQueued()) {
                    endOutput();
                }
            }
            case BUFFER, LENT, FINISHING_BUFFER, FINISHING_LENT, SHUT -> {}
        }
    }

    /** Sends what is next; false when nothing is queued. */
    private boolean sendQueued() {
        LentMemory memory = lent;
        if (!queue.isEmpty()) {
            Slab head = queue.head();
            boolean isLast = receiving == ReceivePhase.OVER && head.length() == queue.bytes();
            sending = sending.withBuffer();
            loop.transport().send(this, head.payloadAddress(), head.length(), isLast);
            return true;
        }
        if (memory != null && memory.sender != null) {
            sending = sending.withLent();
            loop.transport().send(this, memory.sendAddress, memory.sendLength, false);
            return true;
        }
        return false;
    }

    /**
     * Ends our direction after the last byte. Where the peer's direction is over too, closing the descriptor is all
     * that is left to do.
     */
    private void endOutput() {
        if (phase == Phase.OPEN ? receiving == ReceivePhase.END_TOLD : receiving.isOver()) {
            end(false);
        } else {
            shutOutput();
        }
    }

    @Override
    void onSent(int result) {
        SendPhase before = sending;
        sending = before.sent();
        if (result < 0) {
            broken(result);
            return;
        }
        loop.statistics().add(Counter.BYTES_SENT, result);
        switch (before) {
            case BUFFER, FINISHING_BUFFER -> {
                queue.consume(result);
                bufferSent();
            }
            case LENT, FINISHING_LENT -> lentSent(result);
            case IDLE, FINISHING, SHUT -> {}
        }
        sendNext();
    }

    private void sendNext() {
        try {
            flush();
        } catch (Throwable t) {
            threw("the next send", t);
        }
    }

    private void lentSent(int result) {
        LentMemory memory = Objects.requireNonNull(lent);
        TransferHandler sender = Objects.requireNonNull(memory.sender);
        memory.sender = null;
        if (phase == Phase.OPEN) {
            try {
                sender.onTransferred(result);
            } catch (Throwable t) {
                threw("onTransferred", t);
            }
        } else if (result < memory.sendLength) {
            // close() came meanwhile: the rest still belongs to what was queued.
            memory.sender = sender;
            memory.sendAddress += result;
            memory.sendLength -= result;
        }
    }

    private void bufferSent() {
        if (phase == Phase.OPEN) {
            try {
                handler.onSent(this);
            } catch (Throwable t) {
                threw("onSent", t);
            }
        }
    }

    private void shutOutput() {
        sending = SendPhase.SHUT;
        int result = loop.sockets().shutdownOutput(fd);
        if (result < 0) {
            // ENOTCONN: the peer has reset the connection and nobody was reading. The handler is told later, since it
            // is the one who calls here.
            loop.execute(() -> broken(result == -Errno.ENOTCONN ? -Errno.ECONNRESET : result));
        } else if (phase == Phase.OPEN) {
            endWhenBothDirectionsHave();
        } else {
            linger();
        }
    }

    // --- ending -----------------------------------------------------------------------------------------------------

    @Override
    public void close() {
        if (phase != Phase.OPEN) {
            return;
        }
        phase = Phase.DRAINING;
        receiving = receiving.closed();
        sending = sending.finishing();
        timer = loop.schedule(loop.config().closeTimeoutMillis(), () -> end(true));
        if (sending == SendPhase.SHUT) {
            linger();
        } else {
            flush();
        }
    }

    /** Waits for the peer's end, now that our direction has ended. */
    private void linger() {
        if (receiving.isOver()) {
            end(false);
            return;
        }
        phase = Phase.LINGERING;
        if (receiving == ReceivePhase.OFF) {
            receiveToDrop();
        }
    }

    @Override
    public void abort() {
        if (phase == Phase.CONNECTING) {
            connectFailed(Failures.loopClosed(peer));
        } else {
            end(true);
        }
    }

    @Override
    void onLoopClosing() {
        abort();
    }

    private void broken(int errno) {
        if (phase == Phase.OPEN) {
            fail(Failures.ofConnection(errno, peer));
        } else {
            end(false);
        }
    }

    private void fail(ConnectionFailure failure) {
        end(true);
        try {
            handler.onFailed(this, failure);
        } catch (Throwable t) {
            threw("onFailed", t);
        }
    }

    private void endWhenBothDirectionsHave() {
        if (phase == Phase.OPEN && receiving == ReceivePhase.END_TOLD && sending == SendPhase.SHUT) {
            end(false);
        }
    }

    /** Hands the connection back to the transport; {@link #onDetached()} follows. */
    private void end(boolean withReset) {
        if (phase.compareTo(Phase.ENDING) < 0) {
            phase = phase == Phase.CONNECTING ? Phase.UNCONNECTED : Phase.ENDING;
            cancelTimer();
            detach(withReset);
        }
    }

    /**
     * Detaches; again in the next turn when it fails, since nobody else would come back to a connection that has ended.
     */
    private void detach(boolean withReset) {
        try {
            loop.transport().detach(this, withReset);
        } catch (Throwable t) {
            loop.report("the end of a connection", t);
            loop.execute(() -> detach(withReset));
        }
    }

    @Override
    void onThrown(Throwable thrown) {
        threw("the transport", thrown);
    }

    @Override
    void onDetached() {
        if (phase != Phase.UNCONNECTED) {
            loop.statistics().increment(Counter.CLOSED);
        }
        phase = Phase.CLOSED;
        try {
            releaseBuffers();
        } catch (Throwable t) {
            loop.report("the release of a connection's buffers", t);
        }
        try {
            handler.onClosed(this);
        } catch (Throwable t) {
            loop.report("onClosed", t);
        }
    }

    private void releaseBuffers() {
        lent = null;
        queue.clear();
        if (partial != null) {
            partial.release();
            partial = null;
        }
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    /** Ends the connection at once because code threw, its handler's or our own: reports it, and tells the handler. */
    private void threw(String where, Throwable thrown) {
        loop.report(where, thrown);
        if (phase == Phase.OPEN) {
            fail(Failures.internal(peer, where));
        } else if (phase == Phase.CONNECTING) {
            connectFailed(Failures.internal(peer, where));
        } else {
            abort();
        }
    }

    /** Memory that the caller lends for a receive and a send; each is asked for while it has a handler. */
    private static final class LentMemory {
        private @Nullable TransferHandler receiver;
        private @Nullable TransferHandler sender;
        private long receiveAddress;
        private long sendAddress;
        private int receiveCapacity;
        private int sendLength;
    }

    @Override
    public String toString() {
        return "connection with " + peer + ", " + phase + ", receiving " + receiving + ", sending " + sending;
    }
}
