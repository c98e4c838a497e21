package dev.sluice.gateway.earlydata;

import dev.sluice.memory.NativeAllocator;
import dev.sluice.tls.context.EarlyDataOffer;
import dev.sluice.tls.context.EarlyDataPolicy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Remembers each offer of early data for as long as a copy of it could be used, by its binder (RFC 8446 section 8.2).
 * For one node: tickets that were made elsewhere, or before the last restart, are turned away.
 *
 * <pre>
 *   period:      n-4     n-3     n-2     n-1      n
 *              +-------+-------+-------+-------+-------+
 *   a stripe | | | | | new | each a table of at most so many binders; the oldest is emptied
 *   +-------+-------+-------+-------+-------+ when a period begins: nothing is forgotten within {@link #WINDOW}
 * </pre>
 *
 * <p>Time is the system's clock, because libssl measures the age of tickets by it: if it was set back, what is old
 * counts as young again, so nothing is taken until it is where it was.
 *
 * <p>May be used from any thread. A binder leads to one of {@value #STRIPES} stripes, each with a lock that is held for
 * some memory accesses. The memory is native, taken when it is first needed, and bounded. Closed when nobody asks any
 * more.
 */
public final class StrikeRegister implements ReplayCheck, AutoCloseable {
    /** The amount by which threads and small corrections may set the clock back. */
    static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(1);

    /**
     * The minimum time for which an offer is remembered: as long as libssl takes a copy of it for young, a second for
     * its rounding, and the clock's tolerance.
     */
    public static final Duration WINDOW =
            EarlyDataPolicy.FRESHNESS.plus(Duration.ofSeconds(1)).plus(CLOCK_TOLERANCE);

    /** The default number of offers that can be remembered in a quarter of the window: some 20,000 in a second. */
    public static final int DEFAULT_STRIKES_PER_PERIOD = 65_536;

    static final int STRIPES = 16;
    private static final int STRIPE_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(STRIPES);
    private static final int PERIODS_PER_WINDOW = 4;
    static final long PERIOD_MILLIS = WINDOW.toMillis() / PERIODS_PER_WINDOW;

    private final InstantSource clock;
    private final Stripe[] stripes = new Stripe[STRIPES];
    private final long openFromMillis;
    private final AtomicLong newestMillis;

    /** So that nobody can choose binders that meet in one place. */
    private final long secret = ThreadLocalRandom.current().nextLong();

    /**
     * Makes a register, which turns everything away for a {@link #WINDOW}.
     *
     * @param strikesPerPeriod how many offers can be remembered in a quarter of the window, at least {@value #STRIPES}
     */
    StrikeRegister(int strikesPerPeriod, InstantSource clock, NativeAllocator allocator) {
        if (strikesPerPeriod < STRIPES) {
            throw new IllegalArgumentException(
                    "a strike register needs room for " + STRIPES + " at least, strikesPerPeriod=" + strikesPerPeriod);
        }
        this.clock = clock;
        long now = clock.millis();
        this.openFromMillis = now + WINDOW.toMillis();
        this.newestMillis = new AtomicLong(now);
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe(PERIODS_PER_WINDOW + 1, strikesPerPeriod / STRIPES, allocator);
        }
    }

    @Override
    public ReplayVerdict check(EarlyDataOffer offer) {
        long now = clock.millis();
        long newest = newestMillis.accumulateAndGet(now, Math::max);
        if (now < openFromMillis) {
            return ReplayVerdict.STARTING;
        }
        if (newest - now > CLOCK_TOLERANCE.toMillis()) {
            return ReplayVerdict.CLOCK_SET_BACK;
        }
        if (!offer.ownTicket()) {
            return ReplayVerdict.FOREIGN_TICKET;
        }
        long key = key(offer);
        return stripes[(int) (key >>> STRIPE_SHIFT)].strike(key, newest / PERIOD_MILLIS);
    }

    /**
     * Returns 64 bits of the binder, which are enough: two binders with the same key would cost the second client its
     * early data, and nothing else.
     */
    private long key(EarlyDataOffer offer) {
        long mixed = (offer.binderStart() ^ secret) * 0x9E3779B97F4A7C15L; // the golden ratio, odd: no two become one
        return mixed ^ (mixed >>> 32) ^ offer.binderNext();
    }

    /** Frees the memory. */
    @Override
    public void close() {
        for (Stripe stripe : stripes) {
            stripe.close();
        }
    }
}
