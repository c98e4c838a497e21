package dev.sluice.gateway.acme;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The limit on orders per hour, across restarts: a gateway that starts again and again must not use up what an
 * authority allows. It holds for all that share the files. May be used from any thread.
 */
final class OrderLimit {
    private static final String ORDERS = "orders";
    private static final Duration HOUR = Duration.ofHours(1);

    /** Whoever has the file reads and writes it, no more. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(10);

    private final StateFiles files;
    private final Duration wait;

    OrderLimit(StateFiles files) {
        this(files, WAIT_MAX);
    }

    /**
     * Creates a limit.
     *
     * @param wait for others that count an order, at most
     */
    OrderLimit(StateFiles files, Duration wait) {
        this.files = files;
        this.wait = wait;
    }

    /**
     * Counts an order, if the limit allows it.
     *
     * @param most orders in an hour
     * @return null: it may be placed; else the time of the next try
     */
    @Nullable
    Instant enter(int most, Instant now) throws IOException, AcmeFailure, InterruptedException {
        Fleet fleet = files.fleet();
        if (fleet != null) {
            return enter(fleet.store(), most, now);
        }
        try (Lease _ = files.lease(ORDERS, wait)) {
            PemText text = StateFiles.read(files.orders());
            Count count = Count.of(text == null ? null : text.text(), most, now);
            if (count.next() == null) {
                StateFiles.write(files.orders(), count.text());
            }
            return count.next();
        }
    }

    private static @Nullable Instant enter(FleetStore store, int most, Instant now)
            throws AcmeFailure, InterruptedException {
        AtomicReference<@Nullable Instant> next = new AtomicReference<>();
        store.change((document, _) -> {
            Count count = Count.of(document.get(ORDERS), most, now);
            next.set(count.next());
            return count.next() == null ? document.with(ORDERS, count.text()) : document;
        });
        return next.get();
    }

    /**
     * An order that is to be counted.
     *
     * @param text the times of the orders of the last hour, with this one if it may be placed
     * @param next null: it may be placed
     */
    private record Count(String text, @Nullable Instant next) {
        static Count of(@Nullable String text, int most, Instant now) {
            List<Instant> recent = new ArrayList<>(recent(text, now));
            Instant next = recent.size() < most
                    ? null
                    : recent.get(recent.size() - most).plus(HOUR);
            if (next == null) {
                recent.add(now);
            }
            return new Count(recent.stream().map(each -> each + "\n").collect(Collectors.joining()), next);
        }
    }

    private static List<Instant> recent(@Nullable String text, Instant now) {
        List<Instant> recent = new ArrayList<>();
        for (String line : text == null ? List.<String>of() : text.lines().toList()) {
            try {
                Instant time = Instant.parse(line);
                // One in the future was written by a clock that was wrong.
                if (time.isAfter(now.minus(HOUR)) && !time.isAfter(now)) {
                    recent.add(time);
                }
            } catch (DateTimeParseException broken) {
                // A line that is no time counts for nothing.
            }
        }
        recent.sort(null);
        return recent;
    }
}
