package dev.sluice.cli.demo;

import dev.sluice.gateway.proxyprotocol.ProxyHeader;
import dev.sluice.gateway.proxyprotocol.TlsFacts;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What the demo shows of a connection, for people and for programs. */
final class DemoPage {
    private static final String TEMPLATE = "page.html";

    /** Where the rows go in the template. */
    private static final String ROWS = "<!-- rows -->";

    private DemoPage() {}

    /** A page that needs nothing from elsewhere. */
    static String html(ProxyHeader client) throws IOException {
        TlsFacts tls = client.tls();
        StringBuilder rows = new StringBuilder();
        row(rows, "TLS version", tls.version(), "none: the client does not use TLS");
        row(rows, "Cipher suite", tls.cipher(), "not said");
        row(rows, "Key exchange", tls.group(), "not said");
        row(rows, "Session", tls.resumed() ? "resumed" : "full handshake", "");
        row(rows, "Handshake", micros(tls), "not said");
        row(rows, "Server name (SNI)", tls.serverName(), "the client sent none");
        row(rows, "Protocol (ALPN)", tls.alpn(), "none negotiated");
        row(rows, "Client certificate", tls.clientCertificate() ? named(tls.commonName()) : "", "none");
        row(rows, "Client address", text(client.source()), "not said");
        row(rows, "Gateway address", text(client.destination()), "not said");
        return template().replace(ROWS, rows);
    }

    /** The same as an object of JSON; what is not known is null. */
    static String json(ProxyHeader client) {
        TlsFacts tls = client.tls();
        StringBuilder json = new StringBuilder("{");
        member(json, "version", quoted(tls.version()));
        member(json, "cipher", quoted(tls.cipher()));
        member(json, "group", quoted(tls.group()));
        member(json, "resumed", Boolean.toString(tls.resumed()));
        member(json, "handshakeMicros", tls.handshakeMicros() < 0 ? "null" : Long.toString(tls.handshakeMicros()));
        member(json, "sni", quoted(tls.serverName()));
        member(json, "alpn", quoted(tls.alpn()));
        member(json, "clientCertificate", Boolean.toString(tls.clientCertificate()));
        member(json, "commonName", quoted(tls.commonName()));
        member(json, "clientAddress", quoted(text(client.source())));
        member(json, "gatewayAddress", quoted(text(client.destination())));
        return json.append("\n}\n").toString();
    }

    private static String named(String commonName) {
        return commonName.isEmpty() ? "verified" : commonName;
    }

    private static String micros(TlsFacts tls) {
        return tls.handshakeMicros() < 0 ? "" : tls.handshakeMicros() + " µs in the TLS library";
    }

    private static String text(@Nullable InetSocketAddress address) {
        if (address == null) {
            return "";
        }
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    private static void row(StringBuilder rows, String name, String value, String whenEmpty) {
        rows.append("<tr><th scope=\"row\">").append(name).append("</th>");
        if (value.isEmpty()) {
            rows.append("<td class=\"none\">").append(whenEmpty);
        } else {
            rows.append("<td>");
            appendEscaped(rows, value);
        }
        rows.append("</td></tr>\n");
    }

    private static void appendEscaped(StringBuilder html, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '<' -> html.append("&lt;");
                case '>' -> html.append("&gt;");
                case '&' -> html.append("&amp;");
                case '"' -> html.append("&quot;");
                default -> html.append(c);
            }
        }
    }

    private static void member(StringBuilder json, String name, String value) {
        json.append(json.length() == 1 ? "\n" : ",\n")
                .append("  \"")
                .append(name)
                .append("\": ")
                .append(value);
    }

    private static String quoted(String text) {
        if (text.isEmpty()) {
            return "null";
        }
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    private static String template() throws IOException {
        try (InputStream resource = DemoPage.class.getResourceAsStream(TEMPLATE)) {
            if (resource == null) {
                throw new IOException("the resource " + TEMPLATE + " is missing; the build is broken");
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
