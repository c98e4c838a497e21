package dev.sluice.net.internal;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.ConnectHandler;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.EventLoop;
import dev.sluice.net.LoopStatistics.Counter;
import dev.sluice.net.PendingConnect;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.Timer;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stream socket on either loop.transport().
 *
 * <pre>
 *   CONNECTING ──▶ OPEN ──close()──▶ DRAINING ──FIN sent──▶ LINGERING ──peer's end, time──▶ ENDING ──▶ CLOSED
 *       │            └──────────────── failure, abort(), both directions ended ────────────────▲
 *       └───────────────────────────── refused, timed out ──────────────────────────────────────┘
 * </pre>
 *
 * In ENDING the transport takes back what the kernel holds; CLOSED is reached once, from {@link #onDetached()}.
 */
final class StreamConnection extends Endpoint implements TcpConnection, PendingConnect {
    private enum Phase {
        CONNECTING,
        OPEN,
        DRAINING,
        LINGERING,
        ENDING,
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
    private boolean opened;

    private boolean receiving;
    private boolean receiveArmed;
    /** True when the handler receives the stream, now or when it goes on, and not a direct receiver. */
    private boolean streams;
    /** How receives are sized: {@link #PLAIN}, or the length of records that they are to end with; a short to save space. */
    private short receiveUnit = PLAIN;

    /** Whether the last receive took all that it could: there may be much more. */
    private boolean busy;
    /** A buffer that the next receive continues to fill. */
    private @Nullable Slab partial;

    private int partialMissing;

    private boolean receiveIsDirect;
    private boolean endOfStream;
    /** Whether the handler heard of the peer's end; a direct receiver may still have bytes to work off. */
    private boolean endTold;

    /** For direct calls; null for a connection that never made one, or has gone over to buffers. */
    private @Nullable DirectCalls direct;

    private boolean sendArmed;
    private boolean sendIsDirect;
    private boolean shutdownWanted;
    private boolean outputShut;
    /** Whether the peer has said, in the protocol above, that nothing follows, and we send nothing after what is queued. */
    private boolean overAbove;

    private StreamConnection(Loop loop, SocketAddress peer, Phase phase) {
        this.loop = loop;
        this.peer = peer;
        this.phase = phase;
    }

    /** A connection that was accepted; to be attached by the caller. */
    static StreamConnection accepted(Loop loop, SocketAddress peer) {
        StreamConnection connection = new StreamConnection(loop, PackedAddress.pack(peer), Phase.OPEN);
        connection.opened = true;
        return connection;
    }

    /** A connection to be made; to be attached and {@link #connect}ed by the caller. */
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
        opened = true;
        loop.statistics().increment(Counter.CONNECTED);
        try {
            outcome.onConnected(this);
            requireHandler("onConnected");
        } catch (Throwable t) {
            connectThrew(outcome, t);
        }
    }

    /** Tells whoever asked for the connection, unless a handler took it before. */
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

    /** After the connection was handed over: it needs somebody who listens, unless it was ended. */
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
        if (direct != null) {
            if (direct.receiver != null) {
                throw new IllegalStateException("startReceiving while a direct receive from " + peer + " is under way");
            }
            if (direct.sender == null) {
                direct = null;
            }
        }
        receiving = true;
        streams = true;
        armReceive();
    }

    @Override
    public void stopReceiving() {
        receiving = false;
    }

    @Override
    public void receiveDirect(long address, int capacity, DirectHandler receiver) {
        DirectCalls calls = directCalls();
        if (receiving || calls.receiver != null) {
            throw new IllegalStateException("receiveDirect while "
                    + (receiving ? "receiving is on" : "another direct receive is under way") + ", peer=" + peer);
        }
        if (phase != Phase.OPEN) {
            return;
        }
        streams = false;
        calls.receiver = FaultyHandlers.of(receiver);
        calls.receiveAddress = address;
        calls.receiveCapacity = capacity;
        if (receiveArmed) {
            // A late receive into a pool buffer holds the kernel's order of bytes: it has to be over first.
            loop.transport().cancelReceive(this);
        }
        armReceive();
    }

    /**
     * From now on receives records, and not payloads: as many as fit into a buffer, so that a receive ends where a record
     * does.
     *
     * @param recordBytes length of each; 1 when they have many lengths
     */
    void receiveRecords(int recordBytes) {
        receiveUnit = (short) recordBytes;
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
     * again then; receiving goes on or stays off as it is. Not while a receive is under way: only from inside onReceived.
     *
     * @param missing bytes to receive at most, for which the buffer has room
     */
    void receiveMore(Slab buffer, int missing) {
        partial = buffer;
        partialMissing = missing;
    }

    private DirectCalls directCalls() {
        DirectCalls calls = direct;
        if (calls == null) {
            calls = new DirectCalls();
            direct = calls;
        }
        return calls;
    }

    private boolean sendsDirectly() {
        return direct != null && direct.sender != null;
    }

    private void armReceive() {
        if (receiveArmed) {
            return;
        }
        DirectCalls calls = direct;
        if (phase == Phase.OPEN && calls != null && calls.receiver != null) {
            receiveArmed = true;
            receiveIsDirect = true;
            loop.transport().receiveInto(this, calls.receiveAddress, calls.receiveCapacity);
        } else if (phase == Phase.LINGERING || (phase == Phase.OPEN && receiving && !endOfStream)) {
            receiveArmed = true;
            receiveIsDirect = false;
            receiveIntoBuffer();
        }
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
        receiveArmed = false;
        if (result > 0) {
            loop.statistics().add(Counter.BYTES_RECEIVED, result);
        }
        if (phase == Phase.OPEN) {
            deliver(result, partial != null && !receiveIsDirect ? continued(result) : noteBusy(result, buffer));
        } else {
            drop(result, buffer);
        }
        receiveNext();
    }

    /** What fails here is this connection's end and nobody else's: it must not come out of the transport's turn. */
    private void receiveNext() {
        try {
            armReceive();
        } catch (Throwable t) {
            receiveArmed = false;
            threw("the next receive", t);
        }
    }

    /** The buffer that was continued, once there is more in it. */
    private @Nullable Slab continued(int result) {
        Slab buffer = partial;
        if (buffer == null || result <= 0) {
            return null;
        }
        partial = null;
        buffer.window(buffer.start(), buffer.end() + result);
        return buffer;
    }

    private @Nullable Slab noteBusy(int result, @Nullable Slab buffer) {
        busy = buffer != null && result >= receiveLimit();
        return buffer;
    }

    private void deliver(int result, @Nullable Slab buffer) {
        endOfStream |= result == 0;
        if (result < 0 && result != -Errno.ECANCELED) {
            fail(Failures.ofConnection(result, peer));
        } else if (receiveIsDirect && result >= 0) {
            deliverDirect(result);
        } else if (buffer != null) {
            deliverBuffer(buffer);
        } else if (result == 0) {
            deliverEnd();
        }
        endWhenBothDirectionsHave();
    }

    private void deliverDirect(int result) {
        DirectCalls calls = Objects.requireNonNull(direct);
        DirectHandler receiver = Objects.requireNonNull(calls.receiver);
        calls.receiver = null;
        try {
            receiver.onDirect(result);
        } catch (Throwable t) {
            threw("onDirect", t);
        }
    }

    private void deliverBuffer(Slab buffer) {
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
        endTold = true;
        try {
            handler.onEndOfStream(this);
        } catch (Throwable t) {
            threw("onEndOfStream", t);
        }
    }

    @Override
    void onBroken(int result) {
        broken(result);
    }

    /** Whoever has not begun to receive, or receives directly, meets the end in the next receive. */
    @Override
    void onPeerEnded() {
        if (phase != Phase.OPEN || endOfStream) {
            return;
        }
        if (handler instanceof TlsPath path) {
            tellPath(path);
        } else if (streams) {
            endOfStream = true;
            deliverEnd();
            endWhenBothDirectionsHave();
        }
    }

    private void tellPath(TlsPath path) {
        try {
            path.onPeerEnded();
        } catch (Throwable t) {
            threw("the end of the stream", t);
        }
    }

    /** What comes after close(): read so that the kernel need not reset the connection, and dropped. */
    private void drop(int result, @Nullable Slab buffer) {
        if (buffer != null) {
            buffer.release();
        }
        boolean ended = result == 0 || (result < 0 && result != -Errno.ECANCELED);
        endOfStream |= ended;
        boolean broken = ended && result < 0;
        if (broken || (ended && phase == Phase.LINGERING)) {
            end(false);
        }
    }

    // --- sending ----------------------------------------------------------------------------------------------------

    @Override
    public void send(Slab buffer) {
        if (phase == Phase.OPEN && !shutdownWanted && !sendsDirectly()) {
            loop.custody().sent(buffer);
            queue.add(buffer, sendArmed && !sendIsDirect, loop.statistics());
            flush();
            return;
        }
        buffer.release();
        if (phase == Phase.OPEN) {
            throw new IllegalStateException(
                    "send " + (shutdownWanted ? "after shutdownOutput" : "during a direct send") + ", peer=" + peer);
        }
    }

    @Override
    public void sendDirect(long address, int length, DirectHandler sender) {
        if (phase != Phase.OPEN) {
            return;
        }
        DirectCalls calls = directCalls();
        if (shutdownWanted || calls.sender != null) {
            throw new IllegalStateException("sendDirect "
                    + (shutdownWanted ? "after shutdownOutput" : "during another direct send") + ", peer=" + peer);
        }
        calls.sender = FaultyHandlers.of(sender);
        calls.sendAddress = address;
        calls.sendLength = length;
        flush();
    }

    @Override
    public long queuedBytes() {
        DirectCalls calls = direct;
        return queue.bytes() + (calls == null || calls.sender == null ? 0 : calls.sendLength);
    }

    @Override
    public void shutdownOutput() {
        if (phase == Phase.OPEN && !shutdownWanted) {
            shutdownWanted = true;
            flush();
        }
    }

    /**
     * The protocol above has ended in both directions but for what is sent next, and the caller closes after that: FIN
     * travels with it, and the peer's is not waited for. What the peer should send all the same resets the connection.
     */
    void endsWithNextSend() {
        overAbove = true;
    }

    private void flush() {
        if (sendArmed || phase.compareTo(Phase.DRAINING) > 0) {
            return;
        }
        DirectCalls calls = direct;
        if (!queue.isEmpty()) {
            Slab head = queue.head();
            boolean isLast = overAbove && head.length() == queue.bytes();
            armSend(false, head.payloadAddress(), head.length(), isLast);
        } else if (calls != null && calls.sender != null) {
            armSend(true, calls.sendAddress, calls.sendLength, false);
        } else if (shutdownWanted && !outputShut) {
            endOutput();
        }
    }

    private void armSend(boolean direct, long address, int length, boolean more) {
        sendArmed = true;
        sendIsDirect = direct;
        loop.transport().send(this, address, length, more);
    }

    /** After the last byte. Where the peer's direction is over too, closing the descriptor is all that is left to do. */
    private void endOutput() {
        if (phase == Phase.OPEN ? endTold : endOfStream || overAbove) {
            end(false);
        } else {
            shutOutput();
        }
    }

    @Override
    void onSent(int result) {
        sendArmed = false;
        if (result < 0) {
            broken(result);
            return;
        }
        loop.statistics().add(Counter.BYTES_SENT, result);
        if (sendIsDirect) {
            directSent(result);
        } else {
            queue.consume(result);
            bufferSent();
        }
        sendNext();
    }

    private void sendNext() {
        try {
            flush();
        } catch (Throwable t) {
            sendArmed = false;
            threw("the next send", t);
        }
    }

    private void directSent(int result) {
        DirectCalls calls = Objects.requireNonNull(direct);
        DirectHandler sender = Objects.requireNonNull(calls.sender);
        calls.sender = null;
        if (phase == Phase.OPEN) {
            try {
                sender.onDirect(result);
            } catch (Throwable t) {
                threw("onDirect", t);
            }
        } else if (result < calls.sendLength) {
            // close() came meanwhile: the rest still belongs to what was queued.
            calls.sender = sender;
            calls.sendAddress += result;
            calls.sendLength -= result;
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
        outputShut = true;
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
        receiving = false;
        shutdownWanted = true;
        timer = loop.schedule(loop.config().closeTimeoutMillis(), () -> end(true));
        if (outputShut) {
            linger();
        } else {
            flush();
        }
    }

    /** Our direction has ended: waits for the peer's. */
    private void linger() {
        if (endOfStream) {
            end(false);
        } else {
            phase = Phase.LINGERING;
            armReceive();
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
        if (phase == Phase.OPEN && endTold && outputShut) {
            end(false);
        }
    }

    /** Hands the connection back to the transport; {@link #onDetached()} follows. */
    private void end(boolean withReset) {
        if (phase.compareTo(Phase.ENDING) < 0) {
            phase = Phase.ENDING;
            cancelTimer();
            detach(withReset);
        }
    }

    /** Again in the next turn when it fails: nobody else would come back to a connection that has ended. */
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
        phase = Phase.CLOSED;
        if (opened) {
            loop.statistics().increment(Counter.CLOSED);
        }
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
        direct = null;
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

    /** A receive and a send in memory that somebody else owns; each is under way while it has a handler. */
    private static final class DirectCalls {
        private @Nullable DirectHandler receiver;
        private @Nullable DirectHandler sender;
        private long receiveAddress;
        private long sendAddress;
        private int receiveCapacity;
        private int sendLength;
    }

    @Override
    public String toString() {
        return "connection with " + peer + ", " + phase;
    }
}
