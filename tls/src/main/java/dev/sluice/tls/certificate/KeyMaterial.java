package dev.sluice.tls.certificate;

import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.Pkcs12;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.util.List;

/**
 * The contents of a certificate's files, unprocessed. The caller of the factory method owns all of it.
 *
 * @param key the private key
 * @param certificates the certificates, in any order
 */
record KeyMaterial(EvpPkey key, List<X509> certificates) {
    private static final String ENCRYPTED = "ENCRYPTED";

    /** Reads PEM texts; see {@link IdentitySource#open}. */
    static KeyMaterial ofPem(IdentitySource source) {
        List<X509> certificates = Identity.certificates(source.certificates(), "certificate chain");
        try {
            return new KeyMaterial(pemKey(source), certificates);
        } catch (RuntimeException e) {
            certificates.forEach(X509::close);
            throw e;
        }
    }

    private static EvpPkey pemKey(IdentitySource source) {
        try (SecretBytes pem = source.key().read("private key")) {
            if (pem.contains(ENCRYPTED) && source.passphrase() == null) {
                throw new TlsConfigurationException("private key is encrypted: " + source.key()
                        + "; set passphrase-file, or decrypt it with: openssl pkey -in "
                        + source.key() + " -out decrypted.key, readable by this process's user only");
            }
            return pemKey(source, pem);
        }
    }

    private static EvpPkey pemKey(IdentitySource source, SecretBytes pem) {
        try (SecretBytes passphrase = source.readPassphrase()) {
            return EvpPkey.fromPem(pem.bytes(), passphrase.terminated());
        } catch (OpenSslException e) {
            if (pem.contains(ENCRYPTED)) {
                throw new TlsConfigurationException(
                        "private key not usable: " + source.key() + " does not decrypt with the passphrase in "
                                + source.passphrase() + " (" + e.getMessage() + "); check: openssl pkey -in "
                                + source.key() + " -noout -passin file:" + source.passphrase(),
                        e);
            }
            throw new TlsConfigurationException(
                    "private key not usable: " + source.key() + " holds no key that OpenSSL can read ("
                            + e.getMessage() + "); it must begin with -----BEGIN PRIVATE KEY----- or the like and be"
                            + " complete",
                    e);
        }
    }

    /** Reads a PKCS #12 file; see {@link IdentitySource#open}. */
    static KeyMaterial ofPkcs12(IdentitySource source) {
        try (SecretBytes file = source.key().readAny("PKCS #12 file");
                SecretBytes passphrase = source.readPassphrase()) {
            Pkcs12 opened = Pkcs12.open(file.bytes(), passphrase.terminated());
            return new KeyMaterial(opened.key(), opened.certificates());
        } catch (OpenSslException e) {
            throw new TlsConfigurationException(
                    "PKCS #12 file not usable: " + source.key() + " (" + e.getMessage() + "); " + remedy(source, e), e);
        }
    }

    private static String remedy(IdentitySource source, OpenSslException e) {
        if (e.has(OpenSslConstants.ERR_LIB_PKCS12, OpenSslConstants.PKCS12_R_MAC_VERIFY_FAILURE)) {
            return source.passphrase() == null
                    ? "it is encrypted; set passphrase-file"
                    : "the passphrase in " + source.passphrase() + " is wrong";
        }
        return "an old file may use legacy ciphers; convert it: openssl pkcs12 -legacy -in " + source.key()
                + " -nodes | openssl pkcs12 -export -out new.p12";
    }

    /** Frees all of it. */
    void close() {
        key.close();
        certificates.forEach(X509::close);
    }
}
