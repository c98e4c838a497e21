package dev.sluice.tls;

import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.X509;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A certificate and those that lead from it to its root, in the order in which TLS sends them (RFC 8446 section 4.4.2),
 * whatever their order was. The root is left out, since clients have it or do not trust it.
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
     * Sorts.
     *
     * @param source what warnings call it
     * @param all the chain's from now on: those that are not needed are closed
     * @param key what the leaf is for
     */
    static CertificateChain sorted(String source, List<X509> all, EvpPkey key) {
        return new CertificateChain(source, all, key);
    }

    /** The certificate that the key is for; null when there is none, and nothing was closed then. */
    @Nullable
    X509 leaf() {
        return leaf;
    }

    /** Each has issued the one before it; the first one, the leaf. */
    List<X509> intermediates() {
        return intermediates;
    }

    /**
     * The root that has issued the leaf itself: not sent, but whom an OCSP responder knows the leaf by; null: none is
     * there.
     */
    @Nullable
    X509 root() {
        return root;
    }

    /** What was left out, a sentence each. */
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
                    + intermediate.notAfter() + "; clients may refuse the chain, get a new one from the authority");
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
                warnings.add(what + ", a root, which is not sent, for clients have it or do not trust it; remove it");
            } else {
                warnings.add(what + ", which does not belong to the chain of " + certificate.subject()
                        + " and is not sent; remove it");
            }
            dropped.close();
        }
        rest.clear();
    }
}
