package dev.sluice.gateway.tickets;

import dev.sluice.config.yaml.Quantities;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.openssl.TicketKey;
import dev.sluice.tls.ticket.TicketKeyPlan;
import dev.sluice.tls.ticket.TicketKeyRing;
import dev.sluice.tls.ticket.TimedTicketKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keys that are made here and shared with nobody; kept in a file, if there is one, so that a restart keeps sessions.
 */
final class LocalKeys implements TicketKeySource {
    /** Looks at the clock this often at least, so that it is noticed when the clock is set. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private static final MallocAllocator ALLOCATOR = new MallocAllocator();

    private final TicketKeyRing ring;
    private final TicketKeyPlan plan;
    private final InstantSource clock;
    private final @Nullable StateFile file;
    private final Trouble trouble;
    private final AtomicLong generation = new AtomicLong();

    /**
     * Creates a source of local keys.
     *
     * @param file null: the keys are in memory only
     */
    LocalKeys(TicketKeyRing ring, TicketKeyPlan plan, InstantSource clock, @Nullable StateFile file, TicketKeyLog log) {
        this.ring = ring;
        this.plan = plan;
        this.clock = clock;
        this.file = file;
        this.trouble = new Trouble(log);
        if (file != null) {
            load(file);
        }
    }

    private void load(StateFile from) {
        try {
            TicketKeyDocument kept = from.load();
            if (kept != null) {
                generation.set(kept.generation());
                ring.install(kept.keys());
            }
        } catch (TicketKeyException e) {
            trouble.is(e.getMessage() + "; new keys are made, so clients make full handshakes once");
            from.setAside();
        }
    }

    @Override
    public Duration refresh() {
        long now = clock.millis();
        change(plan.advanced(ring.timedKeys(), now, () -> TicketKey.random(ALLOCATOR)));
        Duration pause = Duration.ofMillis(plan.nextChangeMillis(ring.timedKeys(), now) - now);
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    @Override
    public String rotate() {
        change(plan.rotated(ring.timedKeys(), clock.millis(), () -> TicketKey.random(ALLOCATOR)));
        return "a new key seals from now on; old ones open tickets until they expire";
    }

    @Override
    public String take(List<TicketKey> keys) {
        long now = clock.millis();
        List<TimedTicketKey> all = new ArrayList<>();
        // Those that are here already go first: they keep their times.
        ring.timedKeys().stream().filter(key -> key.isAlive(now)).forEach(all::add);
        keys.forEach(
                key -> all.add(new TimedTicketKey(key, 0, 0, now + plan.keep().toMillis())));
        change(all);
        return keys.size() + " keys open tickets from now on, for " + Quantities.text(plan.keep());
    }

    private void change(List<TimedTicketKey> keys) {
        boolean changed = !keys.equals(ring.timedKeys());
        ring.install(keys);
        if (changed && file != null) {
            save(file);
        }
    }

    private void save(StateFile to) {
        long now = clock.millis();
        try {
            to.save(new TicketKeyDocument(
                    0,
                    generation.incrementAndGet(),
                    now,
                    ring.timedKeys().stream().filter(key -> key.isAlive(now)).toList()));
            trouble.isOver("ticket keys are kept in " + to + " again");
        } catch (TicketKeyException e) {
            trouble.is(e.getMessage());
        }
    }

    @Override
    public SourceStatus status() {
        return SourceStatus.local(
                file == null ? "local" : "local:" + file, generation.get(), trouble.message(), trouble.count());
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }
}
