package dev.sluice.tls.certificate;

import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.X509;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A certificate and its path to the root, in the order in which TLS sends them (RFC 8446 section 4.4.2), whatever the
 * order of the input. The root is omitted, since clients either have it or do not trust it.
 */
final class CertificateChain {
    private final String source;
    private final List<X509> rest;
    private final List<X509> intermediates = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final @Nullable X509 leaf;
    private @Nullable X509 root;

    private CertificateChain(String source, List<X509> all, EvpPkey key) {
        this.source = source;
        this.rest = new ArrayList<>(all);
        this.leaf = takeLeaf(key);
        if (leaf != null && !rest.isEmpty()) {
            takeIntermediates(leaf);
            dropTheRest(leaf);
        }
    }

    /**
     * Sorts a chain.
     *
     * @param source the name in warnings
     * @param all owned by the chain from now on, which closes unneeded ones
     * @param key the private key of the leaf
     */
    static CertificateChain sorted(String source, List<X509> all, EvpPkey key) {
        return new CertificateChain(source, all, key);
    }

    /** Returns the certificate for the key; null when there is none, in which case nothing was closed. */
    @Nullable
    X509 leaf() {
        return leaf;
    }

    /** Returns the intermediates in order: each issued the one before it, the first one the leaf. */
    List<X509> intermediates() {
        return intermediates;
    }

    /** Returns the root that issued the leaf itself; not sent, but needed for OCSP requests. Null when absent. */
    @Nullable
    X509 root() {
        return root;
    }

    /** Returns the warnings about omitted certificates, a sentence each. */
    List<String> warnings() {
        return warnings;
    }

    private @Nullable X509 takeLeaf(EvpPkey key) {
        for (X509 candidate : rest) {
            if (candidate.matches(key)) {
                rest.remove(candidate);
                return candidate;
            }
        }
        return null;
    }

    private void takeIntermediates(X509 from) {
        X509 last = from;
        while (last != null) {
            last = takeIssuer(last);
            if (last != null) {
                intermediates.add(last);
                warnIfExpired(last);
            }
        }
    }

    private @Nullable X509 takeIssuer(X509 of) {
        for (X509 candidate : rest) {
            if (candidate.hasIssued(of) && !candidate.isSelfSigned()) {
                rest.remove(candidate);
                return candidate;
            }
        }
        return null;
    }

    private void warnIfExpired(X509 intermediate) {
        if (intermediate.isExpired()) {
            warnings.add("the intermediate " + intermediate.subject() + " in " + source + " expired at "
                    + intermediate.notAfter() + "; clients may reject the chain; get a new one from the authority");
        }
    }

    private void dropTheRest(X509 certificate) {
        Set<String> sent = new HashSet<>();
        sent.add(Fingerprint.text(certificate.sha256()));
        intermediates.forEach(each -> sent.add(Fingerprint.text(each.sha256())));
        for (X509 dropped : rest) {
            String what = source + " holds " + dropped.subject();
            if (!sent.add(Fingerprint.text(dropped.sha256()))) {
                warnings.add(what + " twice; remove one");
            } else if (root == null && dropped.isSelfSigned() && dropped.hasIssued(certificate)) {
                root = dropped;
                continue;
            } else if (dropped.isSelfSigned()) {
                warnings.add(what + ", a root, which is not sent since clients have it or do not trust it; remove it");
            } else {
                warnings.add(what + ", which does not belong to the chain of " + certificate.subject()
                        + " and is not sent; remove it");
            }
            dropped.close();
        }
        rest.clear();
    }
}
