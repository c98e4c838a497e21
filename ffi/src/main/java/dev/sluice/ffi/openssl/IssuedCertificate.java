package dev.sluice.ffi.openssl;

import static dev.sluice.ffi.openssl.raw.OpenSslConstants.NID_basic_constraints;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.NID_ext_key_usage;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.NID_key_usage;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.NID_subject_alt_name;

import dev.sluice.ffi.openssl.raw.LibCrypto;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A factory for certificates signed by an authority, for measurements and tests that need a chain. */
public final class IssuedCertificate {
    private IssuedCertificate() {}

    /**
     * Creates a self-signed root authority.
     *
     * @return the caller closes it
     */
    public static X509 root(EvpPkey key, String commonName, Duration validity) {
        return make(key, commonName, validity, null, key, IssuedCertificate::describeAuthority);
    }

    /** Creates an intermediate authority. The caller closes it. */
    public static X509 authority(EvpPkey key, String commonName, Duration validity, X509 issuer, EvpPkey issuerKey) {
        return make(key, commonName, validity, issuer, issuerKey, IssuedCertificate::describeAuthority);
    }

    /**
     * Creates a certificate for TLS servers.
     *
     * @param key its public half is certified
     * @param hosts subject alternative names: DNS names and IP addresses; the first is the common name too
     * @param issuerKey signs with SHA-256: RSA or ECDSA
     * @return the caller closes it
     */
    public static X509 server(EvpPkey key, List<String> hosts, Duration validity, X509 issuer, EvpPkey issuerKey) {
        return make(key, hosts.getFirst(), validity, issuer, issuerKey, certificate -> {
            SelfSignedCertificate.addExtension(certificate, NID_basic_constraints, "critical,CA:FALSE");
            SelfSignedCertificate.addExtension(certificate, NID_key_usage, "critical,digitalSignature");
            SelfSignedCertificate.addExtension(certificate, NID_ext_key_usage, "serverAuth");
            SelfSignedCertificate.addExtension(
                    certificate, NID_subject_alt_name, SelfSignedCertificate.alternativeNames(hosts));
        });
    }

    private static void describeAuthority(long certificate) {
        SelfSignedCertificate.addExtension(certificate, NID_basic_constraints, "critical,CA:TRUE");
        SelfSignedCertificate.addExtension(certificate, NID_key_usage, "critical,keyCertSign,cRLSign");
    }

    private static X509 make(
            EvpPkey key,
            String commonName,
            Duration validity,
            @Nullable X509 issuer,
            EvpPkey issuerKey,
            LongConsumer extensions) {
        ErrorQueue.clear();
        X509 certificate = new X509(LibCrypto.X509_new(), "X509_new");
        try {
            long address = certificate.address();
            SelfSignedCertificate.fill(address, key, commonName, validity);
            if (issuer != null) {
                int named = LibCrypto.X509_set_issuer_name(address, LibCrypto.X509_get_subject_name(issuer.address()));
                SelfSignedCertificate.require(named == 1, "X509_set_issuer_name");
            }
            extensions.accept(address);
            // X509_sign returns the signature's length.
            int signed = LibCrypto.X509_sign(address, issuerKey.address(), LibCrypto.EVP_sha256());
            SelfSignedCertificate.require(signed > 0, "X509_sign");
            return certificate;
        } catch (RuntimeException e) {
            certificate.close();
            throw e;
        }
    }
}
