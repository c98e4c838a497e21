package dev.sluice.gateway.admin;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The writer of answers. */
final class Replies {
    /** The page loads what this endpoint serves, and nothing else; nobody may frame it. */
    private static final String CONTENT_SECURITY_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private Replies() {}

    /** A line, or several, for people. */
    static void text(AdminExchange exchange, int status, String text) throws IOException {
        String line = text.endsWith("\n") ? text : text + "\n";
        send(exchange, status, "text/plain; charset=utf-8", line.getBytes(StandardCharsets.UTF_8));
    }

    static void send(AdminExchange exchange, int status, String type, byte[] body) throws IOException {
        secure(exchange);
        exchange.header("Content-Type", type);
        exchange.send(status, body);
    }

    /** Begins an answer that ends with the connection. */
    static OutputStream stream(AdminExchange exchange, String type) throws IOException {
        secure(exchange);
        exchange.header("Content-Type", type);
        return exchange.stream(200);
    }

    /** Adds the headers with which every answer instructs browsers. */
    private static void secure(AdminExchange exchange) {
        exchange.header("Content-Security-Policy", CONTENT_SECURITY_POLICY);
        exchange.header("X-Content-Type-Options", "nosniff");
        exchange.header("X-Frame-Options", "DENY");
        exchange.header("Referrer-Policy", "no-referrer");
        exchange.header("Cross-Origin-Opener-Policy", "same-origin");
        exchange.header("Cross-Origin-Resource-Policy", "same-origin");
        exchange.header("Cache-Control", "no-store");
    }
}
