package dev.sluice.transfer.channel;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Both ends of a channel, over a pair of Unix sockets. */
record Ends(SecureChannel client, SecureChannel server) implements AutoCloseable {
    static final ChannelSettings SETTINGS =
            ChannelSettings.DEFAULT.withSilenceLimit(Duration.ofSeconds(20)).withRecords(4);

    /** One end of a handshake. */
    @FunctionalInterface
    interface Opening {
        SecureChannel open(ChannelSocket socket) throws Exception;
    }

    static Ends open() throws Exception {
        return open(SETTINGS);
    }

    static Ends open(ChannelSettings settings) throws Exception {
        ChannelSocket[] pair = pair();
        return open(pair[0], pair[1], settings);
    }

    static Ends open(ChannelSocket forClient, ChannelSocket forServer, ChannelSettings settings) throws Exception {
        try (OwnKey a = OwnKey.generate(OwnKeyType.ED25519);
                OwnKey b = OwnKey.generate(OwnKeyType.P_256)) {
            return open(
                    forClient,
                    forServer,
                    socket -> SecureChannel.connect(socket, a, AllowedKeys.of(b.fingerprint()), settings),
                    socket -> SecureChannel.accept(socket, b, AllowedKeys.of(a.fingerprint()), settings));
        }
    }

    static Ends open(ChannelSocket forClient, ChannelSocket forServer, Opening client, Opening server)
            throws Exception {
        CompletableFuture<SecureChannel> accepted = async(() -> server.open(forServer));
        SecureChannel connected = client.open(forClient);
        return new Ends(connected, accepted.join());
    }

    /** Returns an address for tests; port 0 for any free one. */
    static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
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

    /** Returns the exception of a task. */
    static Throwable failureOf(CompletableFuture<?> task) {
        try {
            task.join();
        } catch (CompletionException e) {
            return Objects.requireNonNull(e.getCause());
        }
        throw new AssertionError("no exception");
    }

    static ChannelSocket[] pair() {
        int[] descriptors = descriptors();
        return new ChannelSocket[] {ChannelSocket.of(descriptors[0]), ChannelSocket.of(descriptors[1])};
    }

    static int[] descriptors() {
        try (LibC libc = new LibC();
                Arena arena = Arena.ofConfined()) {
            long pair = arena.allocate(Long.BYTES).address();
            int type = Constants.SOCK_STREAM | Constants.SOCK_CLOEXEC;
            if (libc.socketpair(Constants.AF_UNIX, type, 0, pair) < 0) {
                throw new IllegalStateException("socketpair failed");
            }
            return new int[] {RawMemory.getInt(pair), RawMemory.getInt(pair + Integer.BYTES)};
        }
    }

    /** Sends bytes in as many batches as they need. */
    static void send(SecureChannel channel, byte[] bytes) throws ChannelException {
        OutgoingBatch batch = channel.outgoing();
        int done = 0;
        while (done < bytes.length) {
            int now = Math.min(batch.room(), bytes.length - done);
            batch.put(bytes, done, now);
            channel.send();
            done += now;
        }
    }

    static byte[] receive(SecureChannel channel, int length) throws ChannelException {
        byte[] bytes = new byte[length];
        channel.incoming().get(bytes, 0, length);
        return bytes;
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
