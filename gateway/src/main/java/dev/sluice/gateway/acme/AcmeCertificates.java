package dev.sluice.gateway.acme;

import dev.sluice.config.acme.AcmeConfig;
import dev.sluice.config.acme.AcmeKeyType;
import dev.sluice.config.acme.AcmeSharing;
import dev.sluice.config.acme.AcmeStorage;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TicketStoreConfig.Redis;
import dev.sluice.gateway.tickets.DocumentStore;
import dev.sluice.gateway.tickets.FleetKey;
import dev.sluice.gateway.tickets.TicketKeyException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of a gateway that are ordered by ACME. Without any no thread runs, and nothing is loaded for them.
 * May be used from any thread.
 */
public final class AcmeCertificates implements AutoCloseable {
    /** Servers that may be waited for at once: one that hangs must not keep the others from being asked. */
    private static final int WORKERS = 4;

    /** The longest attempt; a server that sends a byte now and then must not hold a worker for ever. */
    private static final Duration ATTEMPT_LIMIT = Duration.ofMinutes(30);

    /** The document is beside the ticket keys, by this name. */
    private static final String SUFFIX = ":acme";

    private final ChallengeBoard board;
    private final InstantSource clock;
    private final AcmeLog log;
    private final AcmeTimes times;
    private final AcmeCounters counters = new AcmeCounters();
    private final Map<AcmeStorage, ManagedCertificate.Surroundings> surroundings = new HashMap<>();
    private volatile Map<String, ManagedCertificate> managed = Map.of();
    private @Nullable ScheduledThreadPoolExecutor workers;
    private @Nullable ExecutorService attempts;
    private volatile @Nullable Fleet fleet;
    private boolean closed;
    /** The next attempt at each certificate. */
    private final IdentityHashMap<ManagedCertificate, Future<?>> scheduled = new IdentityHashMap<>();
    /** The attempts that are under way. */
    private final IdentityHashMap<ManagedCertificate, Future<?>> running = new IdentityHashMap<>();

    /** Does nothing before {@link #follow}. */
    public AcmeCertificates(ChallengeBoard board, InstantSource clock, AcmeLog log) {
        this(board, AcmeTimes.ofProcess(), clock, log);
    }

    AcmeCertificates(ChallengeBoard board, AcmeTimes times, InstantSource clock, AcmeLog log) {
        this.board = board;
        this.times = times;
        this.clock = clock;
        this.log = log;
    }

    /** Manages the certificates of a configuration from now on, and no others. */
    public void follow(GatewayConfig config) {
        TicketConfig tickets = config.tickets();
        follow(config.certificates(), tickets != null && tickets.store() instanceof Redis redis ? redis : null);
    }

    void follow(List<CertificateConfig> certificates) {
        follow(certificates, null);
    }

    /**
     * Manages certificates.
     *
     * @param store shared by the nodes of a fleet; null: none is
     */
    private synchronized void follow(List<CertificateConfig> certificates, @Nullable Redis store) {
        join(certificates, store);
        Map<String, ManagedCertificate> before = managed;
        Map<String, ManagedCertificate> next = new LinkedHashMap<>();
        List<ManagedCertificate> fresh = new ArrayList<>();
        for (CertificateConfig certificate : certificates) {
            AcmeConfig acme = certificate.acme();
            if (acme == null) {
                continue;
            }
            for (AcmeKeyType type : acme.keys()) {
                ManagedCertificate.Order order = new ManagedCertificate.Order(certificate.name(), type, acme);
                String key = certificate.name() + "." + type.word();
                ManagedCertificate known = before.get(key);
                if (known == null || !known.order().equals(order)) {
                    known = managed(order);
                    fresh.add(known);
                }
                next.put(key, known);
            }
        }
        before.values().stream().filter(each -> !next.containsValue(each)).forEach(this::retire);
        managed = Map.copyOf(next);
        fresh.forEach(each -> schedule(each, Duration.ZERO));
    }

    /** Joins the fleet when a certificate is shared, and leaves it when none is; the store is that of the start. */
    private void join(List<CertificateConfig> certificates, @Nullable Redis store) {
        boolean isShared = certificates.stream()
                .map(CertificateConfig::acme)
                .anyMatch(acme -> acme != null && acme.storage().sharing() == AcmeSharing.TICKETS);
        Fleet member = fleet;
        if (isShared && store != null && member == null && !closed) {
            member = new Fleet(
                    () -> link(store),
                    store.address().beside(SUFFIX).toString(),
                    store.poll(),
                    board,
                    this::lookAtShared,
                    clock,
                    log);
            member.start();
            fleet = member;
        } else if (!isShared && member != null) {
            fleet = null;
            surroundings.keySet().removeIf(storage -> storage.sharing() == AcmeSharing.TICKETS);
            Thread.ofVirtual().start(member::close); // it may wait for the store
        }
    }

