package dev.sluice.bench.buffers.work;

import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Agrona's views of direct buffers, freed by Agrona.
 *
 * @param byteSize the size of each
 */
record AgronaSource(int byteSize) implements BufferSource<UnsafeBuffer> {
    @Override
    public UnsafeBuffer allocate() {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(byteSize));
    }

    @Override
    public void free(UnsafeBuffer buffer) {
        BufferUtil.free(buffer);
    }

    @Override
    public void touch(UnsafeBuffer buffer) {
        for (int at = 0; at < byteSize; at += PAGE_BYTES) {
            buffer.putByte(at, (byte) 1);
        }
    }

    @Override
    public void zero(UnsafeBuffer buffer) {}
}
