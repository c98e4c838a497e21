package dev.sluice.tls.engine;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.Bytes;
import dev.sluice.tls.Peer;
import dev.sluice.tls.failure.TlsFailure;
import java.lang.foreign.Arena;
import java.util.Arrays;

/** One of our engines as a {@link Peer}. */
public final class OurPeer implements Peer {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int MAX_IDLE_ROUNDS = 10;

    private final EngineTransport transport;
    private final TlsEngine engine;
    private final Arena arena = Arena.ofConfined();
    private final long buffer = arena.allocate(BUFFER_BYTES).address();
    private byte[] offered = {};
    private byte[] output = {};
    private boolean endPending;
    private int lastStatus = EngineStatus.DONE;
    private boolean takesEarlyData;
    private byte[] earlyData = {};

    OurPeer(EngineTransport transport) {
        this.transport = transport;
        this.engine = transport.engine();
    }

    public TlsEngine engine() {
        return engine;
    }

    public HandshakeInfo info() {
        HandshakeInfo info = engine.handshakeInfo();
        if (info == null) {
            throw new AssertionError("no handshake: state=" + engine.state() + ", failure=" + engine.failure());
        }
        return info;
    }

    public TlsFailure tlsFailure() {
        TlsFailure failure = engine.failure();
        if (failure == null) {
            throw new AssertionError("no failure: state=" + engine.state());
        }
        return failure;
    }

    /** Returns the result of the last engine call. */
    public int lastStatus() {
        return lastStatus;
    }

    @Override
    public void handshake() {
        if (engine.state() == EngineState.CLOSED) {
            return;
        }
        do {
            feed();
            lastStatus = takesEarlyData ? handshakeWithEarlyData() : engine.handshake();
            drain();
        } while (lastStatus > 0
                || lastStatus == EngineStatus.WANT_WRITE
                || (lastStatus == EngineStatus.WANT_READ && feed()));
    }

    private int handshakeWithEarlyData() {
        int status = ((BufferedEngine) engine).handshake(buffer, BUFFER_BYTES);
        if (status > 0) {
            byte[] part = new byte[status];
            RawMemory.copy(buffer, part, 0, status);
            earlyData = Bytes.join(earlyData, part);
        }
        return status;
    }

    /** Accepts early data from now on, on a server. */
    void takeEarlyData() {
        takesEarlyData = true;
    }

    /** Returns the early data received. */
    byte[] earlyData() {
        return earlyData;
    }

    @Override
    public boolean isEstablished() {
        return engine.handshakeInfo() != null;
    }

    @Override
    public String failure() {
        TlsFailure failure = engine.failure();
        return failure == null ? "" : failure.reason().label();
    }

    @Override
    public void write(byte[] plaintext) {
        int idle = 0;
        int at = 0;
        while (at < plaintext.length) {
            int count = Math.min(BUFFER_BYTES, plaintext.length - at);
            RawMemory.copy(plaintext, at, buffer, count);
            lastStatus = engine.write(buffer, count);
            drain();
            at += Math.max(0, lastStatus);
            idle = lastStatus > 0 ? 0 : idle + 1;
            if (idle > MAX_IDLE_ROUNDS) {
                throw new AssertionError("nothing can be written: " + EngineStatus.name(lastStatus));
            }
        }
    }

    @Override
    public byte[] read() {
        byte[] all = {};
        boolean more;
        do {
            feed();
            lastStatus = engine.read(buffer, BUFFER_BYTES);
            drain();
            if (lastStatus > 0) {
                byte[] part = new byte[lastStatus];
                RawMemory.copy(buffer, part, 0, part.length);
                all = Bytes.join(all, part);
            }
            more = lastStatus > 0 || (lastStatus == EngineStatus.WANT_READ && feed());
        } while (more);
        return all;
    }

    @Override
    public boolean sawCloseNotify() {
        return lastStatus == EngineStatus.CLOSED;
    }

    @Override
    public void closeOutput() {
        lastStatus = engine.closeOutput();
        drain();
    }

    @Override
    public byte[] takeOutput() {
        drain();
        byte[] taken = output;
        output = new byte[0];
        return taken;
    }

    @Override
    public void offer(byte[] bytes) {
        offered = Bytes.join(offered, bytes);
    }

    @Override
    public void endOfStream() {
        endPending = true;
    }

    /** Feeds the engine; returns whether it accepted anything. */
    private boolean feed() {
        int taken = offered.length == 0 ? 0 : transport.feed(offered, 0);
        offered = Arrays.copyOfRange(offered, taken, offered.length);
        boolean ends = endPending && offered.length == 0;
        if (ends) {
            endPending = false;
            transport.endOfStream();
        }
        return taken > 0 || ends;
    }

    private void drain() {
        output = Bytes.join(output, transport.drain());
    }

    @Override
    public void close() {
        transport.close();
        arena.close();
    }
}
