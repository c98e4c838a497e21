package dev.sluice.tls.engine;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.Bytes;
import java.lang.foreign.Arena;
import java.util.function.IntFunction;

/** A {@link DescriptorEngine} on one end of a socket pair; the test owns the other end. */
final class DescriptorTransport implements EngineTransport {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final LibC libc = new LibC();
    private final Arena arena = Arena.ofConfined();
    private final long buffer = arena.allocate(BUFFER_BYTES).address();
    private final int near;
    private final int far;
    private final DescriptorEngine engine;

    DescriptorTransport(IntFunction<DescriptorEngine> maker) {
        int type = Constants.SOCK_STREAM | Constants.SOCK_NONBLOCK | Constants.SOCK_CLOEXEC;
        check(libc.socketpair(Constants.AF_UNIX, type, 0, buffer));
        this.near = RawMemory.getInt(buffer);
        this.far = RawMemory.getInt(buffer + Integer.BYTES);
        this.engine = make(maker);
    }

    private DescriptorEngine make(IntFunction<DescriptorEngine> maker) {
        try {
            return maker.apply(near);
        } catch (RuntimeException e) {
            closeTransport();
            throw e;
        }
    }

    @Override
    public DescriptorEngine engine() {
        return engine;
    }

    @Override
    public int feed(byte[] bytes, int offset) {
        int count = Math.min(BUFFER_BYTES, bytes.length - offset);
        RawMemory.copy(bytes, offset, buffer, count);
        long sent = libc.send(far, buffer, count, Constants.MSG_NOSIGNAL);
        return sent == -Errno.EAGAIN ? 0 : Math.toIntExact(check(sent));
    }

    @Override
    public byte[] drain() {
        byte[] all = {};
        long received = libc.recv(far, buffer, BUFFER_BYTES, 0);
        while (received > 0) {
            byte[] part = new byte[(int) received];
            RawMemory.copy(buffer, part, 0, part.length);
            all = Bytes.join(all, part);
            received = libc.recv(far, buffer, BUFFER_BYTES, 0);
        }
        return all;
    }

    @Override
    public void endOfStream() {
        check(libc.shutdown(far, Constants.SHUT_WR));
    }

    @Override
    public void close() {
        engine.close();
        closeTransport();
    }

    private void closeTransport() {
        check(libc.close(near));
        check(libc.close(far));
        arena.close();
        libc.close();
    }

    private static long check(long result) {
        if (result < 0) {
            throw new AssertionError("system call failed: " + Errno.describe((int) -result));
        }
        return result;
    }
}
