package dev.sluice.cli.transfer;

import dev.sluice.transfer.move.TransferProgress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The rates of a transfer, averages that forget within some seconds. Confined to one thread at a time. */
final class TransferRates {
    private static final double SETTLING_SECONDS = 2;
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A counter's rate. */
    private static final class Rate {
        private long before;
        private double perSecond = -1;

        private Rate(long start) {
            this.before = start;
        }

        private void sample(long now, double seconds) {
            double newest = (now - before) / seconds;
            double weight = perSecond < 0 ? 1 : 1 - Math.exp(-seconds / SETTLING_SECONDS);
            perSecond = perSecond < 0 ? newest : perSecond + weight * (newest - perSecond);
            before = now;
        }

        private double perSecond() {
            return Math.max(0, perSecond);
        }
    }

    private final long start;
    private final Rate transferred = new Rate(0);
    private final Rate done = new Rate(0);
    private final Map<Integer, Rate> streams = new HashMap<>();
    private long at;

    /**
     * Starts with no bytes.
     *
     * @param nanos the time, of any clock
     */
    TransferRates(long nanos) {
        this.start = nanos;
        this.at = nanos;
    }

    /** Takes the counters of a moment. */
    void sample(TransferProgress.Snapshot now, long nanos) {
        double seconds = (nanos - at) / NANOS;
        if (seconds <= 0) {
            return;
        }
        at = nanos;
        transferred.sample(now.bytesTransferred(), seconds);
        done.sample(now.bytesDone(), seconds);
        for (TransferProgress.ActiveStream each : now.streams()) {
            streams.computeIfAbsent(each.number(), _ -> new Rate(0)).sample(each.bytes(), seconds);
        }
    }

    /** Returns the bytes of contents per second that go over the wire. */
    double transferred() {
        return transferred.perSecond();
    }

    /** Returns the bytes per second that a stream transfers. */
    double ofStream(int number) {
        Rate rate = streams.get(number);
        return rate == null ? 0 : rate.perSecond();
    }

    /** Returns the estimate of the seconds left; -1 for none. */
    long secondsLeft(TransferProgress.Snapshot now) {
        return now.secondsLeft(done.perSecond());
    }

    /** Returns the seconds since the start. */
    double elapsed() {
        return (at - start) / NANOS;
    }
}
