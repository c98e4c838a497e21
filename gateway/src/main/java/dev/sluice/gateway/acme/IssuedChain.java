package dev.sluice.gateway.acme;

import dev.sluice.gateway.log.ForeignText;
import dev.sluice.gateway.log.PlainCause;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The check of what a server has issued: nothing is served that was not ordered. The server is trusted to know who
 * trusts it, not to be free of faults.
 */
final class IssuedChain {
    /** A server's clock may be ahead by so much. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofHours(1);

    /** A certificate with less left could not be renewed in time. */
    private static final Duration LEFT_MIN = Duration.ofMinutes(1);

    private static final int LENGTH_MAX = 8;
    /** The tag of a dNSName in a subjectAltName, RFC 5280 section 4.2.1.6. */
    private static final int DNS_NAME = 2;

    private IssuedChain() {}

    /**
     * Requires that a chain is the ordered one.
     *
     * @param chain the certificate first
     * @param names those that were ordered, in lower case
     * @param key the public half of the key that was made for it
     * @throws AcmeFailure naming what is wrong
     */
    static void require(List<X509Certificate> chain, List<String> names, PublicKey key, Instant now)
            throws AcmeFailure {
        if (chain.isEmpty() || chain.size() > LENGTH_MAX) {
            throw refused("it has " + chain.size() + " certificates");
        }
        X509Certificate leaf = chain.getFirst();
        if (!leaf.getPublicKey().equals(key)) {
            throw refused("it is for another key than the one that was made for the order");
        }
        Set<String> issued = names(leaf);
        if (!issued.equals(new HashSet<>(names))) {
            throw refused("it is for " + ForeignText.cut(issued.toString()) + ", and " + names + " was ordered");
        }
        if (leaf.getBasicConstraints() >= 0) {
            throw refused("it is the certificate of an authority");
        }
        requireValid(leaf, now);
        for (int i = 1; i < chain.size(); i++) {
            requireIssued(chain.get(i - 1), chain.get(i));
        }
    }

    /** Returns the DNS names of a certificate, in lower case. */
    static Set<String> names(X509Certificate certificate) {
        Set<String> names = new HashSet<>();
        try {
            Collection<List<?>> all = certificate.getSubjectAlternativeNames();
            for (List<?> each : all == null ? List.<List<?>>of() : all) {
                boolean isName = each.get(0).equals(DNS_NAME);
                names.add(isName ? String.valueOf(each.get(1)).toLowerCase(Locale.ROOT) : each.toString());
            }
        } catch (CertificateParsingException unreadable) {
            names.clear();
        }
        return names;
    }

    private static void requireValid(X509Certificate leaf, Instant now) throws AcmeFailure {
        Instant begin = leaf.getNotBefore().toInstant();
        Instant end = leaf.getNotAfter().toInstant();
        if (begin.isAfter(now.plus(CLOCK_TOLERANCE)) || end.isBefore(now.plus(LEFT_MIN))) {
            throw refused("it is valid from " + begin + " to " + end + ", and here it is " + now
                    + "; check this machine's clock");
        }
    }

    private static void requireIssued(X509Certificate certificate, X509Certificate issuer) throws AcmeFailure {
        try {
            if (!certificate.getIssuerX500Principal().equals(issuer.getSubjectX500Principal())) {
                throw refused("\"" + subject(issuer) + "\" in it has not issued the one before");
            }
            certificate.verify(issuer.getPublicKey());
        } catch (GeneralSecurityException e) {
            throw refused("\"" + subject(issuer) + "\" in it has not signed the one before (" + PlainCause.of(e) + ")");
        }
    }

    private static String subject(X509Certificate certificate) {
        return ForeignText.cut(certificate.getSubjectX500Principal().toString());
    }

    private static AcmeFailure refused(String why) {
        return new AcmeFailure("the issued chain is refused: " + why
                + "; the server is faulty: report it to its operator, or name another");
    }
}
