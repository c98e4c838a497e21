package dev.sluice.gateway;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.simulator.Channel;
import dev.sluice.simulator.MemorySocket;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.EngineStatus;
import dev.sluice.tls.engine.MemoryEngine;
import java.lang.foreign.MemorySegment;

/** A TLS client over a socket in memory: libssl on the other side of what is tested. */
final class TlsChannel implements Channel {
    private static final int MOST_AT_ONCE = 20_000;

    private final MemorySocket socket;
    private final MemoryEngine engine;
    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment plaintext = allocator.allocate(MOST_AT_ONCE, 8);
    private boolean handshakeDone;
    private boolean finSeen;
    private boolean freed;
    private int error;

    TlsChannel(MemorySocket socket, TlsContext context) {
        this.socket = socket;
        this.engine = MemoryEngine.client(context, "localhost");
    }

    @Override
    public int read(byte[] to, int offset, int length) {
        if (!advance()) {
            return error != 0 ? error : -Errno.EAGAIN;
        }
        int status = engine.read(plaintext.address(), Math.min(length, MOST_AT_ONCE));
        flush();
        if (status > 0) {
            RawMemory.copy(plaintext.address(), to, offset, status);
        }
        return status > 0 ? status : result(status);
    }

    @Override
    public int write(byte[] from, int offset, int length) {
        if (!advance()) {
            return error != 0 ? error : -Errno.EAGAIN;
        }
        int count = Math.min(length, MOST_AT_ONCE);
        RawMemory.copy(from, offset, plaintext.address(), count);
        int status = engine.write(plaintext.address(), count);
        flush();
        return status > 0 ? status : result(status);
    }

    @Override
    public int shutdownOutput() {
        if (!advance()) {
            return error != 0 ? error : -Errno.EAGAIN;
        }
        int status = engine.closeOutput();
        flush();
        if (status != EngineStatus.DONE) {
            return result(status);
        }
        if (error != 0) {
            return error;
        }
        return engine.sendLength() > 0 ? -Errno.EAGAIN : socket.shutdownOutput();
    }

    private int result(int status) {
        return switch (status) {
            case EngineStatus.CLOSED -> 0;
            case EngineStatus.FAILED -> error != 0 ? error : -Errno.EPROTO;
            default -> error != 0 ? error : -Errno.EAGAIN;
        };
    }

    /** Moves what can be moved; whether the handshake is over. */
    private boolean advance() {
        flush();
        fill();
        if (!handshakeDone) {
            int status = engine.handshake();
            handshakeDone = status == EngineStatus.DONE;
            if (status == EngineStatus.FAILED && error == 0) {
                error = -Errno.EPROTO;
            }
            flush();
        }
        return handshakeDone;
    }

    private void fill() {
        int capacity = finSeen ? 0 : engine.receiveCapacity();
        if (capacity == 0) {
            return;
        }
        int count = socket.receive(engine.receiveAddress(), capacity);
        engine.received(Math.max(count, 0));
        if (count == 0) {
            finSeen = true;
            engine.receivedEndOfStream();
        } else if (count < 0 && count != -Errno.EAGAIN) {
            error = count;
        }
    }

    private void flush() {
        while (error == 0 && engine.sendLength() > 0) {
            int count = socket.send(engine.sendAddress(), engine.sendLength(), false);
            if (count == -Errno.EAGAIN) {
                return;
            }
            if (count < 0) {
                error = count;
            } else {
                engine.sent(count);
            }
        }
    }

    @Override
    public boolean canRead() {
        return socket.canRead() || engine.hasPendingPlaintext();
    }

    @Override
    public boolean canWrite() {
        return socket.canWrite();
    }

    @Override
    public void close() {
        socket.close();
        free();
    }

    @Override
    public boolean closeIsAnEnd() {
        return false;
    }

    @Override
    public void reset() {
        socket.reset();
        free();
    }

    private void free() {
        if (!freed) {
            freed = true;
            engine.close();
            allocator.free(plaintext);
        }
    }
}
