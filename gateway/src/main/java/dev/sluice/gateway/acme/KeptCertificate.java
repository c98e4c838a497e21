package dev.sluice.gateway.acme;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;

/**
 * A certificate that was issued before.
 *
 * @param server the directory of the ACME server that issued it
 * @param chain the certificate first
 */
record KeptCertificate(String server, List<X509Certificate> chain) {
    /** Copies the list. */
    KeptCertificate {
        chain = List.copyOf(chain);
    }

    /** Returns the certificate itself. */
    X509Certificate leaf() {
        return chain.getFirst();
    }

    /** Returns the end of its validity. */
    Instant notAfter() {
        return leaf().getNotAfter().toInstant();
    }

    /** Returns true when it is for these names, and no others. */
    boolean isFor(List<String> names) {
        return IssuedChain.names(leaf()).equals(new HashSet<>(names));
    }
}