    private static FleetStore.Link link(Redis store) throws TicketKeyException {
        FleetKey key = FleetKey.read(store.fleetKey());
        try {
            return new FleetStore.Link(DocumentStore.beside(store, SUFFIX, "ACME state"), key);
        } catch (TicketKeyException e) {
            key.close();
            throw e;
        }
    }

    /** Other nodes have issued something, or failed, or the store is there again. */
    private synchronized void lookAtShared() {
        managed.values().stream()
                .filter(each -> each.order().config().storage().sharing() == AcmeSharing.TICKETS)
                .forEach(each -> schedule(each, Duration.ZERO));
    }

    /** Gives up what is under way for it: an operator who corrects an order must not wait for the wrong one. */
    private void retire(ManagedCertificate certificate) {
        certificate.retire();
        scheduled.remove(certificate);
        Future<?> attempt = running.remove(certificate);
        if (attempt != null) {
            attempt.cancel(true);
        }
    }

    private ManagedCertificate managed(ManagedCertificate.Order order) {
        AcmeStorage storage = order.config().storage();
        StateFiles files = new StateFiles(storage, storage.sharing() == AcmeSharing.TICKETS ? fleet : null);
        ManagedCertificate.Surroundings around = surroundings.computeIfAbsent(
                storage,
                _ -> new ManagedCertificate.Surroundings(board, new OrderLimit(files), counters, times, clock, log));
        return new ManagedCertificate(order, files, around);
    }

    /** Tries again now what has failed: an operator may have removed the cause. */
    public synchronized void retryFailed() {
        for (ManagedCertificate each : managed.values()) {
            if (each.status().failures() > 0) {
                each.hurry();
                schedule(each, Duration.ZERO);
            }
        }
    }

    // --- attempts ---------------------------------------------------------------------------------------------------

    private synchronized void schedule(ManagedCertificate certificate, Duration pause) {
        if (closed || certificate.isRetired()) {
            return;
        }
        if (workers == null) {
            workers = new ScheduledThreadPoolExecutor(
                    WORKERS, Thread.ofPlatform().daemon().name("acme-", 0).factory());
            attempts = Executors.newVirtualThreadPerTaskExecutor();
        }
        Future<?> next = workers.schedule(() -> work(certificate), pause.toMillis(), TimeUnit.MILLISECONDS);
        Future<?> other = scheduled.put(certificate, next);
        if (other != null) {
            other.cancel(false);
        }
    }

    private void work(ManagedCertificate certificate) {
        if (certificate.isRetired() || !certificate.begin()) {
            return;
        }
        Duration pause = times.retry();
        try {
            pause = attempt(certificate);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } catch (CancellationException | RejectedExecutionException givenUp) {
            return;
        } finally {
            certificate.end();
        }
        schedule(certificate, pause);
    }

    /** Runs an attempt for a limited time. */
    private Duration attempt(ManagedCertificate certificate) throws InterruptedException {
        Future<Duration> attempt;
        synchronized (this) {
            if (attempts == null || closed || certificate.isRetired()) {
                throw new RejectedExecutionException("closed");
            }
            attempt = attempts.submit(certificate::attempt);
            running.put(certificate, attempt);
        }
        try {
            return attempt.get(ATTEMPT_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            attempt.cancel(true);
            return certificate.failed(new AcmeFailure("the server was not done within " + ATTEMPT_LIMIT.toMinutes()
                    + " minutes; the order was given up"));
        } catch (ExecutionException e) {
            log.warn("certificate " + certificate.order().name() + ": internal error (" + e.getCause()
                    + "); please report it");
            return times.retry();
        } finally {
            ended(certificate);
        }
    }

    private synchronized void ended(ManagedCertificate certificate) {
        running.remove(certificate);
    }

    // --- what is known of them --------------------------------------------------------------------------------------

    /** Returns the status of each certificate, by name and kind of key. */
    public List<AcmeStatus> statuses() {
        return managed.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(each -> each.getValue().status())
                .toList();
    }

    /** Returns the status of the store that a fleet shares; null when none is used. */
    public @Nullable AcmeStoreStatus store() {
        Fleet member = fleet;
        return member == null ? null : member.store().status();
    }

    /** Returns the totals of orders. */
    public AcmeCounters counters() {
        return counters;
    }

    /** Orders nothing more; gives up what is under way. Idempotent. */
    @Override
    public void close() {
        ExecutorService last;
        Fleet member;
        synchronized (this) {
            closed = true;
            member = fleet;
            last = attempts;
            if (workers != null) {
                workers.shutdownNow();
            }
        }
        if (last != null) {
            last.shutdownNow();
            await(last);
        }
        if (member != null) {
            member.close();
        }
    }

    /** Waits a moment: what is shown to servers is withdrawn before the loops end. */
    private static void await(ExecutorService last) {
        try {
            last.awaitTermination(2, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
