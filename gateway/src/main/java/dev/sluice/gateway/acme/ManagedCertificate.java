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
        /** Returns what tells it from other orders under the same name. */
        String mark() {
            return StateFiles.shortHash(config.toString());
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
            return look();
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

    private Duration look() throws AcmeFailure, IOException, GeneralSecurityException, InterruptedException {
        Instant now = around.clock().instant();
        KeptCertificate kept = kept();
        Instant renewal = kept == null || !isWanted(kept) ? now : renewal(kept, now);
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
        status = status(kept, now, failure, state);
        try (Lease lease = files.lease(order.name() + "." + order.type().word())) {
            KeptCertificate meanwhile = lease == null ? null : kept();
            boolean isDone = meanwhile != null && isWanted(meanwhile) && !meanwhile.equals(kept);
            return lease == null || isDone ? around.times().recheck() : place(kept, now, state);
        }
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

    private boolean isWanted(KeptCertificate kept) {
        return kept.isFor(order.config().names())
                && kept.server().equals(order.config().account().directory().toString());
    }

    private AcmeStatus.State state(@Nullable KeptCertificate kept, Instant renewal, Instant now) {
        if (kept == null || !isWanted(kept)) {
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
            X509Certificate replaced = kept == null || !isWanted(kept) ? null : kept.leaf();
            chain = client.order(order.config(), key, replaced, around);
        }
        IssuedChain.require(
                chain, order.config().names(), key.getPublic(), around.clock().instant());
        KeptCertificate issued =
                new KeptCertificate(order.config().account().directory().toString(), chain);
        files.keep(order.name(), order.type(), issued, key.getPrivate());
        FailureFile.remove(failureFile);
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
        Duration pause = RenewalTimes.retry(count, around.times().retry(), RandomGenerator.getDefault());
        Instant demanded = e instanceof AcmeFailure failure ? failure.notBefore() : null;
        if (demanded != null && demanded.isAfter(now.plus(pause))) {
            pause = shorter(Duration.between(now, demanded), PATIENCE_MAX);
        }
        String error = ForeignText.line(said(e));
        FailureFile failure = new FailureFile(order.mark(), count, now.plus(pause), error);
        try {
            failure.write(failureFile);
        } catch (IOException unwritable) {
            // The error itself says so, or the next one will.
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
