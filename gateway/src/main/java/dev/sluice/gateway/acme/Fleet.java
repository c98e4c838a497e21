package dev.sluice.gateway.acme;

import dev.sluice.gateway.challenge.ChallengeAnswer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * This node among those that share their orders through a store. A thread reads the document at intervals and when it
 * is announced: it renews this node's leases, shows the answers to other nodes' challenges, and reports changes. A node
 * that ends without notice loses its leases after {@link #LEASE}.
 *
 * <p>May be used from any thread.
 */
final class Fleet implements AutoCloseable {
    /** The time after which a lease is over that its node does not renew. */
    static final Duration LEASE = Duration.ofMinutes(1);

    /** The longest interval: an order waits until all nodes have read its challenges. */
    private static final Duration INTERVAL_MAX = Duration.ofSeconds(10);

    private static final double JITTER = 0.2;

    /** The time for the last round of a node that ends: what the store may take. */
    private static final Duration END = Duration.ofSeconds(3);

    private static final String LEASE_ENTRY = "lease ";

    private final FleetStore store;
    private final Duration interval;
    private final FleetAnswers answers;
    private final Runnable changed;
    private final String self = UUID.randomUUID().toString();
    private final Set<String> leases = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<Boolean> wakeUp = new ArrayBlockingQueue<>(1);
    private @Nullable Thread thread;
    private volatile boolean closed;
    private boolean apart;
    private @Nullable FleetDocument seen;

    /**
     * Joins when {@link #start} is called.
     *
     * @param name of the store, as the configuration has it
     * @param interval between two looks at the document
     * @param board shows the answers to other nodes' challenges
     * @param changed runs, on the thread of this, when there are other certificates or failures in the document, and
     *     when the store can be used again
     */
    Fleet(
            FleetStore.Opening opening,
            String name,
            Duration interval,
            ChallengeBoard board,
            Runnable changed,
            InstantSource clock,
            AcmeLog log) {
        this.store = new FleetStore(opening, name, this::wake, clock, log);
        this.interval = interval.compareTo(INTERVAL_MAX) < 0 ? interval : INTERVAL_MAX;
        this.answers = new FleetAnswers(self, board, log);
        this.changed = changed;
    }

    FleetStore store() {
        return store;
    }

    void start() {
        thread = Thread.ofVirtual().name("acme-fleet").start(this::run);
    }

    // --- leases -----------------------------------------------------------------------------------------------------

    /**
     * Takes the right to do something alone among all nodes.
     *
     * @return gives it back, idempotent; null: another node, or another thread of this one, has it
     */
    @Nullable
    Runnable lease(String what) throws AcmeFailure, InterruptedException {
        String name = LEASE_ENTRY + what;
        if (!leases.add(name)) {
            return null;
        }
        boolean isOurs = false;
        try {
            FleetDocument after = store.change((document, time) ->
                    FleetClaim.isFree(document.get(name), time) ? document.with(name, claim(time)) : document);
            isOurs = isOwn(after.get(name));
        } finally {
            if (!isOurs) {
                leases.remove(name);
            }
        }
        return isOurs ? () -> release(name) : null;
    }

    private String claim(Instant time) {
        return new FleetClaim(self, time.plus(LEASE)).lines().build();
    }

    private boolean isOwn(@Nullable String text) {
        FleetClaim claim = FleetClaim.of(text);
        return claim != null && claim.isOf(self);
    }

    private void release(String name) {
        if (leases.remove(name)) {
            wake();
        }
    }

    /** Returns the document with this node's leases renewed; those that another node has taken are lost. */
    private FleetDocument renewed(FleetDocument document, Instant time) {
        FleetDocument next = document.filtered((name, text) -> !name.startsWith(LEASE_ENTRY)
                || leases.contains(name)
                || (!FleetClaim.isFree(text, time) && !isOwn(text)));
        leases.removeIf(name -> {
            String text = document.get(name);
            return !FleetClaim.isFree(text, time) && !isOwn(text);
        });
        for (String name : leases) {
            FleetClaim claim = FleetClaim.of(next.get(name));
            if (claim == null
                    || claim.until().isBefore(time.plus(LEASE.dividedBy(3).multipliedBy(2)))) {
                next = next.with(name, claim(time));
            }
        }
        return next;
    }

    // --- challenges -------------------------------------------------------------------------------------------------

    /** Has other nodes answer a challenge; all that can reach the store do after {@link #notice}. */
    void show(ChallengeAnswer answer) throws AcmeFailure, InterruptedException {
        answers.show(answer);
        store.change(answers::published);
    }

    void withdraw(ChallengeAnswer answer) {
        answers.withdraw(answer);
        wake();
    }

    /** Returns the time after which each node has read a change, though it missed the announcement. */
    Duration notice() {
        return interval.multipliedBy(3).dividedBy(2);
    }

    // --- the thread -------------------------------------------------------------------------------------------------

    private void wake() {
        wakeUp.offer(true);
    }

    private void run() {
        try {
            while (!closed) {
                wakeUp.poll(round().toNanos(), TimeUnit.NANOSECONDS);
            }
            leases.clear();
            answers.withdrawAll();
            round();
        } catch (InterruptedException ended) {
            // The leases are over soon.
        }
    }

    /**
     * Reads the document, and writes what this node owes it.
     *
     * @return the pause until the next round
     */
    Duration round() throws InterruptedException {
        try {
            FleetDocument document = store.change(this::tended);
            if (!closed) {
                answers.follow(document);
                report(document);
            }
            apart = false;
        } catch (AcmeFailure reported) {
            apart = true;
        }
        double factor = 1 + JITTER * (2 * ThreadLocalRandom.current().nextDouble() - 1);
        return Duration.ofMillis(Math.max(1, Math.round(interval.toMillis() * factor)));
    }

    private FleetDocument tended(FleetDocument document, Instant time) {
        return SharedFiles.current(answers.published(renewed(document, time), time), time);
    }

    private void report(FleetDocument document) {
        FleetDocument next = document.filtered((name, _) -> SharedFiles.isOfOrders(name));
        if (apart || !next.equals(seen)) {
            seen = next;
            changed.run();
        }
    }

    /** Gives back what this node has, and ends. Idempotent. */
    @Override
    public void close() {
        closed = true;
        wake();
        Thread running = thread;
        try {
            if (running != null && !running.join(END)) {
                running.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        store.close();
    }
}
