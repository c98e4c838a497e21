package dev.sluice.bench.buffers.work;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Buffers of the JDK.
 *
 * @param byteSize the size of each
 * @param allocator allocates a buffer of zeros
 * @param release frees it
 */
record ByteBufferSource(int byteSize, IntFunction<ByteBuffer> allocator, Consumer<ByteBuffer> release)
        implements BufferSource<ByteBuffer> {
    @Override
    public ByteBuffer allocate() {
        return allocator.apply(byteSize);
    }

    @Override
    public void free(ByteBuffer buffer) {
        release.accept(buffer);
    }

    @Override
    public void touch(ByteBuffer buffer) {
        for (int at = 0; at < byteSize; at += PAGE_BYTES) {
            buffer.put(at, (byte) 1);
        }
    }

    @Override
    public void zero(ByteBuffer buffer) {}
}
