package dev.sluice.interop.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Random bytes to a backend that sends them back, and the comparison of what comes with what went: in writes of random
 * lengths, from single bytes to several records at once, with key updates between them. Repeatable by its seed, but for
 * what the kernel decides.
 */
public final class Conversation {
    /** The most bytes under way: little enough for the kernel to hold, so that a peer of one thread never blocks. */
    private static final int WINDOW_BYTES = 256 * 1024;

    private static final int MAX_RECORD = 16_384;
    private static final int MAX_WRITE = 60_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final PeerConnection peer;
    private final int updatesMax;
    private final byte[] data;
    private final SplittableRandom random;
    private final Semaphore window = new Semaphore(WINDOW_BYTES);
    private int updates;

    /**
     * Creates a conversation.
     *
     * @param updatesMax how often at most the peer is told to update its keys
     * @param length how many bytes go each way
     */
    public Conversation(PeerConnection peer, int updatesMax, int length, long seed) {
        this.peer = peer;
        this.updatesMax = updatesMax;
        this.data = new byte[length];
        this.random = new SplittableRandom(seed);
        random.nextBytes(data);
    }

    /** Says the backend's order first: the first byte is not random. */
    public Conversation beginningWith(char order) {
        data[0] = (byte) order;
        return this;
    }

    /** Sends all, and returns when all has come back. */
    public void run() throws IOException, InterruptedException {
        CompletableFuture<Void> echoed = new CompletableFuture<>();
        Thread.ofVirtual().name("echo").start(() -> {
            try {
                receive();
                echoed.complete(null);
            } catch (IOException | AssertionError e) {
                echoed.completeExceptionally(e);
            }
        });
        send(echoed);
        await(echoed);
    }

    private void send(CompletableFuture<Void> echoed) throws IOException, InterruptedException {
        int sent = 0;
        while (sent < data.length) {
            if (updates < updatesMax && random.nextInt(4) == 0) {
                updates++;
                peer.updateKeys(random.nextBoolean());
            }
            int tiny = random.nextInt(5) == 0 ? random.nextInt(40) : 0;
            for (int i = 0; i < tiny && sent < data.length; i++) {
                sent = write(sent, sent + 1, echoed);
            }
            sent = write(sent, Math.min(data.length, sent + pieceLength()), echoed);
        }
    }

    private int pieceLength() {
        return switch (random.nextInt(4)) {
            case 0 -> 1 + random.nextInt(100);
            case 1 -> 1 + random.nextInt(MAX_RECORD);
            case 2 -> MAX_RECORD - 1 + random.nextInt(3);
            default -> 1 + random.nextInt(MAX_WRITE);
        };
    }

    private int write(int from, int to, CompletableFuture<Void> echoed) throws IOException, InterruptedException {
        if (to == from) {
            return to;
        }
        if (!window.tryAcquire(to - from, LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            await(echoed); // tells what happened, or that nothing did
        }
        peer.write(data, from, to);
        return to;
    }

    private void receive() throws IOException {
        InputStream input = peer.received();
        byte[] piece = new byte[1 << 16];
        int at = 0;
        while (at < data.length) {
            int count = input.read(piece, 0, Math.min(piece.length, data.length - at));
            assertThat(count).as("bytes after %d, %s", at, peer.trouble()).isPositive();
            assertThat(Arrays.mismatch(piece, 0, count, data, at, at + count))
                    .as("where the echo differs, after %d", at)
                    .isNegative();
            at += count;
            window.release(count);
        }
    }

    private void await(CompletableFuture<Void> echoed) throws InterruptedException {
        try {
            echoed.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(peer.trouble(), e);
        } catch (TimeoutException e) {
            throw new AssertionError("no echo within " + LIMIT + ": " + peer.trouble(), e);
        }
    }
}
