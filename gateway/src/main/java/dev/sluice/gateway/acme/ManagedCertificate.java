package dev.sluice.gateway.acme;

import dev.sluice.config.acme.AcmeConfig;
import dev.sluice.config.acme.AcmeKeyType;
import dev.sluice.gateway.log.ForeignText;
import dev.sluice.gateway.log.PlainCause;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A certificate of one key type that is ordered, kept and renewed.
 *
 * <pre>
 *   PENDING ──ordered──▶ ISSUED ──its time comes──▶ DUE ──ordered──▶ ISSUED
 *      └─ failed: again after a pause that doubles ─┘
 * </pre>
 *
 * <p>{@link #attempt} is called by one thread at a time; the rest from any.
 */
final class ManagedCertificate {
    private static final int RSA_BITS = 2048;
    /** A server may ask for no more patience. */
    private static final Duration PATIENCE_MAX = Duration.ofDays(1);

    private final Order order;
    private final Surroundings around;
    private final StateFiles files;
    private final @Nullable SharedFiles shared;
    private final Path failureFile;
    private volatile AcmeStatus status;
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile boolean retired;
    /** An operator has asked for an attempt before its time. */
    private volatile boolean urgent;

    private RenewalTimes.@Nullable Window window;
    private Instant windowAgain = Instant.MIN;
    private @Nullable X509Certificate windowOf;
    private @Nullable String toldUnusable;

    /**
     * An order.
     *
     * @param name the certificate's name in the configuration
     */
    record Order(String name, AcmeKeyType type, AcmeConfig config) {
        /** Returns what tells it from other orders under the same name, wherever the files are. */
        String mark() {
            return StateFiles.shortHash(config.names() + " " + config.challenge() + " " + config.keys() + " "
                    + config.profile() + " " + config.account() + " " + config.hook() + " " + config.ordersPerHour());
        }

        /** Returns the name of the lease on orders: two kinds of key are proved by the same names. */
        String lease() {
            return name + "." + wanted();
        }

        /** Returns the name of what nodes share that want the same, wherever they keep it. */
        String entry() {
            return name + "." + type.word() + "." + wanted();
        }

        private String wanted() {
            return StateFiles.shortHash(config.account().directory() + " " + new TreeSet<>(config.names()));
        }

        /** Returns true for a certificate that this order need not replace. */
        boolean wants(KeptCertificate kept) {
            return kept.isFor(config.names())
                    && kept.server().equals(config.account().directory().toString());
        }
    }

    /** The parts that all certificates of a gateway share. */
    record Surroundings(
            ChallengeBoard board,
            OrderLimit limit,
            AcmeCounters counters,
            AcmeTimes times,
            InstantSource clock,
            AcmeLog log) {}

    ManagedCertificate(Order order, StateFiles files, Surroundings around) {
        this.order = order;
        this.files = files;
        this.shared = SharedFiles.of(files);
        this.around = around;
        this.failureFile = files.failures(order.name(), order.type());
        this.status = status(null, around.clock().instant(), null, AcmeStatus.State.PENDING);
    }

    Order order() {
        return order;
    }

    AcmeStatus status() {
        return status;
    }

    /** Makes no more attempts. */
    void retire() {
        retired = true;
    }

    boolean isRetired() {
        return retired;
    }

    /** Returns true for the caller that may make an attempt; {@link #end} must follow. */
    boolean begin() {
        return busy.compareAndSet(false, true);
    }

    /** Ends what {@link #begin} began. */
    void end() {
        busy.set(false);
    }

    /** Makes the next attempt whatever pause a failure has brought. */
    void hurry() {
        urgent = true;
    }

    /**
     * Looks after the certificate, and orders one if it is time.
     *
     * @return the pause until the next call
     * @throws InterruptedException when it is given up, which is no failure
     */
    Duration attempt() throws InterruptedException {
        try {
            files.prepare();
            return look(refreshed());
        } catch (AcmeFailure | IOException | GeneralSecurityException | RuntimeException e) {
            InterruptedException given = PlainCause.find(e, InterruptedException.class);
            if (given != null) {
                throw given;
            }
            if (PlainCause.find(e, ClosedByInterruptException.class) != null) {
                throw new InterruptedException("over a file: " + e);
            }
            return failed(e);
        }
    }

    /** Brings the files up to date with the fleet's; returns why that cannot be done, null when it is. */
    private AcmeFailure.@Nullable Store refreshed() throws AcmeFailure, IOException, InterruptedException {
        try {
            refresh();
            return null;
        } catch (AcmeFailure.Store apart) {
            return apart;
        }
    }

    private void refresh() throws AcmeFailure, IOException, InterruptedException {
        if (shared != null && shared.refresh(order)) {
            around.log()
                    .info("certificate " + order.name() + ": another node's, which was issued by " + server()
                            + ", is served now (" + order.type().word() + ")");
        }
    }

    /**
     * Looks at the files.
     *
     * @param apart why the fleet cannot be asked; null: it was
     */
    private Duration look(AcmeFailure.@Nullable Store apart)
            throws AcmeFailure, IOException, GeneralSecurityException, InterruptedException {
        Instant now = around.clock().instant();
        KeptCertificate kept = kept();
        Instant renewal = kept == null || !order.wants(kept) ? now : renewal(kept, now);
        AcmeStatus.State state = state(kept, renewal, now);
        FailureFile failure = FailureFile.read(failureFile, order.mark());
        if (state == AcmeStatus.State.ISSUED) {
            status = status(kept, renewal, null, state);
            return shorter(Duration.between(now, renewal), around.times().look());
        }
        if (failure != null && failure.next().isAfter(now) && !urgent) {
            status = status(kept, failure.next(), failure, state);
            return shorter(Duration.between(now, failure.next()), around.times().look());
        }
        urgent = false;
        if (apart != null) {
            throw apart;
        }
        status = status(kept, now, failure, state);
        try (Lease lease = files.lease(order.name(), order.lease())) {
            if (lease != null) {
                refresh(); // another node may just have returned it
            }
            return lease == null || isDone(kept) || hasFailed(failure, now)
                    ? around.times().recheck()
                    : place(kept, now, state);
        }
    }

    /** Returns true when somebody else has ordered since. */
    private boolean isDone(@Nullable KeptCertificate before) throws IOException {
        KeptCertificate meanwhile = kept();
        return meanwhile != null && order.wants(meanwhile) && !meanwhile.equals(before);
    }

    /** Returns true when somebody else has tried since, in vain, and the next attempt is to wait. */
    private boolean hasFailed(@Nullable FailureFile before, Instant now) {
        FailureFile meanwhile = FailureFile.read(failureFile, order.mark());
        return meanwhile != null
                && !meanwhile.equals(before)
                && meanwhile.next().isAfter(now);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    // --- what there is ----------------------------------------------------------------------------------------------

    /** Returns the kept certificate; null when there is none that can be used, which is logged once. */
    private @Nullable KeptCertificate kept() throws IOException {
        try {
            KeptCertificate kept = files.certificate(order.name(), order.type());
            toldUnusable = null;
            return kept;
        } catch (AcmeFailure unusable) {
            if (!String.valueOf(unusable.getMessage()).equals(toldUnusable)) {
                toldUnusable = unusable.getMessage();
                around.log().warn("certificate " + order.name() + ": " + unusable.getMessage());
            }
            return null;
        }
    }

    private AcmeStatus.State state(@Nullable KeptCertificate kept, Instant renewal, Instant now) {
        if (kept == null || !order.wants(kept)) {
            return AcmeStatus.State.PENDING;
        }
        return renewal.isAfter(now) ? AcmeStatus.State.ISSUED : AcmeStatus.State.DUE;
    }

    /** Returns the time of the renewal, as the server suggests it if it can be asked. */
    private Instant renewal(KeptCertificate kept, Instant now) throws InterruptedException {
        X509Certificate leaf = kept.leaf();
        if (!leaf.equals(windowOf)) {
            window = null;
            windowAgain = Instant.MIN;
            windowOf = leaf;
        }
        if (!windowAgain.isAfter(now)) {
            windowAgain = now.plus(around.times().look());
            try (AcmeClient client = AcmeClient.of(order.config().account(), files)) {
                RenewalTimes.Window suggested = client.window(leaf, now);
                window = suggested;
                if (suggested != null && suggested.lookAgain().isBefore(windowAgain)) {
                    windowAgain = suggested.lookAgain();
                }
            } catch (AcmeFailure unavailable) {
                // What was suggested last holds, else two thirds of its life: a renewal tells what is wrong.
            }
        }
        return RenewalTimes.renewal(leaf, window);
    }

    // --- an order ---------------------------------------------------------------------------------------------------

    private Duration place(@Nullable KeptCertificate kept, Instant now, AcmeStatus.State state)
            throws AcmeFailure, IOException, GeneralSecurityException, InterruptedException {
        Instant allowed = around.limit().enter(order.config().ordersPerHour(), now);
        if (allowed != null) {
            String told = "the limit of " + order.config().ordersPerHour()
                    + " orders per hour is reached; it waits, or raise acme.orders-per-hour";
            status = status(kept, allowed, new FailureFile(order.mark(), 1, allowed, told), state);
            return shorter(Duration.between(now, allowed), around.times().look());
        }
        KeyPair key = newKey(order.type());
        List<X509Certificate> chain;
        try (AcmeClient client = AcmeClient.of(order.config().account(), files)) {
            X509Certificate replaced = kept == null || !order.wants(kept) ? null : kept.leaf();
            chain = client.order(order.config(), key, replaced, around);
        }
        IssuedChain.require(
                chain, order.config().names(), key.getPublic(), around.clock().instant());
        KeptCertificate issued =
                new KeptCertificate(order.config().account().directory().toString(), chain);
        files.keep(order.name(), order.type(), issued, key.getPrivate());
        FailureFile.remove(failureFile);
        publish();
        around.counters().countIssued();
        Instant renewal = RenewalTimes.renewal(issued.leaf(), null);
        status = status(issued, renewal, null, AcmeStatus.State.ISSUED);
        around.log()
                .info("certificate " + order.name() + ": issued by "
                        + order.config().account().directory().getHost() + " for "
                        + order.config().names() + " until "
                        + issued.notAfter() + " (" + order.type().word() + ")");
        return Duration.ZERO; // to ask when it is to be renewed
    }

    /** Has the other nodes take what was issued; without the store, the next look does so. */
    private void publish() throws IOException, AcmeFailure, GeneralSecurityException, InterruptedException {
        try {
            if (shared != null) {
                shared.publish(order);
                shared.publishFailure(order);
            }
        } catch (AcmeFailure.Store reported) {
            // It is served here.
        }
    }

    private static KeyPair newKey(AcmeKeyType type) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(type.algorithm());
        switch (type) {
            case ECDSA -> generator.initialize(new ECGenParameterSpec("secp256r1"));
            case RSA -> generator.initialize(RSA_BITS);
        }
        return generator.generateKeyPair();
    }

    // --- failures ---------------------------------------------------------------------------------------------------

    /** Notes a failure; returns the pause. */
    Duration failed(Exception e) {
        around.counters().countFailed();
        FailureFile before = FailureFile.read(failureFile, order.mark());
        int count = (before == null ? Math.max(0, status.failures()) : before.count()) + 1;
        Instant now = around.clock().instant();
        boolean isStore = e instanceof AcmeFailure.Store; // no reason to spare the server
        Duration pause = RenewalTimes.retry(isStore ? 1 : count, around.times().retry(), RandomGenerator.getDefault());
        Instant demanded = e instanceof AcmeFailure failure ? failure.notBefore() : null;
        if (demanded != null && demanded.isAfter(now.plus(pause))) {
            pause = shorter(Duration.between(now, demanded), PATIENCE_MAX);
        }
        String error = ForeignText.line(said(e));
        FailureFile failure = new FailureFile(order.mark(), count, now.plus(pause), error);
        if (!isStore) {
            keep(failure);
        }
        boolean isNew = !error.equals(status.error());
        status = new AcmeStatus(
                order.name(),
                order.type().algorithm(),
                server(),
                status.state(),
                status.notAfter(),
                failure.next(),
                count,
                error);
        if (isNew) {
            around.log()
                    .warn("certificate " + order.name() + ": order failed (" + error + "); trying again in "
                            + Math.max(1, pause.toSeconds()) + " s, what was served before is served on");
        }
        return pause;
    }

    private void keep(FailureFile failure) {
        try {
            failure.write(failureFile);
            if (shared != null) {
                shared.publishFailure(order);
            }
        } catch (IOException | AcmeFailure unwritable) {
            // The error itself says so, or the next one will.
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static String said(Exception e) {
        return switch (e) {
            case AcmeFailure failure -> String.valueOf(failure.getMessage());
            case RuntimeException bug -> "internal error, please report it: " + ForeignText.cut(bug.toString());
            default -> PlainCause.of(e);
        };
    }

    private String server() {
        return order.config().account().directory().getHost();
    }

    private AcmeStatus status(
            @Nullable KeptCertificate kept, Instant next, @Nullable FailureFile failure, AcmeStatus.State state) {
        return new AcmeStatus(
                order.name(),
                order.type().algorithm(),
                server(),
                state,
                kept == null ? null : kept.notAfter(),
                next,
                failure == null ? 0 : failure.count(),
                failure == null ? null : failure.error());
    }
}
