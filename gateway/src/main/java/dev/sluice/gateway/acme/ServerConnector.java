package dev.sluice.gateway.acme;

import dev.sluice.config.acme.AcmeAccount;
import dev.sluice.gateway.log.PlainCause;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.connector.NetworkSettings;
import org.shredzone.acme4j.provider.GenericAcmeProvider;

/** The library's way to an ACME server: any directory, with the authorities that the configuration names. */
final class ServerConnector extends GenericAcmeProvider {
    /** The time limit for a connection, and for the head of an answer. */
    static final Duration REQUEST_LIMIT = Duration.ofSeconds(20);

    private final @Nullable SSLContext trust;

    private ServerConnector(@Nullable SSLContext trust) {
        this.trust = trust;
    }

    static ServerConnector of(AcmeAccount account) throws AcmeFailure {
        Path authorities = account.authorities();
        if (authorities == null) {
            return new ServerConnector(null);
        }
        try (InputStream pem = Files.newInputStream(authorities)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry("authority-" + store.size(), each);
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return new ServerConnector(context);
        } catch (IOException | GeneralSecurityException e) {
            throw new AcmeFailure(
                    "server-ca " + authorities + " cannot be used (" + PlainCause.of(e)
                            + "); it should hold the authorities' certificates in PEM",
                    e);
        }
    }

    @Override
    public HttpClient createHttpClient(NetworkSettings settings) {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .connectTimeout(REQUEST_LIMIT)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .proxy(settings.getProxySelector());
        if (trust != null) {
            builder.sslContext(trust);
        }
        return builder.build();
    }
}
