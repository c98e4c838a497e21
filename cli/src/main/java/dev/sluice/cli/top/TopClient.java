package dev.sluice.cli.top;

import dev.sluice.cli.command.RefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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

/** A client of a gateway's admin endpoint. */
final class TopClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final HttpClient client;
    private final URI admin;
    private final @Nullable Path tokenFile;

    /**
     * Creates an instance.
     *
     * @param admin such as {@code http://127.0.0.1:9900}
     * @param tokenFile file with the token; null for none
     * @param authorities PEM file of trusted authorities; null for Java's
     * @throws RefusedException when one of them cannot be used
     */
    TopClient(String admin, @Nullable Path tokenFile, @Nullable Path authorities) {
        this.admin = uri(admin);
        this.tokenFile = tokenFile;
        HttpClient.Builder builder =
                HttpClient.newBuilder().connectTimeout(TIMEOUT).version(HttpClient.Version.HTTP_1_1);
        if (authorities != null) {
            builder.sslContext(trusting(authorities));
        }
        this.client = builder.build();
    }

    private static URI uri(String text) {
        try {
            URI uri = URI.create(text.contains("://") ? text : "http://" + text).resolve("/");
            if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                return uri;
            }
        } catch (IllegalArgumentException none) {
            // reported below
        }
        throw new RefusedException(
                "--admin is \"" + text + "\"; write the endpoint's URL, such as http://127.0.0.1:9900");
    }

    private static SSLContext trusting(Path authorities) {
        try (InputStream input = Files.newInputStream(authorities)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            int number = 0;
            for (Certificate authority : CertificateFactory.getInstance("X.509").generateCertificates(input)) {
                store.setCertificateEntry("authority-" + number++, authority);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new RefusedException("--ca " + authorities + " cannot be used (" + e + "); name a PEM file");
        }
    }

    /** Returns the gateway's address for display. */
    String place() {
        return admin.getAuthority();
    }

    /**
     * Returns the current snapshot.
     *
     * @throws RefusedException when the gateway does not answer with a snapshot
     */
    JsonView snapshot() throws InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(admin.resolve("/api/snapshot")).timeout(TIMEOUT);
        if (tokenFile != null) {
            request.header("Authorization", "Bearer " + token(tokenFile));
        }
        try {
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return read(response);
        } catch (IOException e) {
            throw new RefusedException(
                    "no gateway answers at " + admin + " (" + e + "); check that it runs, and that its"
                            + " configuration has admin: {address: " + admin.getAuthority() + "}");
        }
    }

    private JsonView read(HttpResponse<String> response) {
        if (response.statusCode() == 401) {
            throw new RefusedException("the gateway at " + admin + " wants "
                    + (tokenFile == null
                            ? "a token; name its file by --token-file"
                            : "another token than that of " + tokenFile));
        }
        if (response.statusCode() != 200) {
            throw new RefusedException(admin + " answers with status " + response.statusCode() + ": "
                    + response.body().lines().findFirst().orElse("") + "; check the address after --admin");
        }
        try {
            return JsonView.parse(response.body());
        } catch (IllegalArgumentException e) {
            throw new RefusedException(
                    "what answers at " + admin + " is no admin endpoint of a gateway; check the address after --admin");
        }
    }

    private static String token(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new RefusedException("--token-file " + file + " cannot be read (" + e + ")");
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
