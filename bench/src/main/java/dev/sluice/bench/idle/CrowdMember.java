package dev.sluice.bench.idle;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.engine.EngineStatus;
import dev.sluice.tls.engine.MemoryEngine;

/** A client's TLS connection on a blocking socket. Confined to the thread of its {@link CrowdTools}. */
final class CrowdMember implements AutoCloseable {
    private final CrowdTools tools;
    private final int fd;
    private final MemoryEngine engine;

    /** Completes the handshake; owns descriptor and engine from now on. */
    CrowdMember(CrowdTools tools, int fd, MemoryEngine engine) {
        this.tools = tools;
        this.fd = fd;
        this.engine = engine;
        try {
            shakeHands();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void shakeHands() {
        for (int status = engine.handshake(); status != EngineStatus.DONE; status = engine.handshake()) {
            flush();
            require(status == EngineStatus.WANT_READ, "no handshake");
            receive();
        }
        flush();
    }

    /** Sends a message of zeros and awaits its echo. */
    void exchange(int bytes) {
        send(bytes);
        await(bytes);
    }

    /** Sends a message of zeros. */
    void send(int bytes) {
        long address = tools.scratch();
        RawMemory.zero(address, bytes);
        require(engine.write(address, bytes) == bytes, "cannot write");
        flush();
    }

    /** Awaits its echo, after the session tickets of the handshake. */
    void await(int bytes) {
        long address = tools.scratch();
        for (int arrived = 0; arrived < bytes; ) {
            int count = engine.read(address, CrowdTools.SCRATCH_BYTES);
            if (count > 0) {
                arrived += count;
            } else {
                require(count == EngineStatus.WANT_READ, "cannot read");
                receive();
            }
        }
    }

    /** Frees everything but the open descriptor, which is the caller's. */
    int rest() {
        engine.close();
        return fd;
    }

    private void flush() {
        while (engine.sendLength() > 0) {
            engine.sent(tools.send(fd, engine.sendAddress(), engine.sendLength()));
        }
    }

    private void receive() {
        int capacity = engine.receiveCapacity();
        engine.received(tools.receive(fd, engine.receiveAddress(), capacity));
    }

    private void require(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException(what + ": " + engine.failure());
        }
    }

    @Override
    public void close() {
        engine.close();
        tools.close(fd);
    }
}
