package dev.sluice.tls.record;

import dev.sluice.ffi.libc.CounterRegion;
import dev.sluice.ffi.libc.ThreadClock;
import dev.sluice.memory.NativeAllocator;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A meter of one thread's CPU time in TLS by phase, on the thread's own clock, which excludes waits for a processor.
 * Reading that clock is a system call that takes longer than most records, so only samples are timed. Records count in
 * units: a byte each, plus {@value #RECORD_UNITS} per record. Whenever about {@value #SAMPLE_UNITS} units have passed,
 * the record at that mark is timed and represents them all. A record's chance of being timed thus grows with its size,
 * and its time is weighted inversely, so that the sum is correct on average for any mix of sizes; the estimate of
 * {@value #RECORD_UNITS} units per record only reduces the variance.
 *
 * <p>One record of 16 KiB in 60 is timed, one of 128 bytes in 910. The first handshakes are all timed, then a random
 * one in eight, with all its steps. The system property {@value #PROPERTY} set to {@code off} disables timing. Confined
 * to its thread except for {@link #nanos}; allocates nothing.
 */
public final class CryptoMeter implements AutoCloseable {
    /** The value {@code off} disables all timing, to measure its cost. */
    public static final String PROPERTY = "sluice.metrics.timing";

    /** The phases of TLS processing. */
    public enum Phase {
        /** Full handshakes: key exchange, and signatures or decryption with the certificate's key. */
        ASYMMETRIC,
        /** Resumed handshakes, and the derivation of record keys. */
        DERIVE,
        /** Encrypting records. */
        SEAL,
        /** Decrypting records. */
        OPEN,
        /** Handshakes that failed. */
        OTHER;

        @SuppressWarnings("EnumOrdinal") // an index in memory, never stored or sent
        private final int slot = ordinal();
    }

    /** The number of units that one sample represents. */
    static final int SAMPLE_UNITS = 1 << 20;

    /** The fixed cost of a record, expressed in bytes. */
    static final int RECORD_UNITS = 1024;

    /** The number of initial handshakes that are all timed; later one in {@link #HANDSHAKES_PER_SAMPLE} is. */
    private static final int HANDSHAKES_ALL_TIMED = 64;

    private static final int HANDSHAKES_PER_SAMPLE = 8;

    /** The sampling interval of libssl's read and write calls, whose sizes are unknown beforehand. */
    private static final int CALLS_PER_SAMPLE = 64;

    private static final boolean ON = !"off".equals(System.getProperty(PROPERTY));
    private static final int CALIBRATIONS = 8;
    /** An arbitrary number except 0. */
    private static final int SEED = 0x9E3779B9;

    private final @Nullable ThreadClock own;
    private final LongSupplier clock;
    private final CounterRegion nanos;
    /** The overhead of reading the clock in a measurement; negative before calibration. */
    private long clockNanos = -1;

    private long untilSeal = ON ? SAMPLE_UNITS : Long.MAX_VALUE;
    private long untilOpen = untilSeal;
    private int callsUntilSample = CALLS_PER_SAMPLE;
    private int handshakes;
    private int random = SEED;

    /** Creates the meter of a thread. */
    CryptoMeter(NativeAllocator allocator) {
        this(allocator, null, new ThreadClock(allocator));
    }

    /** Creates a meter with another clock, which takes no time to read. */
    CryptoMeter(NativeAllocator allocator, LongSupplier clock) {
        this(allocator, clock, null);
        this.clockNanos = 0;
    }

    private CryptoMeter(NativeAllocator allocator, @Nullable LongSupplier clock, @Nullable ThreadClock own) {
        this.own = own;
        this.clock = clock != null ? clock : Objects.requireNonNull(own)::nanos;
        this.nanos = countersOrFree(allocator);
    }

    private CounterRegion countersOrFree(NativeAllocator allocator) {
        try {
            return new CounterRegion("crypto times", Phase.values().length, allocator);
        } catch (Throwable t) {
            if (own != null) {
                own.close();
            }
            throw t;
        }
    }

    // --- records ----------------------------------------------------------------------------------------------------

    /** Returns whether to time the next record to be sealed, with {@link #begin} and {@link #sealed}. */
    boolean isSealDue(int bytes) {
        untilSeal -= bytes + RECORD_UNITS;
        return untilSeal < 0;
    }

    /** Returns whether to time the next record to be opened, with {@link #begin} and {@link #opened}. */
    boolean isOpenDue(int bytes) {
        untilOpen -= bytes + RECORD_UNITS;
        return untilOpen < 0;
    }

    /** Adds the time of a sealed record. */
    void sealed(long begin, int bytes) {
        untilSeal += nextInterval();
        nanos.add(Phase.SEAL.slot, weighted(since(begin), bytes));
    }

    /** Adds the time of an opened record. */
    void opened(long begin, int bytes) {
        untilOpen += nextInterval();
        nanos.add(Phase.OPEN.slot, weighted(since(begin), bytes));
    }

    /**
     * Returns the next interval: {@value #SAMPLE_UNITS} on average, at least half of it, and random so that it never
     * synchronizes with the traffic.
     */
    private int nextInterval() {
        return SAMPLE_UNITS / 2 + (nextRandom() & (SAMPLE_UNITS - 1));
    }

    private int nextRandom() {
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        return random;
    }

    private static long weighted(long took, int bytes) {
        return took * SAMPLE_UNITS / (bytes + RECORD_UNITS);
    }

    /** Returns whether to time this libssl call for a record, with {@link #begin} and {@link #called}. */
    public boolean isCallDue() {
        if (!ON || --callsUntilSample > 0) {
            return false;
        }
        callsUntilSample = CALLS_PER_SAMPLE;
        return true;
    }

    /** Adds the time of a call, which represents all calls since the last timed one. */
    public void called(Phase phase, long begin) {
        nanos.add(phase.slot, since(begin) * CALLS_PER_SAMPLE);
    }

    // --- handshakes ------------------------------------------------------------------------------------------------

    /** Starts a handshake; returns the number that it represents if its steps are to be timed, else 0. */
    public int nextHandshake() {
        if (!ON) {
            return 0;
        }
        if (handshakes < HANDSHAKES_ALL_TIMED) {
            handshakes++;
            return 1;
        }
        return (nextRandom() & (HANDSHAKES_PER_SAMPLE - 1)) == 0 ? HANDSHAKES_PER_SAMPLE : 0;
    }

    // --- common ----------------------------------------------------------------------------------------------------

    /** Starts a measurement: returns the clock for {@link #since}. */
    public long begin() {
        if (clockNanos < 0 && ON) {
            calibrate();
        }
        return ON ? clock.getAsLong() : 0;
    }

    /** Returns the elapsed nanoseconds without the overhead of reading the clock. */
    public long since(long begin) {
        return ON ? Math.max(0, clock.getAsLong() - begin - clockNanos) : 0;
    }

    /** Adds time to a phase. */
    public void add(Phase phase, long spentNanos) {
        nanos.add(phase.slot, spentNanos);
    }

    private void calibrate() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < CALIBRATIONS; i++) {
            long first = clock.getAsLong();
            least = Math.min(least, clock.getAsLong() - first);
        }
        clockNanos = least;
    }

    /** Returns the nanoseconds of a phase so far; may be called from any thread. */
    public long nanos(Phase phase) {
        return nanos.get(phase.slot);
    }

    /** Frees the memory and keeps the values; called once, after the thread's last use. */
    @Override
    public void close() {
        nanos.close();
        if (own != null) {
            own.close();
        }
    }
}
