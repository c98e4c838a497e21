package dev.sluice.gateway.ocsp;

import dev.sluice.config.model.OcspConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A gateway's OCSP responses: fetches those of all certificates that name a responder, and again when their time comes,
 * in the background. Handshakes have nothing to do with it but that they read the {@link
 * dev.sluice.tls.certificate.StapleSlot} of their certificate: no responder can hold one up or make it fail. As long as
 * no certificate names a responder no thread runs, and nothing is loaded for it.
 *
 * <p>May be used from any thread.
 */
public final class Stapling implements AutoCloseable {
    /** Responders that may be waited for at once: those that hang must not keep the others from being asked. */
    private static final int WORKERS = 4;

    /**
     * The part of a response's life that is left when it is near its end. It is asked for again at half of its life,
     * and responders have a new one by then (Baseline Requirements of the CA/Browser Forum, section 4.9.10).
     */
    public static final double NEAR_END = 0.25;

    private final InstantSource clock;
    private final StapleLog log;
    private final Duration answerLimit;
    private final int workers;
    /** Made with the first certificate. */
    private volatile @Nullable RefreshQueue queue;

    /** Does nothing before {@link #round}. */
    public Stapling(InstantSource clock, StapleLog log) {
        this(clock, log, ResponderClient.ANSWER_LIMIT, WORKERS);
    }

    /**
     * Creates the OCSP responses of a gateway.
     *
     * @param answerLimit how long an answer may take
     * @param workers how many threads; 0: {@link #refreshDue} is called instead
     */
    Stapling(InstantSource clock, StapleLog log, Duration answerLimit, int workers) {
        this.clock = clock;
        this.log = log;
        this.answerLimit = answerLimit;
        this.workers = workers;
    }

    /**
     * Begins to collect the certificates of a configuration.
     *
     * @param config null: none is to have responses
     */
    public StapleRound round(@Nullable OcspConfig config) {
        return new StapleRound(this, config, clock);
    }

    /** A certificate that has responses already; null when it has none. */
    @Nullable
    StapledCertificate served(String sha256) {
        RefreshQueue made = queue;
        return made == null ? null : made.served(sha256);
    }

    /** Looks after these from now on, and after no others. */
    synchronized void serve(Map<String, StapledCertificate> next, @Nullable OcspConfig config) {
        RefreshQueue made = queue;
        if (made == null) {
            if (next.isEmpty()) {
                return;
            }
            made = new RefreshQueue(clock, log, new ResponderClient(answerLimit), workers);
            queue = made;
        }
        made.serve(next, config);
    }

    /** Refreshes what is due, on this thread. */
    void refreshDue() throws InterruptedException {
        RefreshQueue made = queue;
        if (made != null) {
            made.refreshDue();
        }
    }

    /** Returns the time at which the next certificate is due; null when there is none. */
    @Nullable
    Instant nextDue() {
        RefreshQueue made = queue;
        return made == null ? null : made.nextDue();
    }

    /** Certificates that are to have a response. */
    public int certificates() {
        return all().size();
    }

    /** Those of them that have one now. */
    public int stapled() {
        return (int) all().stream().filter(each -> each.fetched() != null).count();
    }

    /**
     * The status of one certificate that is to have a response.
     *
     * @param name its name in the configuration
     * @param keyType the kind of its key
     * @param until until when its response is stapled; null when there is none
     * @param lifetime how long that response holds in all
     * @param failure why the last attempt to get one has failed; null: it has not
     */
    public record Standing(
            String name,
            String keyType,
            @Nullable Instant until,
            Duration lifetime,
            @Nullable OcspFailure failure) {}

    /** Returns the status of each certificate that is to have a response. */
    public List<Standing> standings() {
        return all().stream()
                .map(each -> new Standing(
                        each.order().name(),
                        each.order().keyType(),
                        each.slot().until(),
                        each.lifetime(),
                        each.failure()))
                .toList();
    }

    /** Returns the age of the oldest response that is stapled now; zero when there is none. */
    public Duration oldest() {
        Instant now = clock.instant();
        Duration oldest = Duration.ZERO;
        for (StapledCertificate certificate : all()) {
            Instant fetched = certificate.fetched();
            Duration age = fetched == null ? Duration.ZERO : Duration.between(fetched, now);
            oldest = age.compareTo(oldest) > 0 ? age : oldest;
        }
        return oldest;
    }

    /** Clients that got a response with one of the certificates that are served now. */
    public long given() {
        return all().stream().mapToLong(each -> each.slot().given()).sum();
    }

    /** Responses that came and are good. */
    public long fetched() {
        RefreshQueue made = queue;
        return made == null ? 0 : made.refresher().fetched();
    }

    /** Attempts to get one that came to nothing, those included whose answer was that the certificate is revoked. */
    public long failed() {
        RefreshQueue made = queue;
        return made == null ? 0 : made.refresher().failed();
    }

    private Collection<StapledCertificate> all() {
        RefreshQueue made = queue;
        return made == null ? List.of() : made.all();
    }

    /** Ends the threads, and what they wait for. What is stapled stays until its time is over. */
    @Override
    public void close() {
        RefreshQueue made = queue;
        if (made != null) {
            made.close();
        }
    }
}
