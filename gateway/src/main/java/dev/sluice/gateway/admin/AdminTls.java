package dev.sluice.gateway.admin;

import dev.sluice.config.certificate.PemKey;
import dev.sluice.config.model.AdminTlsConfig;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * TLS of the endpoint itself. It is the JDK's: the endpoint has to answer when the gateway's own is what is broken, and
 * serves a few clients.
 */
final class AdminTls {
    private static final char[] IN_MEMORY = new char[0];

    private final SSLContext context;
    private final boolean clientsMustShowCertificates;

    private AdminTls(SSLContext context, boolean clientsMustShowCertificates) {
        this.context = context;
        this.clientsMustShowCertificates = clientsMustShowCertificates;
    }

    /** Reads the files that the configuration names. */
    static AdminTls of(AdminTlsConfig config) throws IOException, GeneralSecurityException {
        KeyStore own = emptyStore();
        own.setKeyEntry(
                "admin",
                PemKey.read(config.key()),
                IN_MEMORY,
                certificates(config.certificate()).toArray(Certificate[]::new));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, IN_MEMORY);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trusted(config.clientAuthorities()), null);
        return new AdminTls(context, config.clientAuthorities() != null);
    }

    private static TrustManager @Nullable [] trusted(@Nullable Path authorities)
            throws IOException, GeneralSecurityException {
        if (authorities == null) {
            return null;
        }
        KeyStore store = emptyStore();
        int number = 0;
        for (Certificate authority : certificates(authorities)) {
            store.setCertificateEntry("authority-" + number++, authority);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return trust.getTrustManagers();
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Collection<? extends Certificate> certificates(Path file)
            throws IOException, GeneralSecurityException {
        try (InputStream input = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificates(input);
        }
    }

    /**
     * Speaks TLS on a connection, from the first read or write on.
     *
     * @return which closes the connection, too
     */
    Socket over(Socket connection) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(connection, null, true);
        socket.setUseClientMode(false);
        socket.setNeedClientAuth(clientsMustShowCertificates);
        return socket;
    }
}
