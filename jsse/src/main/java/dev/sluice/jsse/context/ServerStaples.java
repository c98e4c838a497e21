package dev.sluice.jsse.context;

import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.ocsp.OcspQuestion;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.URI;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The OCSP responses that servers staple to their certificates (RFC 6066 section 8, RFC 8446 section 4.4.2.1), asked of
 * responders over HTTP and kept while they are valid. A certificate is asked about once at a time. Thread-safe.
 *
 * <p>A handshake waits for the first response, as SunJSSE does, and at most for the timeout; without one it goes on
 * without a staple, and none waits again until {@link #FAILURE_SECONDS} have passed. An invalid response counts as
 * none.
 */
final class ServerStaples {
    /** The time after which a responder that failed is asked again. */
    static final long FAILURE_SECONDS = 60;

    /** The size from which on a response is rejected. */
    private static final int MAX_RESPONSE_BYTES = 64 * 1024;

    private static final int HTTP_OK = 200;
    private static final Logger LOG = System.getLogger(ServerStaples.class.getName());

    private final StaplingSettings settings;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<X509Certificate, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    /** A response that is known or awaited; null inside for none. */
    private static final class Entry {
        private final CompletableFuture<byte @Nullable []> response = new CompletableFuture<>();
        private volatile long endNanos;

        boolean isUsable() {
            return !response.isDone() || System.nanoTime() - endNanos < 0;
        }

        void complete(byte @Nullable [] answer, long seconds) {
            endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            response.complete(answer);
        }
    }

    ServerStaples(StaplingSettings settings) {
        this.settings = settings;
    }

    /**
     * Returns the response for a certificate, waiting for it if necessary.
     *
     * @param chain the certificate and its issuer; without the issuer there is no question to ask
     * @return null for none
     */
    byte @Nullable [] responseFor(List<X509Certificate> chain) {
        if (chain.size() < 2) {
            return null;
        }
        try {
            return entry(chain).response.get(settings.timeoutMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (TimeoutException | ExecutionException e) {
            return null;
        }
    }

    private Entry entry(List<X509Certificate> chain) {
        lock.lock();
        try {
            Entry known = entries.get(chain.getFirst());
            if (known != null && known.isUsable()) {
                return known;
            }
            Entry asked = new Entry();
            entries.put(chain.getFirst(), asked);
            evict();
            Thread.ofVirtual().name("sluice-jsse-ocsp").start(() -> ask(chain, asked));
            return asked;
        } finally {
            lock.unlock();
        }
    }

    private void evict() {
        Iterator<Entry> oldest = entries.values().iterator();
        while (settings.cacheEntries() > 0 && entries.size() > settings.cacheEntries()) {
            oldest.next();
            oldest.remove();
        }
    }

    private void ask(List<X509Certificate> chain, Entry entry) {
        try (X509 certificate = X509.fromDer(chain.get(0).getEncoded());
                X509 issuer = X509.fromDer(chain.get(1).getEncoded());
                OcspQuestion question = OcspQuestion.about(certificate, issuer)) {
            byte[] response = send(responder(certificate), question.request());
            long seconds = question.checked(response);
            entry.complete(response, Math.min(seconds, settings.cacheSeconds()));
        } catch (IOException | CertificateEncodingException | RuntimeException e) {
            LOG.log(
                    Level.WARNING,
                    "no OCSP response to staple, certificate={0}, asked again in {1} s: {2}",
                    chain.getFirst().getSubjectX500Principal(),
                    FAILURE_SECONDS,
                    e.getMessage());
            entry.complete(null, FAILURE_SECONDS);
        }
    }

    private URI responder(X509 certificate) throws IOException {
        URI configured = settings.responder();
        if (configured != null && settings.preference() == StaplingSettings.Preference.ALWAYS) {
            return configured;
        }
        for (String address : OcspQuestion.responders(certificate)) {
            URI named = URI.create(address);
            if ("http".equalsIgnoreCase(named.getScheme())) {
                return named;
            }
        }
        if (configured != null) {
            return configured;
        }
        throw new IOException("the certificate names no responder by http; set jdk.tls.stapling.responderURI");
    }

    private byte[] send(URI responder, byte[] request) throws IOException {
        HttpURLConnection connection = open(responder);
        try {
            return send(connection, request);
        } catch (IOException e) {
            throw new IOException(responder + ": " + e.getMessage(), e);
        }
    }

    private byte[] send(HttpURLConnection connection, byte[] request) throws IOException {
        try {
            int timeoutMillis = (int) settings.timeoutMillis();
            connection.setConnectTimeout(timeoutMillis);
            connection.setReadTimeout(timeoutMillis);
            connection.setUseCaches(false);
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "application/ocsp-request");
            connection.setFixedLengthStreamingMode(request.length);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(request);
            }
            if (connection.getResponseCode() != HTTP_OK) {
                throw new IOException("the answer has the status " + connection.getResponseCode());
            }
            try (InputStream in = connection.getInputStream()) {
                byte[] response = in.readNBytes(MAX_RESPONSE_BYTES);
                if (response.length == MAX_RESPONSE_BYTES) {
                    throw new IOException("the answer has " + MAX_RESPONSE_BYTES + " bytes or more");
                }
                return response;
            }
        } finally {
            connection.disconnect();
        }
    }

    private static HttpURLConnection open(URI responder) throws IOException {
        try {
            if (responder.toURL().openConnection() instanceof HttpURLConnection connection) {
                return connection;
            }
        } catch (IllegalArgumentException | MalformedURLException e) {
            throw new IOException(responder + " is no address of a responder: " + e.getMessage(), e);
        }
        throw new IOException(responder + " is no address of a responder; name one by http");
    }
}
