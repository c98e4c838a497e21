package dev.sluice.bench.transfer;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelSettings;
import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.channel.IncomingBatch;
import dev.sluice.transfer.channel.OutgoingBatch;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A secure channel: the block is copied into batches, as by a program whose bytes are in its own memory. */
final class ChannelPipe implements Pipe {
    private final MemorySegment block;
    private final SecureChannel sender;
    private final SecureChannel receiver;

    ChannelPipe(Wire wire, MemorySegment block) throws IOException {
        this.block = block;
        Wire.Connected<ChannelSocket> sockets = wire.channelSockets();
        try (OwnKey own = OwnKey.generate(OwnKeyType.P_256);
                OwnKey peer = OwnKey.generate(OwnKeyType.P_256)) {
            CompletableFuture<SecureChannel> accepted = CompletableFuture.supplyAsync(() -> {
                try {
                    return SecureChannel.accept(
                            sockets.receiver(), peer, AllowedKeys.of(own.fingerprint()), ChannelSettings.DEFAULT);
                } catch (ChannelException e) {
                    throw new CompletionException(e);
                }
            });
            this.sender = SecureChannel.connect(
                    sockets.sender(), own, AllowedKeys.of(peer.fingerprint()), ChannelSettings.DEFAULT);
            this.receiver = accepted.join();
        }
        requireSuite(sender.handshake().cipher());
    }

    private static void requireSuite(String suite) {
        if (!suite.equals(PipeKind.SUITE)) {
            throw new BenchException("the channel uses " + suite + ", the other rows " + PipeKind.SUITE);
        }
    }

    @Override
    public void send() throws ChannelException {
        OutgoingBatch out = sender.outgoing();
        long done = 0;
        while (done < block.byteSize()) {
            int now = (int) Math.min(out.room(), block.byteSize() - done);
            out.put(block, done, now);
            sender.send();
            done += now;
        }
    }

    @Override
    public void receive(BlockCheck check) throws ChannelException {
        IncomingBatch in = receiver.incoming();
        in.await();
        while (in.available() > 0) {
            int piece = in.contiguous();
            check.accept(in.slab(), in.offset(), piece);
            in.taken(piece);
        }
    }

    @Override
    public void close() {
        sender.close();
        receiver.close();
    }
}
