package dev.sluice.transfer.rpc;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.transfer.channel.ChannelSettings;
import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** Both ends of a channel, over a pair of Unix sockets. */
record Peers(SecureChannel client, SecureChannel server) implements AutoCloseable {
    private static final ChannelSettings SETTINGS = ChannelSettings.DEFAULT.withSilenceLimit(Duration.ofSeconds(20));

    static Peers open() throws Exception {
        return open(SETTINGS);
    }

    static Peers open(ChannelSettings settings) throws Exception {
        int[] pair = descriptors();
        try (OwnKey a = OwnKey.generate(OwnKeyType.ED25519);
                OwnKey b = OwnKey.generate(OwnKeyType.ED25519)) {
            CompletableFuture<SecureChannel> accepted = async(() ->
                    SecureChannel.accept(ChannelSocket.of(pair[1]), b, AllowedKeys.of(a.fingerprint()), settings));
            SecureChannel connected =
                    SecureChannel.connect(ChannelSocket.of(pair[0]), a, AllowedKeys.of(b.fingerprint()), settings);
            return new Peers(connected, accepted.join());
        }
    }

    private static int[] descriptors() {
        try (LibC libc = new LibC();
                Arena arena = Arena.ofConfined()) {
            long pair = arena.allocate(Long.BYTES, Long.BYTES).address();
            int type = Constants.SOCK_STREAM | Constants.SOCK_CLOEXEC;
            if (libc.socketpair(Constants.AF_UNIX, type, 0, pair) < 0) {
                throw new IllegalStateException("socketpair failed");
            }
            return new int[] {RawMemory.getInt(pair), RawMemory.getInt(pair + Integer.BYTES)};
        }
    }

    /** Runs a task on a platform thread. */
    static <T> CompletableFuture<T> async(Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                result.complete(task.call());
            } catch (Throwable t) {
                result.completeExceptionally(t);
            }
        });
        return result;
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
