package dev.sluice.gateway.ocsp;

import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.gateway.log.PlainCause;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A certificate and that of who issued it, whom a responder knows it by.
 *
 * @param certificate the certificate
 * @param issuer has signed it
 */
record CertificatePair(X509Certificate certificate, X509Certificate issuer) {
    /** The remedy when {@link #find} finds none. */
    public static final String UNKNOWN_ISSUER =
            "the certificate of its issuer is not known, without which no responder can be asked;"
                    + " put it into the chain, of which a root is not sent, or name its file by ocsp: {issuer: FILE}";

    /**
     * The certificate alone.
     *
     * @param chain PEM: the certificate, then others
     * @throws CertificateException when it cannot be read
     */
    static X509Certificate first(byte[] chain) throws CertificateException {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(chain));
    }

    /**
     * Looks for the issuer.
     *
     * @param chain PEM: the certificate, then others in any order
     * @param more PEM file with more of them; null: none
     * @return null when the issuer is not among them
     * @throws CertificateException when the chain cannot be read
     */
    static @Nullable CertificatePair find(byte[] chain, @Nullable Path more) throws CertificateException {
        List<X509Certificate> known = parse(chain);
        return known.isEmpty() ? null : find(known.getFirst(), known, more);
    }

    /**
     * The same of a chain in any order.
     *
     * @param sha256 the certificate's fingerprint
     */
    static @Nullable CertificatePair find(byte[] chain, String sha256, @Nullable Path more)
            throws CertificateException {
        List<X509Certificate> known = parse(chain);
        for (X509Certificate candidate : known) {
            if (KeyPairFiles.fingerprint(candidate).equals(sha256)) {
                return find(candidate, known, more);
            }
        }
        return find(chain, more);
    }

    private static @Nullable CertificatePair find(
            X509Certificate certificate, List<X509Certificate> chain, @Nullable Path more) throws CertificateException {
        List<X509Certificate> known = new ArrayList<>(chain);
        known.remove(certificate);
        if (more != null) {
            known.addAll(read(more));
        }
        for (X509Certificate candidate : known) {
            if (hasIssued(candidate, certificate)) {
                return new CertificatePair(certificate, candidate);
            }
        }
        return null;
    }

    private static boolean hasIssued(X509Certificate candidate, X509Certificate certificate) {
        if (!candidate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())) {
            return false;
        }
        try {
            certificate.verify(candidate.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static List<X509Certificate> read(Path file) throws CertificateException {
        try {
            return parse(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new CertificateException("cannot be read: " + file + " (" + PlainCause.of(e) + ")", e);
        }
    }

    private static List<X509Certificate> parse(byte[] pem) throws CertificateException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Certificate each :
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem))) {
            certificates.add((X509Certificate) each);
        }
        return certificates;
    }
}
