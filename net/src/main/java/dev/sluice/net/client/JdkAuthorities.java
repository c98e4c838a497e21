package dev.sluice.net.client;

import dev.sluice.tls.certificate.PemSource;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.Collections;
import org.jspecify.annotations.Nullable;

/**
 * The authorities that the JDK trusts, as PEM text: those of the file that {@code javax.net.ssl.trustStore} names, else
 * of {@code lib/security/jssecacerts}, else of {@code lib/security/cacerts}.
 */
final class JdkAuthorities {
    private static final String PROPERTY = "javax.net.ssl.trustStore";
    private static final Base64.Encoder BASE64 = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

    private JdkAuthorities() {}

    /**
     * Reads them.
     *
     * @throws TlsConfigurationException when the file cannot be read, or holds none
     */
    static PemSource load() {
        Path file = file();
        try {
            String password = System.getProperty(PROPERTY + "Password");
            KeyStore store = KeyStore.getInstance(file.toFile(), password == null ? null : password.toCharArray());
            return PemSource.bytes(file.toString(), pem(store, file));
        } catch (IOException | GeneralSecurityException e) {
            throw new TlsConfigurationException(
                    "the JDK's trust store is not readable: " + file + " (" + e.getMessage() + "); correct " + PROPERTY
                            + " and " + PROPERTY + "Password, or call trust(file) or trustSystem()",
                    e);
        }
    }

    private static Path file() {
        @Nullable String named = System.getProperty(PROPERTY);
        if (named != null && !named.isEmpty()) {
            return Path.of(named);
        }
        Path security = Path.of(System.getProperty("java.home", ""), "lib", "security");
        Path own = security.resolve("jssecacerts");
        return Files.exists(own) ? own : security.resolve("cacerts");
    }

    private static byte[] pem(KeyStore store, Path file) throws GeneralSecurityException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (String alias : Collections.list(store.aliases())) {
            Certificate certificate = store.getCertificate(alias);
            if (certificate != null && store.isCertificateEntry(alias)) {
                text.writeBytes("-----BEGIN CERTIFICATE-----\n".getBytes(StandardCharsets.US_ASCII));
                text.writeBytes(BASE64.encode(certificate.getEncoded()));
                text.writeBytes("\n-----END CERTIFICATE-----\n".getBytes(StandardCharsets.US_ASCII));
            }
        }
        if (text.size() == 0) {
            throw new TlsConfigurationException("the JDK's trust store is empty: " + file
                    + "; call trust(file) or trustSystem(), or install the package ca-certificates-java");
        }
        return text.toByteArray();
    }
}
