package dev.sluice.transfer.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.AllocatedBytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sending and receiving allocate nothing on the heap. */
@Timeout(120)
class ChannelAllocationTest {
    private static final int ROUNDS = 3_000;

    @Test
    void dataPathAllocatesNothing() throws Exception {
        try (Ends ends = Ends.open()) {
            Runnable rounds = () -> run(ends, ROUNDS);
            run(ends, 20_000);
            assertThat(AllocatedBytes.leastDuring(rounds)).isZero();
        }
    }

    private static void run(Ends ends, int rounds) {
        try {
            for (int i = 0; i < rounds; i++) {
                exchange(ends.client(), ends.server());
                exchange(ends.server(), ends.client());
            }
        } catch (ChannelException e) {
            throw new AssertionError(e);
        }
    }

    /** A message, and a part of a file through iovecs; small enough for the socket's buffer. */
    private static void exchange(SecureChannel from, SecureChannel to) throws ChannelException {
        OutgoingBatch out = from.outgoing();
        out.putInt(7);
        out.putLong(8);
        out.filled(out.gather(20_000));
        out.setInt(0, 9);
        from.send();
        IncomingBatch in = to.incoming();
        if (in.getInt() != 9 || in.getLong() != 8) {
            throw new AssertionError("not what was sent");
        }
        int left = 20_000;
        while (left > 0) {
            in.await();
            int now = in.scatter(left);
            in.taken(now);
            left -= now;
        }
    }
}
