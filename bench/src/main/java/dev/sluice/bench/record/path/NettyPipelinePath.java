package dev.sluice.bench.record.path;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.Queue;

/** Two of Netty's TLS handlers, each in the pipeline of a channel without a socket, with pooled direct buffers. */
final class NettyPipelinePath implements RecordPath {
    private static final int MAX_STEPS = 100;

    private final SslHandler handler;
    private final EmbeddedChannel client;
    private final EmbeddedChannel server;
    private final ByteBuf payload;
    private final ByteBuf[] records = new ByteBuf[BATCH];
    private final int bytes;

    NettyPipelinePath(NettyEngines engines, String suite, int bytes) {
        this.bytes = bytes;
        this.handler = engines.handler(true);
        this.client = channel(handler);
        this.server = channel(engines.handler(false));
        this.payload = PooledByteBufAllocator.DEFAULT.directBuffer(bytes).writeZero(bytes);
        connect();
        String agreed = handler.engine().getSession().getCipherSuite();
        if (!agreed.equals(suite)) {
            throw new IllegalStateException("the pipelines rejected the suite " + suite + " and chose " + agreed);
        }
    }

    private static EmbeddedChannel channel(SslHandler handler) {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.config().setAllocator(PooledByteBufAllocator.DEFAULT);
        channel.pipeline().addLast(handler);
        return channel;
    }

    /** Carries the handshake and the tickets from one to the other. */
    private void connect() {
        boolean moved = true;
        for (int i = 0; i < MAX_STEPS && moved; i++) {
            moved = move(client, server);
            moved |= move(server, client);
        }
        RecordPath.require(handler.handshakeFuture().isSuccess(), "the handshake");
    }

    private static boolean move(EmbeddedChannel from, EmbeddedChannel to) {
        boolean moved = false;
        for (Object message = from.readOutbound(); message != null; message = from.readOutbound()) {
            to.writeInbound(message);
            moved = true;
        }
        return moved;
    }

    @Override
    public int seal() {
        ByteBuf record = sealed();
        int sealed = record.readableBytes();
        record.release();
        return sealed;
    }

    @Override
    public void sealBatch() {
        for (int i = 0; i < BATCH; i++) {
            records[i] = sealed();
        }
    }

    @Override
    public int openBatch() {
        int count = 0;
        for (ByteBuf record : records) {
            count += open(record);
        }
        return count;
    }

    @Override
    public int sealAndOpen() {
        return open(sealed());
    }

    /** Returns one record, which the caller releases. */
    private ByteBuf sealed() {
        client.writeOutbound(payload.retainedDuplicate());
        Queue<Object> out = client.outboundMessages();
        RecordPath.require(out.size() == 1, "sealing into one buffer");
        return client.readOutbound();
    }

    /** Opens a record, and releases it. */
    private int open(ByteBuf record) {
        server.writeInbound(record);
        int count = 0;
        for (ByteBuf plain = server.readInbound(); plain != null; plain = server.readInbound()) {
            count += plain.readableBytes();
            plain.release();
        }
        RecordPath.require(count == bytes, "opening a record");
        return count;
    }

    @Override
    public void close() {
        client.finishAndReleaseAll();
        server.finishAndReleaseAll();
        payload.release();
    }
}
