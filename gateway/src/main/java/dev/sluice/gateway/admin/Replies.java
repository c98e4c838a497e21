package dev.sluice.gateway.admin;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes answers. */
final class Replies {
    /** The page loads what this endpoint serves, and nothing else; nobody may frame it. */
    private static final String CONTENT_SECURITY_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final int NO_BODY = -1;

    private Replies() {}

    /** What every answer says to browsers. */
    static void secure(Headers headers) {
        headers.set("Content-Security-Policy", CONTENT_SECURITY_POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("X-Frame-Options", "DENY");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Cache-Control", "no-store");
    }

    /** A line, or several, for people. */
    static void text(HttpExchange exchange, int status, String text) throws IOException {
        String line = text.endsWith("\n") ? text : text + "\n";
        send(exchange, status, "text/plain; charset=utf-8", line.getBytes(StandardCharsets.UTF_8));
    }

    static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(status, NO_BODY);
            return;
        }
        exchange.sendResponseHeaders(status, body.length == 0 ? NO_BODY : body.length);
        // Closed here, and so sent, before the exchange's own end reads what is left of a request.
        try (OutputStream stream = exchange.getResponseBody()) {
            stream.write(body);
        }
    }
}
