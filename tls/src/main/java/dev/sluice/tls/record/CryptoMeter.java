package dev.sluice.tls.record;

import dev.sluice.ffi.CounterRegion;
import dev.sluice.ffi.libc.ThreadClock;
import dev.sluice.memory.NativeAllocator;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The processor time that one thread's TLS takes, by phase, by the thread's own clock: what it waits for a processor does not
 * count. To read that clock takes a system call, longer than most records take, so only some are timed: each time that some
 * {@value #SAMPLE_UNITS} units have gone by, a unit being a byte, with {@value #RECORD_UNITS} more for each record, the record in which the mark falls stands for them all. A record's chance of being timed thus grows with its size, and what
 * it took counts in inverse proportion to that, so that the sum is right on average whatever sizes are mixed; that a record
 * costs about as much as {@value #RECORD_UNITS} bytes only keeps it from scattering.
 *
 * <p>Of records of 16 KiB one in 60 is timed, of 128 bytes one in 910. Of handshakes some of the first are all timed, and
 * then one in eight, by chance, with all its steps. With the system property {@value #PROPERTY} set to
 * {@code off} nothing is. Confined to its thread but for {@link #nanos}; allocates nothing.
 */
public final class CryptoMeter implements AutoCloseable {
    /** Set to {@code off}, it turns all timing off: to see what that costs. */
    public static final String PROPERTY = "sluice.metrics.timing";

    /** What the time is spent on. */
    public enum Phase {
        /** Full handshakes: key exchange, and signatures or decryption with the certificate's key. */
        ASYMMETRIC,
        /** Resumed handshakes, and the derivation of the keys of records. */
        DERIVE,
        /** Encrypting records. */
        SEAL,
        /** Decrypting records. */
        OPEN,
        /** Handshakes that failed. */
        OTHER;

        @SuppressWarnings("EnumOrdinal") // a place in memory, never stored or sent
        private final int slot = ordinal();
    }

    /** How many units one sample stands for. */
    static final int SAMPLE_UNITS = 1 << 20;

    /** What a record costs besides its bytes, in bytes that cost as much. */
    static final int RECORD_UNITS = 1024;

    /** So many handshakes are all timed; of those that follow one in {@link #HANDSHAKES_PER_SAMPLE}. */
    private static final int HANDSHAKES_ALL_TIMED = 64;

    private static final int HANDSHAKES_PER_SAMPLE = 8;

    /** Calls of libssl that read or write, of which one in so many is timed: their bytes are not known before. */
    private static final int CALLS_PER_SAMPLE = 64;

    private static final boolean ON = !"off".equals(System.getProperty(PROPERTY));
    private static final int CALIBRATIONS = 8;
    /** Any number but 0. */
    private static final int SEED = 0x9E3779B9;

    private final @Nullable ThreadClock own;
    private final LongSupplier clock;
    private final CounterRegion nanos;
    /** What reading the clock adds to what is timed; negative: nobody has looked yet. */
    private long clockNanos = -1;

    private long untilSeal = ON ? SAMPLE_UNITS : Long.MAX_VALUE;
    private long untilOpen = untilSeal;
    private int callsUntilSample = CALLS_PER_SAMPLE;
    private int handshakes;
    private int random = SEED;

    /** Makes a thread's meter. */
    public CryptoMeter(NativeAllocator allocator) {
        this(allocator, null, new ThreadClock(allocator));
    }

    /** By another clock, which takes no time to read. */
    CryptoMeter(NativeAllocator allocator, LongSupplier clock) {
        this(allocator, clock, null);
        this.clockNanos = 0;
    }

    private CryptoMeter(NativeAllocator allocator, @Nullable LongSupplier clock, @Nullable ThreadClock own) {
        this.own = own;
        this.clock = clock != null ? clock : Objects.requireNonNull(own)::nanos;
        this.nanos = new CounterRegion("crypto times", Phase.values().length, allocator);
    }

    // --- records ----------------------------------------------------------------------------------------------------

    /** Whether the record that is about to be sealed is to be timed, by {@link #begin} and {@link #sealed}. */
    boolean isSealDue(int bytes) {
        untilSeal -= bytes + RECORD_UNITS;
        return untilSeal < 0;
    }

    /** Whether the record that is about to be opened is to be timed, by {@link #begin} and {@link #opened}. */
    boolean isOpenDue(int bytes) {
        untilOpen -= bytes + RECORD_UNITS;
        return untilOpen < 0;
    }

    /** A record was sealed that was timed. */
    void sealed(long begin, int bytes) {
        untilSeal += nextInterval();
        nanos.add(Phase.SEAL.slot, weighted(since(begin), bytes));
    }

    /** A record was opened that was timed. */
    void opened(long begin, int bytes) {
        untilOpen += nextInterval();
        nanos.add(Phase.OPEN.slot, weighted(since(begin), bytes));
    }

    /** {@value #SAMPLE_UNITS} on average, half of it at least, and never in step with what peers send. */
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

    /** Whether this call of libssl for a record is to be timed, by {@link #begin} and {@link #called}. */
    public boolean isCallDue() {
        if (!ON || --callsUntilSample > 0) {
            return false;
        }
        callsUntilSample = CALLS_PER_SAMPLE;
        return true;
    }

    /** A call that was timed is over: it stands for all since the last one. */
    public void called(Phase phase, long begin) {
        nanos.add(phase.slot, since(begin) * CALLS_PER_SAMPLE);
    }

    // --- handshakes ------------------------------------------------------------------------------------------------

    /** A handshake begins: how many it stands for, if its steps are to be timed; 0 when they are not. */
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

    // --- all else ---------------------------------------------------------------------------------------------------

    /** What is to be timed begins: the clock now, for {@link #since}. */
    public long begin() {
        if (clockNanos < 0 && ON) {
            calibrate();
        }
        return ON ? clock.getAsLong() : 0;
    }

    /** How many nanoseconds it took, the reading of the clock left out. */
    public long since(long begin) {
        return ON ? Math.max(0, clock.getAsLong() - begin - clockNanos) : 0;
    }

    /** So much time was spent on that. */
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

    /** The nanoseconds of a phase so far; from any thread. */
    public long nanos(Phase phase) {
        return nanos.get(phase.slot);
    }

    /** Frees what it has, and keeps the figures; once, when the thread spends no more. */
    @Override
    public void close() {
        nanos.close();
        if (own != null) {
            own.close();
        }
    }
}
