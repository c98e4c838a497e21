package dev.sluice.gateway.acme;

import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.List;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;

/** Chains that a server issues. */
final class TestChains {
    private static final TestCertificates AUTHORITY = TestCertificates.shared();

    private TestChains() {}

    static PublicKey key(byte[] request) {
        try {
            return new JcaPEMKeyConverter()
                    .getPublicKey(new PKCS10CertificationRequest(request).getSubjectPublicKeyInfo());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static CertificateRequest request(String... names) {
        return CertificateRequest.named(names[0]).forHosts(names);
    }

    static String certified(PublicKey key, String... names) {
        return pem(AUTHORITY.certify(request(names), key));
    }

    /** Returns the chain of a certificate that begins and ends some days later than others. */
    static String certified(PublicKey key, int days, String... names) {
        return pem(AUTHORITY.certify(request(names).valid(days - 20, days + 100), key));
    }

    static String issued(String name) {
        Credential credential = AUTHORITY.issue(request(name));
        return pem(credential.certificate());
    }

    static String pem(X509Certificate certificate) {
        try {
            return new PemText.Builder().chain(List.of(certificate)).build();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
