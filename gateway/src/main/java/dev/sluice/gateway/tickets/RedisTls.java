package dev.sluice.gateway.tickets;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The authorities from which a {@code rediss://} store's certificate must come, in the form in which the client library
 * takes them: a PKCS #12 store in memory, of certificates only.
 */
final class RedisTls {
    /** It protects nothing: the form wants one. */
    private static final char[] PASSWORD = "public".toCharArray();

    static final String TYPE = "PKCS12";

    private final byte @Nullable [] store;

    private RedisTls(byte @Nullable [] store) {
        this.store = store;
    }

    /**
     * Trusts.
     *
     * @param authorities PEM; null: those that the JDK trusts
     * @throws TicketKeyException naming value, cause and remedy
     */
    static RedisTls trusting(@Nullable Path authorities) throws TicketKeyException {
        if (authorities == null) {
            return new RedisTls(null);
        }
        try (InputStream input = Files.newInputStream(authorities)) {
            return new RedisTls(store(CertificateFactory.getInstance("X.509").generateCertificates(input)));
        } catch (GeneralSecurityException | IOException e) {
            throw new TicketKeyException(
                    "store-ca " + authorities + " not usable (" + e.getMessage()
                            + "); it should hold the authorities' certificates in PEM",
                    e);
        }
    }

    private static byte[] store(Collection<? extends Certificate> authorities)
            throws GeneralSecurityException, IOException {
        if (authorities.isEmpty()) {
            throw new CertificateException("no certificate found");
        }
        KeyStore store = KeyStore.getInstance(TYPE);
        store.load(null, null);
        int number = 0;
        for (Certificate authority : authorities) {
            store.setCertificateEntry("authority-" + number++, authority);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        store.store(bytes, PASSWORD);
        return bytes.toByteArray();
    }

    /** The store; null: the JDK's own. */
    byte @Nullable [] store() {
        return store;
    }

    /** The store's password. */
    static char[] password() {
        return PASSWORD.clone();
    }
}
