package dev.sluice.bench.buffers.work;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;

/**
 * Direct buffers of Netty.
 *
 * @param byteSize the size of each
 */
record NettySource(int byteSize, ByteBufAllocator allocator) implements BufferSource<ByteBuf> {
    /** Returns a source on the allocator that was Netty's default up to 4.1. */
    static NettySource pooled(int byteSize) {
        return new NettySource(byteSize, PooledByteBufAllocator.DEFAULT);
    }

    /** Returns a source on the allocator that is Netty's default since 4.2. */
    static NettySource adaptive(int byteSize) {
        return new NettySource(byteSize, new AdaptiveByteBufAllocator(true));
    }

    @Override
    public ByteBuf allocate() {
        return allocator.directBuffer(byteSize, byteSize);
    }

    @Override
    public void free(ByteBuf buffer) {
        buffer.release();
    }

    @Override
    public void touch(ByteBuf buffer) {
        for (int at = 0; at < byteSize; at += PAGE_BYTES) {
            buffer.setByte(at, 1);
        }
    }

    @Override
    public void zero(ByteBuf buffer) {
        buffer.setZero(0, byteSize);
    }
}
