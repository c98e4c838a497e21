package dev.sluice.tls.ticket;

import dev.sluice.ffi.openssl.TicketKey;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The rotation plan of ticket keys: computes from the existing keys which ones to add. Stateless, so that nodes with
 * shared keys reach the same result.
 *
 * @param rotate sealing time of a key, at least a second
 * @param keep lifetime of a ticket, at least a second
 * @param ahead number of keys prepared for the future, at least 1
 * @param notice minimum time between the publication of a key and its use, so that all nodes have it by then
 * @param jitter random reduction of the sealing time, less than {@code rotate}, so that nodes started together do not
 *     rotate together
 */
public record TicketKeyPlan(Duration rotate, Duration keep, int ahead, Duration notice, Duration jitter) {
    /**
     * Checks the times.
     *
     * @throws TlsConfigurationException when times are too short, or take more than {@link TicketKeyRing#MAX_KEYS}
     *     keys
     */
    public TicketKeyPlan {
        Duration least = Duration.ofSeconds(1);
        if (rotate.compareTo(least) < 0 || keep.compareTo(least) < 0) {
            throw new TlsConfigurationException(
                    "ticket-key times must be at least one second, rotate=" + rotate + ", keep=" + keep);
        }
        if (jitter.isNegative() || jitter.compareTo(rotate) >= 0) {
            throw new TlsConfigurationException(
                    "ticket keys rotate every " + rotate + " and need a shorter jitter, jitter=" + jitter);
        }
        if (keep.dividedBy(rotate.minus(jitter)) > TicketKeyRing.MAX_KEYS - 3 - ahead) {
            throw new TlsConfigurationException("tickets that are kept for " + keep + " with keys that rotate every "
                    + rotate + " take more than " + TicketKeyRing.MAX_KEYS
                    + " keys; rotate more slowly or keep them for less");
        }
    }

    /** Returns a plan for unshared keys: one key ahead, and no notice. */
    public static TicketKeyPlan alone(Duration rotate, Duration keep) {
        return new TicketKeyPlan(rotate, keep, 1, Duration.ZERO, Duration.ZERO);
    }

    /** Returns the same plan with sealing times shortened by up to a tenth. */
    public TicketKeyPlan jittered() {
        return new TicketKeyPlan(rotate, keep, ahead, notice, rotate.minus(shortest(rotate)));
    }

    /** Returns the minimum sealing time in a {@link #jittered()} plan. */
    public static Duration shortest(Duration rotate) {
        return rotate.multipliedBy(9).dividedBy(10);
    }

    /**
     * Returns the keys as they should be: the live ones, and new ones where some are missing.
     *
     * @param maker creates a key, owned by the caller
     * @return the same keys in their order, new ones last
     */
    public List<TimedTicketKey> advanced(List<TimedTicketKey> keys, long nowMillis, Supplier<TicketKey> maker) {
        return filledUp(keys, key -> key.isAlive(nowMillis), false, nowMillis, maker);
    }

    /**
     * Returns the keys with a new one that seals as soon as its notice is over; drops future keys.
     *
     * @param maker creates a key, owned by the caller
     */
    public List<TimedTicketKey> rotated(List<TimedTicketKey> keys, long nowMillis, Supplier<TicketKey> maker) {
        return filledUp(keys, key -> key.isInForce(nowMillis), true, nowMillis, maker);
    }

    /**
     * Adds missing keys to the kept ones.
     *
     * @param atOnce true if the first new key need not wait for the end of earlier ones
     */
    private List<TimedTicketKey> filledUp(
            List<TimedTicketKey> keys,
            Predicate<TimedTicketKey> kept,
            boolean atOnce,
            long nowMillis,
            Supplier<TicketKey> maker) {
        List<TimedTicketKey> plan = new ArrayList<>();
        keys.stream().filter(kept).forEach(plan::add);
        // Numbers continue from dropped keys too, or two keys would share one.
        int generation =
                keys.stream().mapToInt(TimedTicketKey::generation).max().orElse(0);
        long start = nowMillis + notice.toMillis();
        if (plan.stream().noneMatch(key -> key.notBeforeMillis() > 0)) {
            // No key seals, so no node needs notice.
            start = nowMillis;
        } else if (!atOnce) {
            start = Math.max(latestStart(plan) + sealsForMillis(), start);
        }
        for (long missing = ahead - next(plan, nowMillis); missing > 0; start += sealsForMillis()) {
            plan.add(made(++generation, start, maker));
            missing -= start > nowMillis ? 1 : 0;
        }
        return plan;
    }

    private long sealsForMillis() {
        return rotate.toMillis() - ThreadLocalRandom.current().nextLong(jitter.toMillis() + 1);
    }

    /** Returns when {@link #advanced} next adds a key. */
    public long nextChangeMillis(List<TimedTicketKey> keys, long nowMillis) {
        return keys.stream()
                .mapToLong(TimedTicketKey::notBeforeMillis)
                .filter(start -> start > nowMillis)
                .min()
                .orElse(nowMillis);
    }

    private TimedTicketKey made(int generation, long startMillis, Supplier<TicketKey> maker) {
        long end = startMillis + rotate.toMillis() + keep.toMillis();
        return new TimedTicketKey(maker.get(), generation, startMillis, end);
    }

    private static long next(List<TimedTicketKey> keys, long nowMillis) {
        return keys.stream().filter(key -> key.notBeforeMillis() > nowMillis).count();
    }

    private static long latestStart(List<TimedTicketKey> keys) {
        return keys.stream().mapToLong(TimedTicketKey::notBeforeMillis).max().orElse(0);
    }
}
