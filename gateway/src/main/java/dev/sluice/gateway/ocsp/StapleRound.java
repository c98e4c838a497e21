package dev.sluice.gateway.ocsp;

import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.OcspConfig;
import dev.sluice.gateway.ocsp.StapledCertificate.Order;
import dev.sluice.tls.certificate.StapleSlot;
import dev.sluice.tls.certificate.StapleSource;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of one configuration that are to have responses. Nothing is fetched before {@link #commit}, so that
 * a configuration which is refused leaves no trace. A certificate that was served before keeps its response. Filled by
 * one thread; its sources may be asked from any thread, and later on.
 */
public final class StapleRound {
    private static final HexFormat PAIRS = HexFormat.ofDelimiter(":").withUpperCase();

    private final Stapling stapling;
    private final @Nullable OcspConfig config;
    private final InstantSource clock;
    /** The certificates by fingerprint. */
    private final Map<String, StapledCertificate> found = new ConcurrentHashMap<>();

    StapleRound(Stapling stapling, @Nullable OcspConfig config, InstantSource clock) {
        this.stapling = stapling;
        this.config = config;
        this.clock = clock;
    }

    /** Returns the responder that would be asked about a certificate; null when it is to have no response. */
    public @Nullable URI responder(CertificateConfig certificate, KeyPairFiles pair) {
        return config == null ? null : certificate.ocsp().responderOf(pair);
    }

    /**
     * One that is to have responses.
     *
     * @param responder who is asked
     * @param chain PEM: the certificate, then what leads to its root
     * @return where they will be
     * @throws GeneralSecurityException when the JDK cannot read the certificate, and nobody can be asked about it
     */
    public StapleSlot add(CertificateConfig certificate, KeyPairFiles pair, URI responder, byte[] chain)
            throws GeneralSecurityException {
        X509Certificate first = CertificatePair.first(chain);
        Order order = new Order(
                PAIRS.formatHex(MessageDigest.getInstance("SHA-256").digest(first.getEncoded())),
                certificate.name(),
                pair.keyType(),
                responder,
                certificate.ocsp().issuers(),
                pair.revocation().mustStaple());
        return found.computeIfAbsent(order.sha256(), sha256 -> stapled(order, chain))
                .slot();
    }

    private StapledCertificate stapled(Order order, byte[] chain) {
        StapledCertificate before = stapling.served(order.sha256());
        return before != null && before.order().equals(order)
                ? before
                : new StapledCertificate(order, chain, new StapleSlot(clock));
    }

    /** Returns the source for contexts with a certificate, whenever they are built; null when it has no responses. */
    public @Nullable StapleSource source(CertificateConfig certificate) {
        boolean isAskedAbout = certificate.keyPairs().stream().anyMatch(pair -> responder(certificate, pair) != null);
        return isAskedAbout ? this::slot : null;
    }

    private @Nullable StapleSlot slot(String sha256) {
        StapledCertificate certificate = found.get(sha256);
        return certificate == null ? null : certificate.slot();
    }

    /** The configuration is served from now on. */
    public void commit() {
        stapling.serve(found, config);
    }
}
