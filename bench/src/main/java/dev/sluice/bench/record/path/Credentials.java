package dev.sluice.bench.record.path;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/**
 * A server's self-signed certificate, which clients trust, and its key on an elliptic curve.
 *
 * @param chain PEM
 * @param key PEM, PKCS #8
 */
public record Credentials(Path chain, Path key) {
    private static final char[] PASSWORD = "in memory only".toCharArray();

    /** Returns both in a key store for the JDK, protected by {@link #password()}. */
    KeyStore keyStore() throws GeneralSecurityException, IOException {
        Certificate certificate;
        try (var in = Files.newInputStream(chain)) {
            certificate = CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, PASSWORD);
        store.setKeyEntry("server", privateKey(), PASSWORD, new Certificate[] {certificate});
        store.setCertificateEntry("trusted", certificate);
        return store;
    }

    static char[] password() {
        return PASSWORD.clone();
    }

    private PrivateKey privateKey() throws GeneralSecurityException, IOException {
        String base64 = Files.readString(key).replaceAll("-----[A-Z ]+-----|\\s", "");
        byte[] encoded = Base64.getDecoder().decode(base64);
        return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
    }
}
