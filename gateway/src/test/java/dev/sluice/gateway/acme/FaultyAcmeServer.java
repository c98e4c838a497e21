package dev.sluice.gateway.acme;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An ACME server that believes everything, checks nothing, and issues what a test wants: faults that a sound server
 * does not have. It speaks plain HTTP on the loopback address.
 */
final class FaultyAcmeServer implements AutoCloseable {
    private static final Pattern CSR = Pattern.compile("\"csr\":\"([^\"]+)\"");
    private static final Pattern PAYLOAD = Pattern.compile("\"payload\":\"([^\"]*)\"");

    private final HttpServer server;
    private final Function<byte[], String> issue;
    private final List<String> authorized;
    private final AtomicInteger orders = new AtomicInteger();
    private final AtomicInteger accounts = new AtomicInteger();
    private final CountDownLatch accountAsked = new CountDownLatch(1);
    private volatile CountDownLatch accountAnswer = new CountDownLatch(0);
    private volatile String chain = "";
    private volatile String status;
    private volatile boolean isStuck;
    private volatile boolean isForgetful;
    private volatile String refusal = "";

    /**
     * Starts one.
     *
     * @param authorized the names that it wants proved, whatever is ordered; none: it has all proofs already
     * @param issue makes a chain in PEM of a request in DER
     */
    FaultyAcmeServer(List<String> authorized, Function<byte[], String> issue) {
        this.authorized = authorized;
        this.issue = issue;
        this.status = authorized.isEmpty() ? "ready" : "pending";
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    URI directory() {
        return URI.create(url("/directory"));
    }

    int orders() {
        return orders.get();
    }

    /** Returns the number of requests for an account. */
    int accounts() {
        return accounts.get();
    }

    /**
     * Leaves requests for an account without an answer.
     *
     * @param until the answer may be given
     * @return the first request has come
     */
    CountDownLatch holdAccounts(CountDownLatch until) {
        accountAnswer = until;
        return accountAsked;
    }

    /** Answers orders by a problem document, with a time for the next try. */
    void refuse(String problem) {
        refusal = problem;
    }

    /** Never issues what is ordered. */
    void getStuck() {
        isStuck = true;
    }

    /** Knows no account until one is made, as a server that was set up anew. */
    void forgetAccounts() {
        isForgetful = true;
    }

    private String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Replay-Nonce", "nonce-" + System.nanoTime());
        switch (exchange.getRequestURI().getPath()) {
            case "/directory" ->
                send(
                        exchange,
                        200,
                        "{\"newNonce\":\"" + url("/nonce") + "\",\"newAccount\":\"" + url("/account")
                                + "\",\"newOrder\":\"" + url("/order") + "\"}");
            case "/nonce" -> exchange.sendResponseHeaders(200, -1);
            case "/account" -> account(exchange);
            case "/order" -> order(exchange);
            case "/order/1" -> send(exchange, 200, order());
            case "/authorization" ->
                send(
                        exchange,
                        200,
                        "{\"status\":\"pending\",\"identifier\":{\"type\":\"dns\",\"value\":\""
                                + authorized.getFirst() + "\"},\"challenges\":[{\"type\":\"tls-alpn-01\",\"url\":\""
                                + url("/challenge") + "\",\"token\":\"token\",\"status\":\"pending\"},"
                                + "{\"type\":\"dns-01\",\"url\":\"" + url("/challenge")
                                + "\",\"token\":\"token\",\"status\":\"pending\"}]}");
            case "/finalize" -> {
                chain = issue.apply(request(body));
                status = isStuck ? "processing" : "valid";
                send(exchange, 200, order());
            }
            case "/certificate" -> {
                exchange.getResponseHeaders().set("Content-Type", "application/pem-certificate-chain");
                send(exchange, 200, chain);
            }
            default -> send(exchange, 404, "{}");
        }
        exchange.close();
    }

    private void account(HttpExchange exchange) throws IOException {
        accounts.incrementAndGet();
        accountAsked.countDown();
        try {
            accountAnswer.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        isForgetful = false;
        exchange.getResponseHeaders().set("Location", url("/account/1"));
        send(exchange, 201, "{\"status\":\"valid\"}");
    }

    private void order(HttpExchange exchange) throws IOException {
        if (isForgetful) {
            exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
            send(exchange, 400, "{\"type\":\"urn:ietf:params:acme:error:accountDoesNotExist\",\"detail\":\"none\"}");
            return;
        }
        orders.incrementAndGet();
        if (!refusal.isEmpty()) {
            exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
            exchange.getResponseHeaders().set("Retry-After", "7200");
            send(exchange, 429, refusal);
            return;
        }
        exchange.getResponseHeaders().set("Location", url("/order/1"));
        send(exchange, 201, order());
    }

    private String order() {
        return "{\"status\":\"" + status + "\",\"identifiers\":[],\"authorizations\":["
                + (authorized.isEmpty() ? "" : "\"" + url("/authorization") + "\"") + "],\"finalize\":\""
                + url("/finalize") + "\",\"certificate\":\"" + url("/certificate") + "\"}";
    }

    private static byte[] request(String body) {
        Matcher payload = PAYLOAD.matcher(body);
        if (!payload.find()) {
            throw new AssertionError("no payload in " + body);
        }
        String text = new String(Base64.getUrlDecoder().decode(payload.group(1)), StandardCharsets.UTF_8);
        Matcher csr = CSR.matcher(text);
        if (!csr.find()) {
            throw new AssertionError("no csr in " + text);
        }
        return Base64.getUrlDecoder().decode(csr.group(1));
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        if (exchange.getResponseHeaders().getFirst("Content-Type") == null) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
        }
        byte[] text = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, text.length);
        exchange.getResponseBody().write(text);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
