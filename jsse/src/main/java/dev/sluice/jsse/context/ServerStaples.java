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
import java.util.Optional;
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
 * <p>A handshake waits for the first response, as with SunJSSE, but no handshake waits for a question that was asked
 * longer ago than the timeout: it goes on without a staple, and the responder is asked again after {@link
 * #FAILURE_SECONDS}. An invalid response counts as none.
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
    private final Map<X509Certificate, Question> questions = new LinkedHashMap<>(16, 0.75f, true);

    /** A question that was asked, and its answer as far as it is known. */
    private static final class Question {
        private final CompletableFuture<Optional<byte[]>> answer = new CompletableFuture<>();
        private final long askedNanos = System.nanoTime();
        private volatile long endNanos = askedNanos + TimeUnit.SECONDS.toNanos(FAILURE_SECONDS);
        private volatile @Nullable Thread asker;

        /** Returns whether the answer is to be used, or awaited. */
        boolean isCurrent() {
            return System.nanoTime() - endNanos < 0;
        }

        void answered(byte[] response, long seconds) {
            endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            answer.complete(Optional.of(response));
        }

        void failed() {
            endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(FAILURE_SECONDS);
            answer.complete(Optional.empty());
        }

        /** Ends an exchange that nobody will wait for; a blocked virtual thread's socket is closed. */
        void abandon() {
            Thread from = asker;
            if (from != null && !answer.isDone()) {
                from.interrupt();
            }
        }

        /** Returns the answer, waiting until a time after the question. */
        byte @Nullable [] await(long timeoutMillis) {
            long left = askedNanos + TimeUnit.MILLISECONDS.toNanos(timeoutMillis) - System.nanoTime();
            try {
                return answer.get(Math.max(0, left), TimeUnit.NANOSECONDS).orElse(null);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return null;
            } catch (TimeoutException | ExecutionException e) {
                return null;
            }
        }
    }

    ServerStaples(StaplingSettings settings) {
        this.settings = settings;
    }

    /**
     * Returns the responses for the certificates of a handshake, waiting for those that are unknown; for all of them
     * together no longer than the timeout.
     *
     * @param chains the certificates, each with its issuers; without an issuer there is no question to ask
     * @return the responses that there are, by certificate
     */
    Map<X509Certificate, byte[]> responsesFor(List<List<X509Certificate>> chains) {
        Map<X509Certificate, Question> asked = new LinkedHashMap<>();
        for (List<X509Certificate> chain : chains) {
            if (chain.size() > 1) {
                asked.put(chain.getFirst(), question(chain));
            }
        }
        Map<X509Certificate, byte[]> responses = new LinkedHashMap<>();
        asked.forEach((certificate, question) -> {
            byte[] response = question.await(settings.timeoutMillis());
            if (response != null) {
                responses.put(certificate, response);
            }
        });
        return responses;
    }

    private Question question(List<X509Certificate> chain) {
        lock.lock();
        try {
            Question known = questions.get(chain.getFirst());
            if (known != null && known.isCurrent()) {
                return known;
            }
            if (known != null) {
                known.abandon();
            }
            Question asked = new Question();
            questions.put(chain.getFirst(), asked);
            evict();
            asked.asker = Thread.ofVirtual().name("sluice-jsse-ocsp").start(() -> ask(chain, asked));
            return asked;
        } finally {
            lock.unlock();
        }
    }

    private void evict() {
        Iterator<Question> oldest = questions.values().iterator();
        while (settings.cacheEntries() > 0 && questions.size() > settings.cacheEntries()) {
            oldest.next().abandon();
            oldest.remove();
        }
    }

    private void ask(List<X509Certificate> chain, Question question) {
        try (X509 certificate = X509.fromDer(chain.get(0).getEncoded());
                X509 issuer = X509.fromDer(chain.get(1).getEncoded());
                OcspQuestion about = OcspQuestion.about(certificate, issuer)) {
            byte[] response = send(responder(certificate), about.request());
            question.answered(response, settings.secondsToKeep(about.checked(response)));
        } catch (IOException | CertificateEncodingException | RuntimeException e) {
            LOG.log(
                    Level.WARNING,
                    "no OCSP response to staple, certificate={0}, asked again in {1} s: {2}",
                    chain.getFirst().getSubjectX500Principal(),
                    FAILURE_SECONDS,
                    e.getMessage());
        } finally {
            if (!question.answer.isDone()) {
                question.failed();
            }
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
            connection.setInstanceFollowRedirects(false);
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
