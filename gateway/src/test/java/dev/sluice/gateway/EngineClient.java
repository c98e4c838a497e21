package dev.sluice.gateway;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.DirectEngine;
import dev.sluice.tls.engine.EngineStatus;
import dev.sluice.tls.engine.LoopCrypto;
import dev.sluice.tls.engine.TlsSession;
import dev.sluice.tls.failure.TlsFailure;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.Socket;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A TLS client over a blocking socket that does what a test says, record by record. Owns the socket. */
public final class EngineClient implements AutoCloseable {
    private static final int BYTES = 64 * 1024;

    private final Socket socket;
    private final DirectEngine engine;
    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment plaintext = allocator.allocate(BYTES, 8);
    private final byte[] transfer = new byte[BYTES];
    private long written;
    private long read;
    private boolean closed;

    /**
     * Creates an engine client.
     *
     * @param session to resume, which stays the caller's; null: none
     */
    EngineClient(Socket socket, TlsContext context, @Nullable TlsSession session, LoopCrypto path) {
        this.socket = socket;
        this.engine = session == null
                ? DirectEngine.client(context, "localhost", path)
                : DirectEngine.client(context, "localhost", session, null, path);
    }

    /** The TCP connection underneath. */
    public Socket socket() {
        return socket;
    }

    // --- handshake --------------------------------------------------------------------------------------------------

    /** Shakes hands; the first flight leaves in pieces, and what is given runs behind each but the last. */
    public void handshake(int pieces, Runnable between) throws IOException {
        engine.handshake();
        byte[] hello = unsent();
        int piece = (hello.length + pieces - 1) / pieces;
        for (int at = 0; at < hello.length; at += piece) {
            if (at > 0) {
                between.run();
            }
            socket.getOutputStream().write(hello, at, Math.min(piece, hello.length - at));
        }
        handshake();
    }

    private void handshake() throws IOException {
        int status = engine.handshake();
        flush();
        while (status == EngineStatus.WANT_READ) {
            receive();
            status = engine.handshake();
            flush();
        }
        if (status != EngineStatus.DONE) {
            throw failure();
        }
    }

    /** Returns true when the handshake has resumed a session. */
    public boolean isResumed() {
        return Objects.requireNonNull(engine.handshakeInfo()).resumed();
    }

    /** The session that the server has given; the caller closes it. */
    TlsSession session() {
        return Objects.requireNonNull(engine.session(), "no session ticket came");
    }

    // --- data -------------------------------------------------------------------------------------------------------

    /** Sends the next bytes of the stream. */
    public void write(int count) throws IOException {
        for (int left = count; left > 0; ) {
            int now = Math.min(left, BYTES);
            for (int i = 0; i < now; i++) {
                RawMemory.putByte(plaintext.address() + i, at(written + i));
            }
            writeAll(now);
            written += now;
            left -= now;
        }
    }

    private void writeAll(int count) throws IOException {
        for (int done = 0; done < count; ) {
            int status = engine.write(plaintext.address() + done, count - done);
            flush();
            if (status <= 0 && status != EngineStatus.WANT_WRITE) {
                throw failure();
            }
            done += Math.max(status, 0);
        }
    }

    /** Receives the next bytes of the stream, which the other side sends as this one does. */
    public void read(int count) throws IOException {
        for (int left = count; left > 0; ) {
            int status = readOnce(Math.min(left, BYTES));
            if (status == EngineStatus.CLOSED) {
                throw new EOFException("close_notify, with " + left + " bytes missing");
            }
            for (int i = 0; i < status; i++) {
                if (RawMemory.getByte(plaintext.address() + i) != at(read + i)) {
                    throw new AssertionError("another byte than was sent, at " + (read + i));
                }
            }
            read += status;
            left -= status;
        }
    }

    /** Bytes, or CLOSED. */
    private int readOnce(int most) throws IOException {
        int status = engine.read(plaintext.address(), most);
        flush();
        while (status == EngineStatus.WANT_READ) {
            receive();
            status = engine.read(plaintext.address(), most);
            flush();
        }
        if (status <= 0 && status != EngineStatus.CLOSED) {
            throw failure();
        }
        return status;
    }

    /** The byte at a place of either stream. */
    public static byte at(long offset) {
        return (byte) (offset * 31 + (offset >>> 8));
    }

    /** Updates our key, or asks for the peer's too, with the next record. */
    public void updateKey(boolean peerToo) {
        if (peerToo) {
            Objects.requireNonNull(engine.channel()).requestKeyUpdate();
        } else {
            Objects.requireNonNull(engine.channel()).updateKey();
        }
    }

    // --- ends -------------------------------------------------------------------------------------------------------

    /** Ends our stream with close_notify. */
    public void closeNotify() throws IOException {
        engine.closeOutput();
        flush();
    }

    /** Waits for the peer's close_notify; data before it is an error. */
    public void awaitCloseNotify() throws IOException {
        int status = readOnce(1);
        if (status != EngineStatus.CLOSED) {
            throw new AssertionError("data in place of the end");
        }
    }

    /** Waits for the peer's FIN. */
    public void awaitEnd() throws IOException {
        while (socket.getInputStream().read(transfer) >= 0) {}
    }

    /** Waits for a fatal alert of the peer. */
    public void awaitAlert(String name) throws IOException {
        try {
            readOnce(1);
        } catch (IOException end) {
            TlsFailure failure = engine.failure();
            if (failure != null && failure.reason().label().equals("alert_received_" + name)) {
                return;
            }
            throw end;
        }
        throw new AssertionError("data, or a clean end, in place of the alert");
    }

    /** Breaks the connection. */
    public void reset() throws IOException {
        TlsClient.reset(socket);
    }

    // --- bytes of TLS -----------------------------------------------------------------------------------------------

    private byte[] unsent() {
        byte[] bytes = new byte[engine.sendLength()];
        RawMemory.copy(engine.sendAddress(), bytes, 0, bytes.length);
        engine.sent(bytes.length);
        return bytes;
    }

    private void flush() throws IOException {
        while (engine.sendLength() > 0) {
            socket.getOutputStream().write(unsent());
        }
    }

    private void receive() throws IOException {
        int room = Math.min(engine.receiveCapacity(), transfer.length);
        int count = socket.getInputStream().read(transfer, 0, room);
        if (count < 0) {
            engine.receivedEndOfStream();
        } else {
            RawMemory.copy(transfer, 0, engine.receiveAddress(), count);
            engine.received(count);
        }
    }

    private IOException failure() {
        return new IOException("TLS failed: " + engine.failure());
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            engine.close();
            allocator.free(plaintext);
            socket.close();
        }
    }
}
