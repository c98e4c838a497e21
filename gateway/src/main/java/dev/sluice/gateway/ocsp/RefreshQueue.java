package dev.sluice.gateway.ocsp;

import dev.sluice.config.model.OcspConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Certificates by the time at which their responders are to be asked, and the virtual threads that ask them. May be
 * used from any thread.
 */
final class RefreshQueue implements AutoCloseable {
    /** Looks at the clock this often at least, so that it is noticed when the clock is set. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private static final Duration END_LIMIT = Duration.ofSeconds(2);

    private final InstantSource clock;
    private final StapleLog log;
    private final Refresher refresher;
    private final int workersMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<StapledCertificate> waiting =
            new PriorityQueue<>(Comparator.comparing(StapledCertificate::due));
    private final List<Thread> workers = new ArrayList<>();
    private StapleFiles files;
    private Map<String, StapledCertificate> served = Map.of();
    private boolean closed;

    /**
     * Makes an empty one.
     *
     * @param workers how many threads, started with the first certificate; 0: {@link #refreshDue} is called instead
     */
    RefreshQueue(InstantSource clock, StapleLog log, ResponderClient client, int workers) {
        this.clock = clock;
        this.log = log;
        this.workersMax = workers;
        this.files = new StapleFiles(null, log);
        // The generator is looked up in each thread, as it wants to be.
        RefreshTimes times = new RefreshTimes(() -> ThreadLocalRandom.current().nextDouble());
        this.refresher = new Refresher(clock, client, times, log);
    }

    /** A certificate that has responses already. */
    @Nullable
    StapledCertificate served(String sha256) {
        lock.lock();
        try {
            return served.get(sha256);
        } finally {
            lock.unlock();
        }
    }

    /** Looks after these from now on. What was in trouble is tried at once. */
    void serve(Map<String, StapledCertificate> next, @Nullable OcspConfig config) {
        lock.lock();
        try {
            files = files.isFor(config) ? files : new StapleFiles(config, log);
            Map<String, StapledCertificate> before = served;
            served = Map.copyOf(next);
            waiting.removeIf(certificate -> !isServed(certificate));
            for (StapledCertificate certificate : served.values()) {
                boolean isNew = before.get(certificate.order().sha256()) != certificate;
                // One that is being refreshed right now is not in the queue.
                if (isNew || (certificate.isInTrouble() && waiting.remove(certificate))) {
                    enqueue(certificate, clock.instant());
                }
            }
            startWorkers();
            changed.signalAll(); // who reloads may have set the clock
        } finally {
            lock.unlock();
        }
    }

    private boolean isServed(StapledCertificate certificate) {
        return served.get(certificate.order().sha256()) == certificate;
    }

    private void enqueue(StapledCertificate certificate, Instant due) {
        certificate.dueAt(due);
        waiting.add(certificate);
        changed.signalAll();
    }

    private void startWorkers() {
        while (!served.isEmpty() && workers.size() < workersMax && !closed) {
            workers.add(Thread.ofVirtual().name("ocsp-" + workers.size()).start(this::work));
        }
    }

    private void work() {
        try {
            for (StapledCertificate next = awaitDue(); next != null; next = awaitDue()) {
                refresh(next);
            }
        } catch (InterruptedException e) {
            // It is over.
        }
    }

    /** Refreshes what is due, on this thread. */
    void refreshDue() throws InterruptedException {
        for (StapledCertificate next = pollDue(); next != null; next = pollDue()) {
            refresh(next);
        }
    }

    private void refresh(StapledCertificate certificate) throws InterruptedException {
        Instant next = refresher.refresh(certificate, files());
        lock.lock();
        try {
            if (isServed(certificate)) {
                enqueue(certificate, next);
            }
        } finally {
            lock.unlock();
        }
    }

    private StapleFiles files() {
        lock.lock();
        try {
            return files;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable StapledCertificate awaitDue() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed) {
                StapledCertificate due = pollDue();
                if (due != null) {
                    return due;
                }
                var _ = changed.await(pauseMillis(), TimeUnit.MILLISECONDS);
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable StapledCertificate pollDue() {
        lock.lock();
        try {
            StapledCertificate next = waiting.peek();
            return next == null || next.due().isAfter(clock.instant()) ? null : waiting.poll();
        } finally {
            lock.unlock();
        }
    }

    private long pauseMillis() {
        StapledCertificate next = waiting.peek();
        long most = LONGEST_WAIT.toMillis();
        return next == null
                ? most
                : Math.clamp(Duration.between(clock.instant(), next.due()).toMillis(), 1, most);
    }

    /** Returns the time at which the next certificate is due; null when there is none. */
    @Nullable
    Instant nextDue() {
        lock.lock();
        try {
            StapledCertificate next = waiting.peek();
            return next == null ? null : next.due();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the refresher, which counts its work. */
    Refresher refresher() {
        return refresher;
    }

    /** The certificates that are looked after. */
    Collection<StapledCertificate> all() {
        lock.lock();
        try {
            return served.values();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the threads, and what they wait for. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        workers.forEach(Thread::interrupt);
        try {
            for (Thread worker : workers) {
                var _ = worker.join(END_LIMIT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
