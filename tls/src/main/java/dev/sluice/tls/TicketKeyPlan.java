package dev.sluice.tls;

import dev.sluice.ffi.openssl.TicketKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * When ticket keys follow each other: tells from the keys that there are which ones are to come. Keeps nothing itself, so
 * that nodes that share their keys come to the same answer.
 *
 * @param rotate how long a key seals, at least a second
 * @param keep how long a ticket can be used, at least a second
 * @param ahead how many keys stand ready that do not seal yet, at least 1
 * @param notice how long before its time a key is made known at least, so that all who share it have it by then
 * @param jitter by how much less than {@code rotate} a key may seal, at random, so that nodes that started together do not
 *     rotate together; less than {@code rotate}
 */
public record TicketKeyPlan(Duration rotate, Duration keep, int ahead, Duration notice, Duration jitter) {
    /**
     * Checks it.
     *
     * @throws TlsConfigurationException when times are too short, or take more than {@link TicketKeyRing#MAX_KEYS} keys
     */
    public TicketKeyPlan {
        Duration least = Duration.ofSeconds(1);
        if (rotate.compareTo(least) < 0 || keep.compareTo(least) < 0) {
            throw new TlsConfigurationException(
                    "ticket keys live a second at least, rotate=" + rotate + ", keep=" + keep);
        }
        if (jitter.isNegative() || jitter.compareTo(rotate) >= 0) {
            throw new TlsConfigurationException("ticket keys rotate every " + rotate
                    + " less a jitter that is shorter than that, jitter=" + jitter);
        }
        if (keep.dividedBy(rotate.minus(jitter)) > TicketKeyRing.MAX_KEYS - 3 - ahead) {
            throw new TlsConfigurationException("tickets that are kept for " + keep + " with keys that rotate every "
                    + rotate + " take more than " + TicketKeyRing.MAX_KEYS
                    + " keys; rotate more slowly or keep them for less");
        }
    }

    /** Keys that nobody else has: the next one is ready, and needs no notice. */
    public static TicketKeyPlan alone(Duration rotate, Duration keep) {
        return new TicketKeyPlan(rotate, keep, 1, Duration.ZERO, Duration.ZERO);
    }

    /** The same, with keys that seal up to a tenth shorter. */
    public TicketKeyPlan jittered() {
        return new TicketKeyPlan(rotate, keep, ahead, notice, rotate.minus(shortest(rotate)));
    }

    /** How long a key seals at least in a plan that is {@link #jittered()}. */
    public static Duration shortest(Duration rotate) {
        return rotate.multipliedBy(9).dividedBy(10);
    }

    /**
     * The keys as they should be: those that are alive, and new ones where some are missing.
     *
     * @param maker makes a key; the caller owns what it returned
     * @return the same keys in their order, new ones last
     */
    public List<TimedTicketKey> advanced(List<TimedTicketKey> keys, long nowMillis, Supplier<TicketKey> maker) {
        return filledUp(keys, key -> key.isAlive(nowMillis), false, nowMillis, maker);
    }

    /**
     * The keys as they should be for a new one to seal as soon as its notice is over. Those that were to come are left out.
     *
     * @param maker makes a key; the caller owns what it returned
     */
    public List<TimedTicketKey> rotated(List<TimedTicketKey> keys, long nowMillis, Supplier<TicketKey> maker) {
        return filledUp(keys, key -> key.isInForce(nowMillis), true, nowMillis, maker);
    }

    /** @param atOnce whether the first new key need not wait until the time of those before is over */
    private List<TimedTicketKey> filledUp(
            List<TimedTicketKey> keys,
            Predicate<TimedTicketKey> kept,
            boolean atOnce,
            long nowMillis,
            Supplier<TicketKey> maker) {
        List<TimedTicketKey> plan = new ArrayList<>();
        keys.stream().filter(kept).forEach(plan::add);
        // Counted on from those that are left out too, or two keys would have one number.
        int generation =
                keys.stream().mapToInt(TimedTicketKey::generation).max().orElse(0);
        long start = nowMillis + notice.toMillis();
        if (plan.stream().noneMatch(key -> key.notBeforeMillis() > 0)) {
            // Nobody seals: there is nobody to give notice to either.
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

    /** When {@link #advanced} has something to add to these keys. */
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
