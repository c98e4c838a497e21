package dev.sluice.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Requests that make no progress are ended, others are left alone. */
final class ExchangeWatchTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final ExchangeWatch watch = new ExchangeWatch();

    @Test
    void whoeverWaitsTooLongForAClientIsEnded() throws IOException {
        Pipe silent = Pipe.open();
        CompletableFuture<Exception> end = new CompletableFuture<>();
        watch.execute(() -> {
            try {
                silent.source().read(ByteBuffer.allocate(1));
            } catch (IOException closed) {
                end.complete(closed);
            }
        });
        Waiting.until(LIMIT, () -> watch.running() == 1, () -> "the request does not run");

        watch.endOverdue(System.nanoTime() + ExchangeWatch.TIME_MAX.toNanos() / 2);
        assertThat(end).isNotDone();
        watch.endOverdue(System.nanoTime() + ExchangeWatch.TIME_MAX.toNanos() * 2);

        assertThat(end).succeedsWithin(LIMIT);
        assertThat(silent.source().isOpen()).isFalse();
        Waiting.until(LIMIT, () -> watch.running() == 0, () -> "the request is not over");
        silent.sink().close();
    }

    @Test
    void endingAllWaitsForThem() {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        watch.execute(() -> {
            try {
                Thread.sleep(LIMIT);
            } catch (InterruptedException asked) {
                ended.complete(null);
            }
        });
        Waiting.until(LIMIT, () -> watch.running() == 1, () -> "the request does not run");

        watch.endAll();

        assertThat(ended).isDone();
        assertThat(watch.running()).isZero();
    }
}
