package dev.sluice.transfer.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.memory.fault.FaultPoint;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams in which a call of OpenSSL fails, each in turn: the transfer ends, and everything is returned. */
@Timeout(120)
final class StreamFaultTest extends TwoDirectories {
    /** The calls of a stream before its first record; a further stream may find no work after them. */
    private static final int SET_UP_CALLS = 3;

    private static final int CALLS_MAX = 40;
    private static final int ATTEMPTS_MAX = 50;

    private static final ReceiverOptions OPTIONS = ReceiverOptions.DEFAULT.withStreams(2);

    @BeforeEach
    void makeTree() throws IOException {
        Trees.write(source.resolve("file"), Trees.random(400_000, 1));
    }

    @Test
    void endsWhenTheFirstStreamOfATargetFails() throws IOException {
        Thread here = Thread.currentThread();
        failEachCall(thread -> thread.equals(here), TransferFailure.INTERNAL);
    }

    @Test
    void endsWhenAFurtherStreamOfATargetFails() throws IOException {
        failEachCall(thread -> thread.getName().equals("sluice-receive-1"), TransferFailure.INTERNAL);
    }

    /** A target may find its wire closed before it reads why the source has no stream. */
    @Test
    void endsWhenAStreamOfASourceFails() throws IOException {
        failEachCall(
                thread -> thread.getName().equals("serving"), TransferFailure.INTERNAL, TransferFailure.PEER_VANISHED);
    }

    private void failEachCall(Predicate<Thread> threads, TransferFailure... expected) throws IOException {
        int failed = 0;
        boolean reached = true;
        for (long call = 1; call <= CALLS_MAX && reached; call++) {
            reached = false;
            // A further stream may come too late to have a part in a transfer.
            for (int attempt = 0; !reached && attempt < (call <= SET_UP_CALLS ? ATTEMPTS_MAX : 1); attempt++) {
                Files.deleteIfExists(target.resolve("file"));
                try (FaultPoint.Armed armed = FaultPoint.arm(FaultPoint.EVP, call, threads, StreamFaultTest::fail)) {
                    Trees.pull(source, target, OPTIONS);
                    assertThat(target.resolve("file")).hasSameBinaryContentAs(source.resolve("file"));
                    reached = armed.hasHit();
                } catch (TransferException e) {
                    assertThat(e.failure())
                            .as("call=%d: %s", call, e.getMessage())
                            .isIn((Object[]) expected);
                    reached = true;
                    failed++;
                }
            }
        }

        assertThat(failed).isGreaterThanOrEqualTo(SET_UP_CALLS);
    }

    private static void fail() {
        throw new IllegalStateException("injected");
    }
}
