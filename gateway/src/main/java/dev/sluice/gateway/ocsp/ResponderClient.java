package dev.sluice.gateway.ocsp;

import dev.sluice.tls.certificate.StapleSlot;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A client of OCSP responders over HTTP (RFC 6960 appendix A), within limits of time and size. Each request has its own
 * HTTP client: requests are hours apart, and no thread or descriptor is held between them. May be used from any
 * thread.
 */
final class ResponderClient {
    /** The default time limit for a whole exchange: 15 s. */
    static final Duration ANSWER_LIMIT = Duration.ofSeconds(15);

    /** The part of that limit which the connection may take. */
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);

    private static final int OK = 200;

    /** The JDK client's wording for a body that is longer than allowed; it has no exception of its own for that. */
    private static final String TOO_LONG = "exceeds";

    private final Duration answerLimit;

    /**
     * Creates a responder client.
     *
     * @param answerLimit how long all may take, to the last byte of the answer
     */
    ResponderClient(Duration answerLimit) {
        this.answerLimit = answerLimit;
    }

    /**
     * Sends a request and waits for the answer; to be called on a virtual thread.
     *
     * @return what the responder answered, whatever it is, at most {@link StapleSlot#MAX_BYTES}
     * @throws OcspException when there was no answer
     */
    byte[] ask(URI responder, byte[] request) throws OcspException, InterruptedException {
        try (HttpClient client = client()) {
            try {
                return await(client.sendAsync(
                        post(responder, request),
                        BodyHandlers.limiting(BodyHandlers.ofByteArray(), StapleSlot.MAX_BYTES)));
            } finally {
                client.shutdownNow(); // close() would wait for an answer that nobody wants any more
            }
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new OcspException(OcspFailure.INTERNAL, "no request can be sent (" + e.getMessage() + ")", e);
        }
    }

    private byte[] await(CompletableFuture<HttpResponse<byte[]>> answer) throws OcspException, InterruptedException {
        try {
            HttpResponse<byte[]> response = answer.get(answerLimit.toMillis(), TimeUnit.MILLISECONDS);
            if (response.statusCode() != OK) {
                throw new OcspException(
                        OcspFailure.HTTP_STATUS, "it answers HTTP status " + response.statusCode() + ", not " + OK);
            }
            return response.body();
        } catch (TimeoutException e) {
            throw new OcspException(OcspFailure.NO_ANSWER, "no answer within " + answerLimit.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            throw new OcspException(failure(e.getCause()), "no answer (" + reason(e.getCause()) + ")", e);
        } finally {
            answer.cancel(true);
        }
    }

    private static OcspFailure failure(@Nullable Throwable cause) {
        if (cause != null && String.valueOf(cause.getMessage()).contains(TOO_LONG)) {
            return OcspFailure.MALFORMED;
        }
        return cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException
                ? OcspFailure.NO_CONNECTION
                : OcspFailure.NO_ANSWER;
    }

    private static String reason(@Nullable Throwable cause) {
        String message = cause == null ? null : cause.getMessage();
        if (message != null) {
            return message;
        }
        // The JDK's client leaves out what the socket said.
        return cause instanceof ConnectException ? "it takes no connection" : "the connection broke";
    }

    private HttpClient client() throws GeneralSecurityException {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_LIMIT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(Thread::startVirtualThread)
                .sslContext(withoutAuthorities())
                .build();
    }

    /** Responders are asked without TLS: the JDK's own authorities need not be loaded. */
    private static SSLContext withoutAuthorities() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[0], null);
        return context;
    }

    private static HttpRequest post(URI responder, byte[] request) {
        return HttpRequest.newBuilder(responder)
                .header("Content-Type", "application/ocsp-request")
                .header("Accept", "application/ocsp-response")
                .POST(HttpRequest.BodyPublishers.ofByteArray(request))
                .build();
    }
}
