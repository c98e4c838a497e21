package dev.sluice.gateway.acme;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The limit on orders per hour, across restarts: a gateway that starts again and again must not use up what an
 * authority allows. It holds for all that share the files. May be used from any thread.
 */
final class OrderLimit {
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
        try (Lease _ = files.lease("orders", wait)) {
            return enter(files.orders(), most, now);
        }
    }

    private static @Nullable Instant enter(Path file, int most, Instant now) throws IOException {
        List<Instant> recent = new ArrayList<>(recent(file, now));
        if (recent.size() >= most) {
            return recent.get(recent.size() - most).plus(HOUR);
        }
        recent.add(now);
        StateFiles.write(file, recent.stream().map(each -> each + "\n").collect(Collectors.joining()));
        return null;
    }

    private static List<Instant> recent(Path file, Instant now) throws IOException {
        PemText text = StateFiles.read(file);
        List<Instant> recent = new ArrayList<>();
        for (String line :
                text == null ? List.<String>of() : text.text().lines().toList()) {
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
