package dev.sluice.transfer.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The time within which a peer whose connection was lost returns. */
@Timeout(60)
final class ReturnWatchTest {
    private final TransferException loss = new TransferException(TransferFailure.PEER_VANISHED, "reset");

    @Test
    void expiresWithTheLastLoss() {
        CompletableFuture<TransferException> expired = new CompletableFuture<>();
        ReturnWatch watch = new ReturnWatch(Duration.ofMillis(10), expired::complete);
        watch.began();
        assertThat(watch.lost(loss)).isTrue();
        assertThat(expired.join()).isSameAs(loss);
    }

    @Test
    void waitsWhileAnotherStreamIsInUse() {
        CompletableFuture<TransferException> expired = new CompletableFuture<>();
        ReturnWatch watch = new ReturnWatch(Duration.ofMillis(1), expired::complete);
        watch.began();
        watch.began();
        assertThat(watch.lost(new TransferException(TransferFailure.PEER_VANISHED, "first")))
                .isTrue();
        assertThat(watch.lost(loss)).isTrue();
        assertThat(expired.join()).isSameAs(loss);
    }

    @Test
    void forgetsALossWhenThePeerReturns() throws InterruptedException {
        AtomicInteger expirations = new AtomicInteger();
        ReturnWatch watch = new ReturnWatch(Duration.ofHours(1), late -> expirations.incrementAndGet());
        watch.began();
        assertThat(watch.lost(loss)).isTrue();
        watch.began();
        watch.ended();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("sluice-return")) {
                thread.join();
            }
        }
        assertThat(expirations).hasValue(0);
    }

    @Test
    void leavesOtherFailuresToTheCaller() {
        ReturnWatch watch = new ReturnWatch(Duration.ofMillis(1), late -> {
            throw new AssertionError(late);
        });
        watch.began();
        assertThat(watch.lost(new TransferException(TransferFailure.DISK_FULL, "write")))
                .isFalse();
    }
}
