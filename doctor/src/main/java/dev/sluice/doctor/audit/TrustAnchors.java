package dev.sluice.doctor.audit;

import dev.sluice.cost.figures.CostException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/** The trusted authorities by name. */
public final class TrustAnchors {
    /** The authority bundles of common systems. */
    private static final List<Path> SYSTEM_BUNDLES = List.of(
            Path.of("/etc/ssl/certs/ca-certificates.crt"),
            Path.of("/etc/pki/tls/certs/ca-bundle.crt"),
            Path.of("/etc/ssl/ca-bundle.pem"),
            Path.of("/etc/ssl/cert.pem"));

    private final Map<X500Principal, List<X509Certificate>> byName = new HashMap<>();
    private final String source;

    private TrustAnchors(String source) {
        this.source = source;
    }

    /**
     * Reads the authorities.
     *
     * @param files PEM; empty for the system's
     * @throws CostException when a file cannot be read
     */
    public static TrustAnchors of(List<Path> files) {
        List<Path> read = files.isEmpty()
                ? SYSTEM_BUNDLES.stream().filter(Files::isReadable).limit(1).toList()
                : files;
        TrustAnchors anchors =
                new TrustAnchors(read.isEmpty() ? "none" : read.getFirst().toString());
        read.forEach(anchors::read);
        return anchors;
    }

    private void read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                X509Certificate certificate = (X509Certificate) each;
                byName.computeIfAbsent(certificate.getSubjectX500Principal(), name -> new ArrayList<>())
                        .add(certificate);
            }
        } catch (IOException | GeneralSecurityException e) {
            throw new CostException("--ca " + file + " cannot be read (" + e.getMessage() + "); use a PEM file", e);
        }
    }

    /** Returns the source of the authorities. */
    String source() {
        return source;
    }

    /** Returns whether a certificate is one of them. */
    boolean contains(X509Certificate certificate) {
        return byName.getOrDefault(certificate.getSubjectX500Principal(), List.of())
                .contains(certificate);
    }

    /** Returns the authority that signed a certificate; null for none. */
    @Nullable
    X509Certificate issuerOf(X509Certificate certificate) {
        for (X509Certificate each : byName.getOrDefault(certificate.getIssuerX500Principal(), List.of())) {
            if (hasSigned(each, certificate)) {
                return each;
            }
        }
        return null;
    }

    /** Returns whether one certificate's key signed another certificate. */
    static boolean hasSigned(X509Certificate issuer, X509Certificate certificate) {
        if (!issuer.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())) {
            return false;
        }
        try {
            certificate.verify(issuer.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
