package dev.sluice.tls.engine;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.Bytes;

/** The memory of a {@link BufferedEngine}, filled and emptied as by an event loop. */
class MemoryTransport implements EngineTransport {
    private final BufferedEngine engine;

    MemoryTransport(BufferedEngine engine) {
        this.engine = engine;
    }

    @Override
    public BufferedEngine engine() {
        return engine;
    }

    @Override
    public int feed(byte[] bytes, int offset) {
        int count = Math.min(engine.receiveCapacity(), bytes.length - offset);
        if (count > 0) {
            RawMemory.copy(bytes, offset, engine.receiveAddress(), count);
            engine.received(count);
        }
        return count;
    }

    @Override
    public byte[] drain() {
        byte[] all = {};
        while (engine.sendLength() > 0) {
            byte[] part = new byte[engine.sendLength()];
            RawMemory.copy(engine.sendAddress(), part, 0, part.length);
            engine.sent(part.length);
            all = Bytes.join(all, part);
        }
        return all;
    }

    @Override
    public void endOfStream() {
        engine.receivedEndOfStream();
    }

    @Override
    public void close() {
        engine.close();
    }
}
