package dev.sluice.tls;

import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.X509;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A certificate chain and its key, still as PEM.
 *
 * @param chain the certificate first, then the intermediates
 * @param key the private key
 */
record Identity(PemSource chain, PemSource key) {
    private static final String ENCRYPTED = "ENCRYPTED";

    /**
     * Puts both into a context, after checks whose errors name the files.
     *
     * @throws TlsConfigurationException naming value, cause and remedy
     */
    CertificateSummary useIn(SslCtx context, boolean expiredAllowed) {
        List<X509> certificates = certificates(chain, "certificate chain");
        try (EvpPkey privateKey = privateKey()) {
            X509 certificate = certificates.getFirst();
            requireMatch(certificate, privateKey);
            if (!expiredAllowed) {
                requireValid(certificate);
            }
            context.useCertificate(certificate, privateKey, certificates.subList(1, certificates.size()));
            return new CertificateSummary(
                    chain.name(),
                    certificate.subject(),
                    certificate.notAfter(),
                    Fingerprint.text(certificate.sha256()));
        } catch (OpenSslException e) {
            throw new TlsConfigurationException(
                    "OpenSSL refuses the certificate " + chain + " with the key " + key + ": " + e.getMessage()
                            + "; a key of 2048 bits RSA or P-256 is accepted everywhere",
                    e);
        } finally {
            certificates.forEach(X509::close);
        }
    }

    /** Reads certificates; the caller closes them. */
    static List<X509> certificates(PemSource source, String what) {
        try {
            return X509.allFromPem(source.read(what));
        } catch (OpenSslException e) {
            throw new TlsConfigurationException(
                    what + " not usable: " + source + " holds no certificate that OpenSSL can read (" + e.getMessage()
                            + "); it must begin with -----BEGIN CERTIFICATE----- and be complete",
                    e);
        }
    }

    private EvpPkey privateKey() {
        byte[] pem = key.read("private key");
        try {
            if (new String(pem, StandardCharsets.ISO_8859_1).contains(ENCRYPTED)) {
                throw new TlsConfigurationException("private key is encrypted: " + key
                        + "; decrypt it with: openssl pkey -in " + key + " -out decrypted.key, readable by this"
                        + " process's user only");
            }
            return EvpPkey.fromPem(pem);
        } catch (OpenSslException e) {
            throw new TlsConfigurationException(
                    "private key not usable: " + key + " holds no key that OpenSSL can read (" + e.getMessage()
                            + "); it must begin with -----BEGIN PRIVATE KEY----- or the like and be complete",
                    e);
        } finally {
            Arrays.fill(pem, (byte) 0);
        }
    }

    private void requireMatch(X509 certificate, EvpPkey privateKey) {
        if (!certificate.matches(privateKey)) {
            throw new TlsConfigurationException("key does not fit certificate: key " + key + ", certificate " + chain
                    + " (" + certificate.subject() + "); the first certificate in the file must be the one that was"
                    + " issued for this key");
        }
    }

    private void requireValid(X509 certificate) {
        if (certificate.isExpired()) {
            throw new TlsConfigurationException("certificate has expired: " + chain + " (" + certificate.subject()
                    + ") was valid until " + certificate.notAfter() + "; renew it");
        }
        if (certificate.isNotYetValid()) {
            throw new TlsConfigurationException("certificate is not valid yet: " + chain + " ("
                    + certificate.subject() + ") is valid from " + certificate.notBefore()
                    + "; wait, or check this machine's clock");
        }
    }
}
