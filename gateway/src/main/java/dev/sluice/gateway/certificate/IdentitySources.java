package dev.sluice.gateway.certificate;

import dev.sluice.config.certificate.CertificateFiles;
import dev.sluice.tls.certificate.Identity;
import dev.sluice.tls.certificate.IdentitySource;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;

/** Between certificates as they are configured and as TLS loads them. */
public final class IdentitySources {
    private IdentitySources() {}

    /** Returns the source from which TLS loads a certificate and its key. */
    public static IdentitySource of(CertificateFiles files) {
        IdentitySource source =
                files.pkcs12() ? IdentitySource.pkcs12(files.chain()) : IdentitySource.pem(files.chain(), files.key());
        return source.withPassphrase(files.passphrase());
    }

    /**
     * Parses a certificate with the JDK.
     *
     * @throws CertificateException when it makes nothing of it
     */
    static X509Certificate certificate(Identity identity) throws CertificateException {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(identity.certificatePem()));
    }
}
