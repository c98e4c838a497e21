package dev.sluice.tls;

import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.OpenSslConstants;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.Pkcs12;
import dev.sluice.ffi.openssl.X509;
import java.util.List;

/**
 * What was found in the files of a certificate, as it was found there. The maker's caller owns all of it.
 *
 * @param key the private key
 * @param certificates in any order
 */
record KeyMaterial(EvpPkey key, List<X509> certificates) {
    private static final String ENCRYPTED = "ENCRYPTED";

    /** Of PEM texts; see {@link IdentitySource#open}. */
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
                        + "; name a file with its passphrase (passphrase-file), or decrypt it with: openssl pkey -in "
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
                        "private key does not open: " + source.key() + " with the passphrase in " + source.passphrase()
                                + " (" + e.getMessage() + "); try it with: openssl pkey -in " + source.key()
                                + " -noout -passin file:" + source.passphrase(),
                        e);
            }
            throw new TlsConfigurationException(
                    "private key not usable: " + source.key() + " holds no key that OpenSSL can read ("
                            + e.getMessage() + "); it must begin with -----BEGIN PRIVATE KEY----- or the like and be"
                            + " complete",
                    e);
        }
    }

    /** Of a PKCS #12 file; see {@link IdentitySource#open}. */
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
                    ? "it is encrypted: name a file with its passphrase (passphrase-file)"
                    : "the passphrase in " + source.passphrase() + " is not this file's";
        }
        return "if it was made long ago, write it anew with ciphers of today: openssl pkcs12 -legacy -in "
                + source.key() + " -nodes | openssl pkcs12 -export -out new.p12";
    }

    /** Gives all of it back. */
    void close() {
        key.close();
        certificates.forEach(X509::close);
    }
}
